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

Waiting::Waiting(bool is_crowded) : may_sleep_(is_crowded && settings().native == NativeLibrary::mpich) {}

void Waiting::until_over(MPI_Request& request, std::int64_t rounds) const {
  const Nanoseconds pause = nap(rounds);
  if (pause > Nanoseconds::zero()) {
    while (!test(request)) std::this_thread::sleep_for(pause);
  } else {
    check_own(pmpi.Wait(&request, MPI_STATUS_IGNORE));
  }
}

Nanoseconds Waiting::nap(std::int64_t rounds) const {
  if (!may_sleep_) return Nanoseconds::zero();
  return nap_after(rounds, Clock::now() - begun_, Nanoseconds(prctl(PR_GET_TIMERSLACK)));
}

}  // namespace rota::mpi
