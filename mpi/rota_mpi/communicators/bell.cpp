#include "rota_mpi/communicators/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace rota::mpi {

namespace {

timespec timespec_of(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

}  // namespace

/// Both this and wait() write theirs before they read the other's, in one order that all see: so whoever
/// rings sees the sleeper, or the system sees the ring.
void Bell::ring() {
  rings_.fetch_add(1);
  if (has_sleeper_.load() != 0) syscall(SYS_futex, &rings_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

bool Bell::wait(Rings heard, std::chrono::nanoseconds at_most) {
  const timespec time = timespec_of(at_most);
  has_sleeper_.store(1);
  syscall(SYS_futex, &rings_, FUTEX_WAIT, heard, &time, nullptr, 0);
  has_sleeper_.store(0);
  return rings() != heard;
}

}  // namespace rota::mpi
