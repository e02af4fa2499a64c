#include "callbacks.hpp"

#include <array>
#include <cstdint>
#include <cstring>

#include "machine.hpp"

namespace rota::programs {

namespace {

/// Tells what was called, and with what.
void saw(std::uint64_t which, std::uint64_t what) {
  current_machine()->seen.add_unordered(1000 * which + what);
}

std::uint64_t class_of(int code) {
  int result = 0;
  MPI_Error_class(code, &result);
  return static_cast<std::uint64_t>(result);
}

struct Pair {
  std::uint32_t first;
  std::uint32_t second;
};

template <class Combine>
void combine(void* left, void* right, int count, Combine combined) {
  auto* from = static_cast<unsigned char*>(left);
  auto* to = static_cast<unsigned char*>(right);
  for (int i = 0; i < count; ++i, from += sizeof(Pair), to += sizeof(Pair)) {
    Pair x{};
    Pair y{};
    std::memcpy(&x, from, sizeof x);
    std::memcpy(&y, to, sizeof y);
    const Pair result = combined(x, y);
    std::memcpy(to, &result, sizeof result);
  }
}

}  // namespace

int copy_next(MPI_Comm /*comm*/, int /*keyval*/, void* /*extra*/, void* value, void* copied, int* flag) {
  void* next = static_cast<char*>(value) + 1;
  std::memcpy(copied, static_cast<const void*>(&next), sizeof next);
  *flag = 1;
  saw(1, reinterpret_cast<std::uintptr_t>(value));
  return MPI_SUCCESS;
}

int delete_counted(MPI_Comm /*comm*/, int /*keyval*/, void* value, void* /*extra*/) {
  saw(2, reinterpret_cast<std::uintptr_t>(value));
  return MPI_SUCCESS;
}

int delete_reducing(MPI_Comm comm, int /*keyval*/, void* value, void* /*extra*/) {
  std::array<int, 100> own{};
  std::array<int, 100> all{};
  own.fill(static_cast<int>(reinterpret_cast<std::uintptr_t>(value)));
  const int code =
      MPI_Allreduce(own.data(), all.data(), static_cast<int>(all.size()), MPI_INT, MPI_SUM, comm);
  saw(3, class_of(code));
  saw(4, static_cast<std::uint64_t>(all.front()) * 64 + static_cast<std::uint64_t>(all.back()));
  return MPI_SUCCESS;
}

// NOLINTBEGIN(cert-dcl50-cpp, modernize-avoid-variadic-functions, readability-non-const-parameter): so MPI wants it.
void count_errors(MPI_Comm* /*comm*/, int* code, ...) { saw(5, class_of(*code)); }

void count_more_errors(MPI_Comm* /*comm*/, int* code, ...) { saw(6, class_of(*code)); }

void add_pairs(void* left, void* right, int* count, MPI_Datatype* /*type*/) {
  combine(left, right, *count, [](Pair x, Pair y) { return Pair{x.first + y.first, x.second ^ y.second}; });
}

/// x -> first * x + second, one after the other.
void compose_maps(void* left, void* right, int* count, MPI_Datatype* /*type*/) {
  combine(left, right, *count,
          [](Pair x, Pair y) { return Pair{x.first * y.first, x.second * y.first + y.second}; });
}
// NOLINTEND(cert-dcl50-cpp, modernize-avoid-variadic-functions, readability-non-const-parameter)

}  // namespace rota::programs
