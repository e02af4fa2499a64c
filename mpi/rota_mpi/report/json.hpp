// The report as JSON.
#pragma once

#include <cstdio>

#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

void write_json(std::FILE* file, const Report& report);

}  // namespace rota::mpi
