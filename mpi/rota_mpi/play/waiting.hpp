// How a rank waits for its messages: as the MPI library does, or, where its host's ranks outnumber processors, in naps.
//
// Which of both is for each rank to say: it changes when the rank looks, and no message. Only MPICH's ranks sleep. Open MPI asks
// its sockets at one test in eight, so that whoever sleeps between tests sees them eight naps late; and its ranks that wait give
// their processor to others at a far lower cost.
#pragma once

#include <chrono>
#include <cstdint>

#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/play/nap.hpp"

namespace rota::mpi {

class Waiting {
 public:
  /// From now on. Do the ranks of this rank's host outnumber its processors?
  explicit Waiting(bool is_crowded);

  /// Waits until the request is over, in a schedule of which so many rounds are. Throws MpiError.
  void until_over(MPI_Request& request, std::int64_t rounds) const;

 private:
  using Clock = std::chrono::steady_clock;

  Nanoseconds nap(std::int64_t rounds) const;

  bool may_sleep_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace rota::mpi
