// When a scan uses the edges of two trees, on the pair of trees and with the beginnings that take the fewest rounds.
//
// Upwards the edges into the nodes between a tree's top and the last node are left out, downwards those between the top and
// node 0. What is left are branches, of which each begins as soon as it can:
//
//   p = 8    upwards: one branch              downwards: two branches
//
//                           7                             7
//                       3                             3
//                     1   5                         1   5
//                    0 2 4 6                       0 2 4 6
//
//            all below 7                           2 alone; 5 and all below it
//
// Within a branch edges follow each other as in a broadcast, downwards, or as in one played backwards, upwards. An edge is used
// every second round; in either phase all edges of one colour, in both trees, are used in the same rounds, so that the colours
// keep ranks one-ported (rota/trees/two_trees.hpp). Which colour begins, each phase chooses. The way down begins in the
// round after the way up has ended.
//
// Complexity: O(log p).
// Source: paper 4 (Sanders, Speck, Träff 2009), Section 2.3
#pragma once

#include <array>
#include <vector>

#include "rota/schedule/schedule.hpp"
#include "rota/trees/two_trees.hpp"

namespace rota {

struct ScanTimetable {
  /// The nodes of one branch: the edge into one of them is first used in round from - arrival, upwards, or
  /// from + arrival, downwards.
  struct Branch {
    Rank first;
    Rank last;
    Round from;
  };
  using Branches = std::array<std::vector<Branch>, 2>;

  two_trees::Pair trees;
  Branches up;
  Branches down;
  Round rounds;

  /// When the edge into a node is first used upwards, downwards. It must be in a branch.
  Round first_up(two_trees::Which tree, Rank node) const;
  Round first_down(two_trees::Which tree, Rank node) const;
};

/// The one with the fewest rounds for so many blocks.
ScanTimetable scan_timetable(Rank ranks, BlockIndex blocks);

}  // namespace rota
