// Memory for calls that are made to see what they take, with nobody's data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rota_mpi/communicators/companion.hpp"

namespace rota::mpi {

/// So many bytes, touched, for fresh memory costs more to touch than to fill; nullptr where one of the ranks
/// has no memory for what it asks for. Collective over the companion's ranks. Throws MpiError,
/// std::bad_alloc.
std::unique_ptr<std::byte[]> nobodys_memory(std::int64_t bytes, const Companion& companion);

}  // namespace rota::mpi
