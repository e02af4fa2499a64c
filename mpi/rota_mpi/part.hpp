// One rank's part of an all-to-many schedule: what it sends, and what it receives, each in its order.
#pragma once

#include <vector>

#include "rota/schedule.hpp"
#include "rota_mpi/cut.hpp"

namespace rota::mpi {

/// A range of the packed bytes of the message to, or from, a rank.
struct Transfer {
  Rank peer = 0;
  Range range;
};

/// A rank's port one way is never shared: it handles the transfers in this order, one after the other.
struct Part {
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
};

/// Transfers larger than this are cut, by sender and receiver alike: MPI counts the bytes of a message in
/// ints.
inline constexpr std::int64_t most_transfer_bytes = std::int64_t{1} << 29;

/// That rank's part of an all-to-many schedule. O(rounds + its parcels).
Part part_of(const Schedule& schedule, Rank rank);

/// Everybody has `bytes` for everybody: p - 1 permutations, in round k (from 0 on) from rank r to rank
/// r + k + 1 modulo p. No schedule has fewer, and all ports are busy all the time. O(p).
///
///   p = 4, to whom ranks 0 1 2 3 send      round 0   1 2 3 0
///                                          round 1   2 3 0 1
///                                          round 2   3 0 1 2
Part part_of_everybody(Rank rank, Rank ranks, std::int64_t bytes);

}  // namespace rota::mpi
