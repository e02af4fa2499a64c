// The report as lines for people, each marked as Rota's.
#pragma once

#include <cstdio>

#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

/// What has next to none of the time is one line for all.
void print_table(std::FILE* file, const Report& report);

}  // namespace rota::mpi
