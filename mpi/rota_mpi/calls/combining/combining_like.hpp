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

/// What such a call is made with, in nobody's arrays.
struct TriedReduction {
  const std::byte* sent;
  std::byte* received;
  std::int64_t items;
  Operator by;
  MPI_Comm comm;
};

/// Of a call in which every rank has as many items for each of so many shares: `serve` serves it, `native` is
/// the MPI library's own.
template <CallName name, class Serve, class Native>
TryOut combining_like(const Call& call, Rank shares, const Serve& serve, const Native& native) {
  const std::int64_t items = share_of(call.bytes, tried_item_bytes * shares);
  const std::int64_t bytes = items * tried_item_bytes * shares;
  if (bytes > most_tried_bytes) return {};
  return {2 * bytes, [=, by = operator_like(call)](MPI_Comm comm, std::byte* memory) {
            const TriedReduction tried{memory, memory + bytes, items, by, comm};
            return serve(tried, named<name>([&] { return native(tried); }));
          }};
}

/// The same of a call without shares or a root.
template <CallName name, auto serve, auto native>
TryOut combining_like(const Call& call) {
  return combining_like<name>(
      call, 1,
      [](const TriedReduction& tried, NativeCall own) {
        return serve(tried.sent, tried.received, tried.items, tried.by.type, tried.by.op, tried.comm, own);
      },
      [](const TriedReduction& tried) {
        return (pmpi.*native)(tried.sent, tried.received, static_cast<int>(tried.items), tried.by.type,
                              tried.by.op, tried.comm);
      });
}

}  // namespace rota::mpi
