// The report: what was called, what served it, and what it took against the least that it could have taken.
#pragma once

#include <string>

#include "rota_mpi/report/lines.hpp"

namespace rota::mpi {

/// A table on standard error, or JSON in the file of that path, if there is one: whole or not at all. Takes
/// no lock of the program's standard streams.
void print_report(const Report& report, const std::string& path);

}  // namespace rota::mpi
