// A thread that carries on what the program has started, where the user asks for one (ROTA_PROGRESS=thread).
//
//     program    start   |  computes, calls no MPI                  |  MPI_Wait
//     thread      wakes  |  advance . advance .. advance .... advance, nothing left: sleeps
//
// It needs MPI_THREAD_MULTIPLE. Between two looks it rests, and where nothing moves ever longer: up to a sixteenth of the time since
// something last did. So whatever a round takes, its end is seen at most a sixteenth of that later, and a processor that computes is
// left alone for most of the time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

class ProgressThread {
 public:
  /// Begins to run, with all signals blocked, for those are the program's. Throws std::system_error.
  explicit ProgressThread(Advance advance);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  /// Ends it, whatever is left.
  ~ProgressThread();

  /// Something is left to be done.
  void wake();

 private:
  void run();
  void carry_on();

  Advance advance_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_any_left_ = false;
  std::atomic<bool> is_to_end_{false};
  std::thread thread_;  // last: it uses all the others
};

}  // namespace rota::mpi
