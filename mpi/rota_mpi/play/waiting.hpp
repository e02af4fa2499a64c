// How a rank waits for its messages: as the MPI library does, or, where its host's ranks outnumber processors, in naps.
//
// Which of both is for each rank to say: it changes when the rank looks, and no message. Only MPICH's ranks sleep. Open MPI's that
// wait give their processor to others at a far lower cost, and its rounds took up to 1.4 times as long where they slept: it asks
// its sockets at some tests only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/play/nap.hpp"

namespace rota::mpi {

class Waiting {
 public:
  /// From now on. Do the ranks of this rank's host outnumber its processors?
  explicit Waiting(bool is_crowded);

  /// Waits until the request is over, in a schedule of which so many rounds are by now. Throws MpiError.
  void until_over(MPI_Request& request, std::int64_t rounds);

 private:
  using Clock = std::chrono::steady_clock;

  Nanoseconds nap_after(std::int64_t rounds);

  std::optional<RoundLength> length_;  // none: it never sleeps
  std::int64_t seen_rounds_ = 0;
  Clock::time_point seen_at_ = Clock::now();
};

}  // namespace rota::mpi
