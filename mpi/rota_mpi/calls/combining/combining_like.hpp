// Try-outs of calls that combine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rota_mpi/calls/combining/reduction.hpp"
#include "rota_mpi/calls/like_it.hpp"

namespace rota::mpi {

/// Values that are combined as the call's are: so that the order shows in their bits, or not.
constexpr std::int64_t tried_item_bytes = 8;
inline Operator operator_like(const Call& call) {
  return call.is_exact ? Operator{MPI_BXOR, MPI_INT64_T} : Operator{MPI_SUM, MPI_DOUBLE};
}

/// Of a call by which each rank combines an array with others', and has one back: `serve` serves it, `native`
/// is the MPI library's own.
template <CallName name, auto serve, auto native>
TryOut combining_like(const Call& call) {
  const std::int64_t items = share_of(call.bytes, tried_item_bytes);
  const std::int64_t bytes = items * tried_item_bytes;
  if (bytes > most_tried_bytes) return {};
  return {2 * bytes, [by = operator_like(call), items, bytes](MPI_Comm comm, std::byte* memory) {
            const auto own = [=] {
              return (pmpi.*native)(memory, memory + bytes, static_cast<int>(items), by.type, by.op, comm);
            };
            return serve(memory, memory + bytes, items, by.type, by.op, comm, named<name>(own));
          }};
}

}  // namespace rota::mpi
