// Memory in SMPI, where one process has all ranks: large pieces are SMPI's to fold.
//
// With --cfg=smpi/auto-shared-malloc-thresh:BYTES all pieces from that size on, of all ranks, are the same few
// pages, and messages between them are not copied: hundreds of ranks fit into one machine, and their data is
// meaningless. SMPI does so by a macro for malloc, which C++ does not use; hence these operators.
#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// Never folded: what schedules are made of must keep its contents.
constexpr std::size_t least_foldable_bytes = std::size_t{256} * 1024;
constexpr std::uintptr_t page_bytes = 4096;

void* allocated(std::size_t size) {
  void* const memory = size < least_foldable_bytes ? std::malloc(size == 0 ? 1 : size)
                                                   : smpi_shared_malloc_intercept(size, __FILE__, __LINE__);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Folded pieces begin with a page; what else does, SMPI passes on to free.
void release(void* memory) {
  if (reinterpret_cast<std::uintptr_t>(memory) % page_bytes == 0) return smpi_shared_free(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return allocated(size); }
void* operator new[](std::size_t size) { return allocated(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
