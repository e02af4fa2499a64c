// How long it takes to compute both schedules of every rank, in the ways there are.
#pragma once

#include "rota/schedule/types.hpp"

namespace rota::bench {

// Seconds for p ranks, all measured one after the other in one call. The last three are the computation of all
// ranks at once: with the send rows as views of the receive rows, with these copied so that both tables are
// written, and with every block of both schedules read rank by rank through the views.
struct ScheduleTimes {
  Rank ranks = 0;
  double straightforward_s = 0;
  double one_by_one_s = 0;
  double all_s = 0;
  double all_written_s = 0;
  double all_read_s = 0;
};

// Throws std::invalid_argument unless p >= 2, std::logic_error if the computations disagree.
ScheduleTimes time_schedules(Rank p);

// Seconds for both schedules of `ranks_timed` ranks among p, evenly spread, one by one: as the paper's Table 4
// compares them, and by Rota. All measured one after the other in one call.
struct ConstructionTimes {
  Rank ranks = 0;
  Rank ranks_timed = 0;
  double older_s = 0;    // in O(log^3 p) a rank
  double printed_s = 0;  // in O(log p), by the paper's algorithms as they are printed
  double rota_s = 0;
};

// At most so many ranks of p. Throws std::invalid_argument unless p >= 2 and at_most >= 1, std::logic_error if
// the computations disagree.
ConstructionTimes time_constructions(Rank p, Rank at_most);

}  // namespace rota::bench
