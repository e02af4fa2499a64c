#include "rota_mpi/settings/native_library.hpp"

namespace rota::mpi {

NativeLibrary native_library() { return NativeLibrary::ROTA_NATIVE_LIBRARY; }

}  // namespace rota::mpi
