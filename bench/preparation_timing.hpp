// How long a rank takes before its first broadcast: for two trees and for the circulant graph, all ranks' parts computed
// as in Table 1 of paper 4 (Sanders, Speck, Träff 2009), or only its own.
#pragma once

#include "rota/schedule/types.hpp"

namespace rota::bench {

/// Seconds for p ranks, measured one after the other in one call.
struct PreparationTimes {
  Rank ranks = 0;
  double colored_trees_s = 0;  // both trees of all nodes, coloured in linear time
  double circulant_schedules_s =
      0;  // both schedules of all ranks, O(p log p), as paper 1 prints the algorithms
  double two_tree_rank_s =
      0;  // one rank's neighbours and in-edge colours from p and its number; mean of many
  double circulant_rank_s = 0;  // one rank's skips and both its schedules, likewise
};

/// Throws std::invalid_argument unless p >= 2, std::logic_error if the linear colouring is wrong.
PreparationTimes time_preparation(Rank p);

}  // namespace rota::bench
