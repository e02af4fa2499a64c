// What the ranks of a communicator have found out of the network between their hosts, alike; or of the memory of the one that all are on.
#pragma once

#include <memory>

#include "rota/schedule/types.hpp"
#include "rota_mpi/decide/pace.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

struct FoundNetwork {
  Pace pace = Pace::unknown;
  std::shared_ptr<const RoundTimes> round_times;  // nullptr: not measured
  bool is_one_memory = false;  // do all leave each other messages in memory that they share?
  Rank ranks_a_processor = 2;  // at the most, on all machines, rounded up; 1: each has its own

  bool is_crowded() const { return ranks_a_processor > 1; }
  const RoundTimes* times() const { return round_times.get(); }
};

/// The same, as if rounds had not been measured.
inline FoundNetwork without_times(FoundNetwork network) {
  network.round_times = nullptr;
  return network;
}

}  // namespace rota::mpi
