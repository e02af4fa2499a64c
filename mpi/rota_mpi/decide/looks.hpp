// Which of a communicator's irregular calls all ranks look at together, and which are left alone.
//
// In MPI_Alltoallv and its like a rank knows its own part, and all ranks must decide alike. To look at the whole takes a
// reduction, which small calls must not pay each time:
//
//   calls    small  . . . . . . . .  small  . . .  ...  . . .  small  ...  LARGE  LARGE  LARGE  small  . . .  small
//            look     first_skips    look    as many as pay    look        look   look   look   look          look
//
// After a look in vain so many calls are left to the MPI library without one that looks take a hundredth of the time. How many
// these are each rank says by its own clock, in the next look's reduction, and the least that one of them says is done: whoever
// comes last to a look has not waited in it. But it has not seen all of it either: its own message may be the first of those that
// follow each other to one rank and back to all; so the look is taken to last as many times longer as these are. What is looked at
// follows from what ranks agree on and from calls' numbers alone.
#pragma once

#include <cstdint>

#include "rota/schedule/types.hpp"

namespace rota::mpi {

class Looks {
 public:
  static constexpr std::int64_t first_skips = 32;
  static constexpr std::int64_t most_skips = 256;

  /// Is this call to be left alone without a look? Then it has been counted; else it may be asked again.
  bool skips();

  /// A look of so many ranks begins at this time, in seconds. If it is in vain, this rank would leave alone
  /// so many calls.
  std::int64_t begin(double now_s, Rank ranks);

  /// It has ended; the least that a rank has said is this.
  void end(double now_s, std::int64_t agreed_skips);

  /// What came of it took so long, for nothing: the more calls are left alone after the next ones.
  void spent(double seconds);

  /// The look was in vain: the call is left to the MPI library.
  void in_vain() { left_ = agreed_; }

 private:
  double began_s_ = 0;
  double ended_s_ = 0;
  double took_s_ = 0;       // of the last look; 0: there was none
  double spent_s_ = 0;      // after it
  std::int64_t calls_ = 0;  // since then
  std::int64_t agreed_ = first_skips;
  std::int64_t left_ = 0;
};

}  // namespace rota::mpi
