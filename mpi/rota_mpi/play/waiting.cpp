#include "rota_mpi/play/waiting.hpp"

#include <sys/prctl.h>

#include <thread>

#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

namespace {

/// Is the request over now, or after what the MPI library does for it meanwhile? Throws MpiError.
bool test(MPI_Request& request) {
  int is_over = 0;
  check_own(pmpi.Test(&request, &is_over, MPI_STATUS_IGNORE));
  return is_over != 0;
}

}  // namespace

Waiting::Waiting(bool is_crowded) {
  if (is_crowded && settings().native == NativeLibrary::mpich)
    length_.emplace(Nanoseconds(prctl(PR_GET_TIMERSLACK)));
}

void Waiting::until_over(MPI_Request& request, std::int64_t rounds) {
  const Nanoseconds nap = nap_after(rounds);
  if (nap > Nanoseconds::zero()) {
    while (!test(request)) std::this_thread::sleep_for(nap);
  } else {
    check_own(pmpi.Wait(&request, MPI_STATUS_IGNORE));
  }
}

Nanoseconds Waiting::nap_after(std::int64_t rounds) {
  if (!length_) return Nanoseconds::zero();
  const Clock::time_point now = Clock::now();
  length_->add(rounds - seen_rounds_, now - seen_at_);
  if (rounds > seen_rounds_) seen_at_ = now;
  seen_rounds_ = rounds;
  return length_->nap();
}

}  // namespace rota::mpi
