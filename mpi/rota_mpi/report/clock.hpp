// This rank's clock beside rank 0's: from exchanges at the start and at the end, between which it drifts evenly.
//
//     this rank   t0 ----.            .---> t1        rank 0's T was read between t0 and t1: so its clock is ahead by
//                         v          /                T - (t0 + t1) / 2, and wrong by (t1 - t0) / 2 at the most
//     rank 0                  T ----'
//
// Of several exchanges the shortest counts.
#pragma once

#include "rota_mpi/communicators/world.hpp"

namespace rota::mpi {

/// What one set of exchanges has found.
struct Sighting {
  double at_s = 0;     // by this rank's clock
  double ahead_s = 0;  // by how much rank 0's is ahead of it
  double error_s = 0;  // and by how much that may be wrong
};

struct Clock {
  Sighting first;
  Sighting last;

  /// A moment of this rank's by rank 0's clock.
  double of_rank_0(double own_s) const;
  /// By how much that may be wrong, if clocks drift evenly.
  double error_s() const;
  /// Seconds that this clock loses in one of rank 0's.
  double drift() const;
};

/// Looks at rank 0's clock. Collective over the world: O(p) exchanges of nothing. `tag` is nobody else's.
/// Throws MpiError.
Sighting sight_clock(const World& here, int tag);

}  // namespace rota::mpi
