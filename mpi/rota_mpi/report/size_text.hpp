#pragma once

#include <string>

namespace rota::mpi {

/// "4 MiB"
std::string size_text(double bytes);

}  // namespace rota::mpi
