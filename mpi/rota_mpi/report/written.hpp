// How sizes and times are written, for people.
#pragma once

#include <string>

namespace rota::mpi {

/// "4 MiB"
std::string size_text(double bytes);

/// "12.3 ms", "2.46 s"
std::string time_text(double seconds);

}  // namespace rota::mpi
