// Do others run where this thread wants to?
//
// A thread that waits looks for its message, and lets others run between looks. Ranks that wait too give the processor back soon; a
// busy loop, or a neighbour's job, has it for a slice of some milliseconds. So looks tell, without a question to the system. (A look
// that copies a large message may take as long; then somebody naps for a while who need not.)
#pragma once

#include <chrono>

namespace rota::mpi {

class Contention {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  /// Did others run, if so long has passed within a look, or between two?
  static bool is_loss(Nanoseconds passed);

  /// So much has passed, beside what the thread has slept, until `now`, by a clock that never goes back.
  void passed(Nanoseconds between, Nanoseconds now);

  /// Did they lately? Counted for 300 times as long as they had the processor, for to find out anew may cost
  /// as much: so that takes a 300th of the time at the most.
  bool is_there(Nanoseconds now) const { return now < until_; }

 private:
  Nanoseconds until_{};
};

}  // namespace rota::mpi
