// What the ranks of a communicator have found out of the network between their hosts, alike.
#pragma once

#include <optional>

#include "rota_mpi/decide/pace.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

struct FoundNetwork {
  Pace pace = Pace::unknown;
  std::optional<RoundTimes> round_times;  // nothing: not measured
  bool is_crowded = true;  // do ranks outnumber processors on some machine, as far as is known?

  const RoundTimes* times() const { return round_times ? &*round_times : nullptr; }
};

}  // namespace rota::mpi
