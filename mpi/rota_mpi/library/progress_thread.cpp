#include "rota_mpi/library/progress_thread.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

namespace rota::mpi {

namespace {

using Clock = std::chrono::steady_clock;

/// All signals are blocked while it exists, and in threads that begin meanwhile.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

ProgressThread::ProgressThread(Advance advance) : advance_(advance) {
  const BlockedSignals blocked;
  thread_ = std::thread([this] { run(); });
}

ProgressThread::~ProgressThread() {
  {
    const std::scoped_lock lock(mutex_);
    is_to_end_ = true;
  }
  woken_.notify_one();
  thread_.join();
}

void ProgressThread::wake() {
  {
    const std::scoped_lock lock(mutex_);
    is_any_left_ = true;
  }
  woken_.notify_one();
}

void ProgressThread::run() {
  std::unique_lock lock(mutex_);
  while (!is_to_end_) {
    woken_.wait(lock, [this] { return is_any_left_ || is_to_end_; });
    is_any_left_ = false;
    lock.unlock();
    carry_on();
    lock.lock();
  }
}

void ProgressThread::carry_on() {
  constexpr int share = 16;
  Clock::time_point moved = Clock::now();
  while (!is_to_end_) {
    const Left left = advance_();
    if (left == Left::nothing) return;
    const Clock::time_point now = Clock::now();
    if (left == Left::moving) moved = now;
    std::unique_lock lock(mutex_);
    if (woken_.wait_for(lock, (now - moved) / share, [this] { return is_any_left_ || is_to_end_; }))
      moved = Clock::now();
    is_any_left_ = false;
  }
}

}  // namespace rota::mpi
