// Whether Rota was told to serve a case by a schedule.
#pragma once

#include <mpi.h>

#include "case.hpp"

namespace rota::check {

/// Does ROTA_ALGORITHM name a schedule for the call, one that keeps the order of ranks if the operator needs
/// it? Then Rota leaves the call to the native library only where there is nothing to do: without data, or on
/// one rank. Not so between two groups: there it depends on which of them have data.
bool is_served(const Case& c, MPI_Comm comm);

}  // namespace rota::check
