// The same as simulate, to the bit, for schedules that rotate (rota/schedule/rotation.hpp): rank 0's steps alone
// are asked for, so that an allgather among a million ranks is a matter of a second, and not of 10^12 blocks.
//
// What must hold, and why it is enough. In round i rank 0 has a message of blocks (o, x) with rank 0 + a. As the
// schedule rotates, rank r has one of the blocks (o + r, x) with rank r + a: a and the x are the same for all r.
//
//   Bytes. Say that owners first..end - 1 have data of one size, a *run*, so that of their blocks index x has
//   size(x). Of rank r's message, those in the run are the (o, x) of rank 0's with first <= o + r < end (mod p):
//   o lies in a window of rank 0's list that moves with r. Sums over windows are differences of sums over
//   beginnings: all ranks' bytes take O(p) a run, however many blocks there are.
//
//       o             0    1    2    3    4    5    6          run 4..6,  p = 7
//       rank 0                           [-------------)
//       rank 1                      [-------------)
//       rank 5        --------)                       [--      around the end
//
//   Times, where there is one run: all data of one size. Then all ranks reach every round at the same time, by
//   induction: all reach round 0 at 0; if all reach round i at t, each has messages of the same bytes with ranks
//   that reached it at t, and so all are done at the same time. Rank 0's play is everybody's (one_for_all).
//
//   Times, where there are several: rank by rank as in simulate, from these bytes; round by round O(p), whatever
//   its messages carry (rotation).
#pragma once

#include "rota/model/simulate.hpp"

namespace rota {

/// Owners first..end - 1: their data has one size.
struct Run {
  Rank first = 0;
  Rank end = 0;
};

/// The runs of a problem's ranks, whose blocks have these bytes, in order. O(p n).
std::vector<Run> runs_of(const Problem& problem, const BlockBytes& bytes);

/// How a schedule is best played, and about how many steps of a rank, or blocks of a message, that takes.
struct Way {
  Basis basis = Basis::every_rank;
  double steps = 0;
};

/// The one with fewer steps. O(p n) for a schedule that rotates, else O(1).
Way way_to_simulate(const Schedule& schedule, const BlockBytes& bytes);

/// Plays a schedule that rotates, as simulate does. Throws std::invalid_argument for one of another symmetry
/// and as simulate does. Time: all of rank 0's blocks and, with several runs, O(p runs) a round; memory: one
/// message of rank 0, and 40 bytes a rank.
Simulation simulate_rotation(const Schedule& schedule, const Network& network, const BlockBytes& bytes,
                             const OnRound& on_round = {});

}  // namespace rota
