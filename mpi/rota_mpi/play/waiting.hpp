// Have ranks a processor when they want one? Linux counts for each thread how long it could have run, and waited for a processor.
#pragma once

#include <string>

namespace rota::mpi {

/// The part of the time in which the calling thread could run that it has waited for a processor, since it
/// began: from 0 to 1; 1 where the system does not tell.
double waiting_part();

/// The same of what the system tells: nanoseconds that it ran, that it waited, and more.
double waiting_part_of(const std::string& schedstat);

}  // namespace rota::mpi
