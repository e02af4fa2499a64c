#include "rota_mpi/communicators/pausing.hpp"

#include <sys/prctl.h>

#include <ctime>
#include <thread>
#include <utility>

#include "rota_mpi/communicators/contention.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

namespace {

Nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

/// How long this thread has had a processor.
Nanoseconds run_so_far() {
  timespec run{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &run);
  return std::chrono::seconds(run.tv_sec) + Nanoseconds(run.tv_nsec);
}

Contention& contention() {
  thread_local Contention of_thread;
  return of_thread;
}

Nanoseconds own_nap() { return nap_among_others(world()->ranks_a_processor); }

}  // namespace

bool Pausing::is_of_use() {
  const World* const here = world();
  return !is_time_simulated && here != nullptr && !here->is_crowded;
}

bool VainLooks::one_more_is_enough(Nanoseconds now) {
  return ++count_ >= looks_at_everything || Contention::is_loss(now - since_);
}

void VainLooks::end(Nanoseconds now) { end_after(Nanoseconds::zero(), now); }

void VainLooks::end_after(Nanoseconds nap, Nanoseconds now) {
  contention().passed(now - since_ - nap, now);
  begin(now);
}

Pausing::Pausing() : looks_(now()) {}

Pausing::~Pausing() {
  looks_.end(now());
  if (slack_ns_) prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(*slack_ns_));
}

void Pausing::pause() {
  const Nanoseconds looked = now();
  if (!looks_.one_more_is_enough(looked)) return;
  looks_.end(looked);
  let_others_run();
}

void Pausing::let_others_run() {
  if (contention().is_there(now())) {
    sleep(own_nap());
  } else {
    std::this_thread::yield();
  }
}

/// Not as much longer as the system likes.
void Pausing::sleep(Nanoseconds nap) {
  if (!slack_ns_) {
    const int own_ns = prctl(PR_GET_TIMERSLACK);
    if (own_ns > 0 && prctl(PR_SET_TIMERSLACK, 1UL) == 0) slack_ns_ = own_ns;
  }
  std::this_thread::sleep_for(nap);
  looks_.end_after(nap, now());
}

void pause_in_engine() {
  if (!Pausing::is_of_use()) return;
  const Nanoseconds looked = now();
  thread_local VainLooks looks(looked);
  thread_local Nanoseconds had_run{};
  const Nanoseconds has_run = run_so_far();
  const bool has_computed = has_run - std::exchange(had_run, has_run) > own_nap();
  if (has_computed) looks.begin(looked);
  if (!looks.one_more_is_enough(looked)) return;
  looks.end(looked);
  Pausing().let_others_run();
  looks.begin(now());
}

int wait_for(MPI_Request& request) {
  if (!Pausing::is_of_use()) return pmpi.Wait(&request, MPI_STATUS_IGNORE);
  Pausing pausing;
  while (true) {
    int is_over = 0;
    const int code = pmpi.Test(&request, &is_over, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || is_over != 0) return code;
    pausing.pause();
  }
}

void allreduce_pausing(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (is_time_simulated) return check(pmpi.Allreduce(mine, all, count, type, op, comm));
  MPI_Request request = MPI_REQUEST_NULL;
  check(pmpi.Iallreduce(mine, all, count, type, op, comm, &request));
  check(wait_for(request));
}

void bcast_pausing(void* data, int count, MPI_Datatype type, MPI_Comm comm) {
  if (is_time_simulated) return check(pmpi.Bcast(data, count, type, 0, comm));
  MPI_Request request = MPI_REQUEST_NULL;
  check(pmpi.Ibcast(data, count, type, 0, comm, &request));
  check(wait_for(request));
}

}  // namespace rota::mpi
