// Which MPI library a build of librota stands beside: all else of the settings, and of the chooser, is compiled once for all of them.
#pragma once

#include <cstdint>

namespace rota::mpi {

/// Whose native collectives these are.
enum class NativeLibrary : std::uint8_t { open_mpi, mpich, other };

/// Of this build.
NativeLibrary native_library();

}  // namespace rota::mpi
