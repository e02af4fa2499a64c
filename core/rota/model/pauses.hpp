// Ranks that lose their processor for a while: other programs run there, or the system's own.
//
// Who is late, and when, is a pure function of the rank and the time, so that nothing is stored, and the same question has the same
// answer in every simulation. Work goes on where it was interrupted:
//
//     rank's pauses        [======]            [======]
//     work of 3            *      **                          from_s to worked_s
#pragma once

#include <cstdint>
#include <functional>

#include "rota/schedule/types.hpp"

namespace rota {

/// From begin_s on, and no longer at end_s, a rank has no processor.
struct Pause {
  double begin_s = 0;
  double end_s = 0;
};

/// A rank's first pause that is not over at that time. None at all: nobody is late. Pauses of a rank do not
/// overlap.
using Pauses = std::function<Pause(Rank, double)>;

/// Every rank pauses once in each `every_s`, for pause_s, at a moment drawn from `seed`, the rank and the
/// number of the interval. O(1), and alike on all machines.
struct RandomPauses {
  double pause_s = 0;
  double every_s = 0;
  std::uint64_t seed = 0;

  Pause operator()(Rank rank, double time_s) const;
};

/// Throws std::invalid_argument unless 0 <= pause_s < every_s, both finite.
void require_valid(const RandomPauses& pauses);

/// When a rank that wants its processor at from_s has it.
double awake_s(const Pauses& pauses, Rank rank, double from_s);

/// When work that takes so much of a rank's processor, and begins at from_s, is done. O(1) for each pause.
double worked_s(const Pauses& pauses, Rank rank, double from_s, double work_s);

}  // namespace rota
