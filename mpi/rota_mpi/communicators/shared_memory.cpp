#include "rota_mpi/communicators/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace rota::mpi {

namespace {

// Before what is shared, the mark, in a line of its own.
constexpr std::size_t mark_bytes = 64;

/// nullptr where it cannot be mapped.
std::byte* mapped(int descriptor, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

/// Not 0, as all memory is at first.
std::int64_t new_mark() {
  std::random_device device;
  return std::uniform_int_distribution<std::int64_t>(1)(device);
}

/// Is it memory that a process of Rota's has made? To open whatever another file is might do something.
bool is_memory(const std::string& path) {
  constexpr std::string_view begins_with = "/memfd:rota";
  std::array<char, begins_with.size()> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  return length == static_cast<ssize_t>(target.size()) &&
         std::string_view(target.data(), target.size()) == begins_with;
}

/// To make a file larger than that is the process's end, and memory is a file here.
bool may_files_have(std::size_t bytes) {
  rlimit most{};
  return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur >= bytes;
}

bool has_bytes(int descriptor, std::size_t bytes) {
  struct stat about{};
  return fstat(descriptor, &about) == 0 && about.st_size == static_cast<off_t>(bytes);
}

}  // namespace

std::byte* SharedMemory::begin() const { return mapped_.get() + mark_bytes; }

std::int64_t& SharedMemory::mark() const { return *reinterpret_cast<std::int64_t*>(mapped_.get()); }

/// By the system itself. Libraries that register memory with a network watch munmap, and UCX, which comes
/// with MPICH, notes every one until it registers something next, 148 bytes each; but they know nothing of
/// this memory, for MPI never gets it.
void SharedMemory::Unmap::operator()(std::byte* mapped) const { syscall(SYS_munmap, mapped, bytes); }

OfferedMemory::OfferedMemory(std::size_t bytes) {
  const std::size_t all = mark_bytes + bytes;
  if (!may_files_have(all)) return;
  const int descriptor = memfd_create("rota", MFD_CLOEXEC);
  if (descriptor < 0) return;
  address_ = {getpid(), descriptor, new_mark()};
  std::byte* const memory =
      ftruncate(descriptor, static_cast<off_t>(all)) == 0 ? mapped(descriptor, all) : nullptr;
  if (memory == nullptr) return;
  memory_ = SharedMemory(memory, all);
  memory_->mark() = address_.mark;
}

OfferedMemory::~OfferedMemory() {
  if (address_.descriptor >= 0) close(static_cast<int>(address_.descriptor));
}

std::optional<SharedMemory> shared_memory_at(const SharedAddress& address, std::size_t bytes) {
  const std::string path =
      "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.descriptor);
  if (!is_memory(path)) return std::nullopt;
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const std::size_t all = mark_bytes + bytes;
  std::byte* const memory = has_bytes(descriptor, all) ? mapped(descriptor, all) : nullptr;
  close(descriptor);
  if (memory == nullptr) return std::nullopt;
  SharedMemory found(memory, all);
  if (found.mark() != address.mark) return std::nullopt;
  return found;
}

}  // namespace rota::mpi
