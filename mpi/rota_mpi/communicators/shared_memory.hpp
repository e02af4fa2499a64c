// Memory that processes of one machine share. It has no name in any file system: it is gone with the last of them, however that ends,
// and no page of it is there before somebody touches it.
//
//     one process    makes it, and says where: its number, and a descriptor of its     -> 4711, 23, and a mark in the memory
//     another        opens /proc/4711/fd/23, and looks for the mark                    none, or no such memory: these are another machine's numbers
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace rota::mpi {

/// Where a process finds memory that another one has made, as long as that keeps its descriptor.
struct SharedAddress {
  std::int64_t process;
  std::int64_t descriptor;
  std::int64_t mark;
};

class SharedMemory {
 public:
  /// A cache line's boundary.
  std::byte* begin() const;

 private:
  friend class OfferedMemory;
  friend std::optional<SharedMemory> shared_memory_at(const SharedAddress& address, std::size_t bytes);

  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* mapped) const;
  };

  SharedMemory(std::byte* mapped, std::size_t bytes) : mapped_(mapped, Unmap{bytes}) {}
  std::int64_t& mark() const;

  std::unique_ptr<std::byte, Unmap> mapped_;
};

/// Memory in the making: as long as this is there, other processes find it.
class OfferedMemory {
 public:
  /// So many bytes, all zero. It has none where the system has none.
  explicit OfferedMemory(std::size_t bytes);
  OfferedMemory(const OfferedMemory&) = delete;
  OfferedMemory& operator=(const OfferedMemory&) = delete;
  ~OfferedMemory();

  /// Once; nothing where it has none.
  std::optional<SharedMemory> take() { return std::exchange(memory_, std::nullopt); }
  const SharedAddress& address() const { return address_; }

 private:
  std::optional<SharedMemory> memory_;
  SharedAddress address_{-1, -1, 0};
};

/// Nothing where there is no such memory, or this process may not have it.
std::optional<SharedMemory> shared_memory_at(const SharedAddress& address, std::size_t bytes);

}  // namespace rota::mpi
