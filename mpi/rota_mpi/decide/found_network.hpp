// What the ranks of a communicator have found out of the network between their hosts, alike; or of the memory of the one that all are on.
#pragma once

#include <optional>

#include "rota/schedule/types.hpp"
#include "rota_mpi/decide/pace.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

struct FoundNetwork {
  Pace pace = Pace::unknown;
  std::optional<RoundTimes> round_times;  // nothing: not measured
  bool is_one_memory = false;             // do all leave each other messages in memory that they share?
  Rank ranks_a_processor = 2;             // at the most, on all machines, rounded up; 1: each has its own

  bool is_crowded() const { return ranks_a_processor > 1; }
  const RoundTimes* times() const { return round_times ? &*round_times : nullptr; }
};

}  // namespace rota::mpi
