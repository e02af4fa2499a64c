#include "rota_mpi/play/nobodys_memory.hpp"

#include <algorithm>
#include <new>

namespace rota::mpi {

std::unique_ptr<std::byte[]> nobodys_memory(std::int64_t bytes, const Companion& companion) {
  const auto size = static_cast<std::size_t>(bytes);
  std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[size]);
  if (memory != nullptr) std::fill_n(memory.get(), size, std::byte{0});
  if (companion.most(memory == nullptr ? 1 : 0) > 0) return nullptr;
  return memory;
}

}  // namespace rota::mpi
