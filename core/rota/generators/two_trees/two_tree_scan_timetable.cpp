#include "rota/generators/two_trees/two_tree_scan_timetable.hpp"

#include <algorithm>
#include <cstddef>

namespace rota {

namespace {

using two_trees::Pair;
using two_trees::Subtree;
using two_trees::Which;

/// The branches of either tree. Of their edges' arrivals only differences and parities matter; upwards they
/// are counted backwards.
using Reaches = std::array<std::vector<Subtree>, 2>;

std::vector<Subtree> upwards(const Pair& trees, Which tree) {
  std::vector<Subtree> branches = two_trees::lower_subtrees(trees, tree);
  for (Subtree& branch : branches) branch = {branch.first, branch.last, -branch.latest, -branch.arrival};
  return branches;
}

/// By how much later than they say a branch's edges are first used, in a phase of that parity that begins in
/// round 0.
Round delay(const Subtree& branch, Round parity) { return ((branch.arrival + parity) & 1) - branch.arrival; }

/// One of two parities, of all edges of both trees, and the rounds that n blocks then take.
struct Phase {
  Round parity;
  Round rounds;
};

Phase phase(const Reaches& reaches, BlockIndex blocks, Round parity) {
  Phase result{parity, 0};
  for (std::size_t tree = 0; tree < reaches.size(); ++tree) {
    const BlockIndex blocks_there = (blocks + 1 - static_cast<BlockIndex>(tree)) / 2;
    if (blocks_there == 0) continue;
    for (const Subtree& branch : reaches[tree]) {
      const Round last_first_use = branch.latest + delay(branch, parity);
      result.rounds = std::max(result.rounds, last_first_use + 2 * blocks_there - 1);
    }
  }
  return result;
}

Phase quickest(const Reaches& reaches, BlockIndex blocks) {
  const Phase even = phase(reaches, blocks, 0);
  const Phase odd = phase(reaches, blocks, 1);
  return even.rounds <= odd.rounds ? even : odd;
}

ScanTimetable::Branches branches(const Reaches& reaches, Round parity, Round begin) {
  ScanTimetable::Branches result;
  for (std::size_t tree = 0; tree < reaches.size(); ++tree) {
    for (const Subtree& branch : reaches[tree])
      result[tree].push_back({branch.first, branch.last, begin + delay(branch, parity)});
  }
  return result;
}

ScanTimetable timetable(const Pair& trees, BlockIndex blocks) {
  const Reaches ways_up{upwards(trees, Which::first), upwards(trees, Which::second)};
  const Reaches ways_down{two_trees::higher_subtrees(trees, Which::first),
                          two_trees::higher_subtrees(trees, Which::second)};
  const Phase up = quickest(ways_up, blocks);
  const Phase down = quickest(ways_down, blocks);
  return {trees, branches(ways_up, up.parity, 0), branches(ways_down, down.parity, up.rounds),
          up.rounds + down.rounds};
}

Round from(const ScanTimetable::Branches& branches, Which tree, Rank node) {
  const auto& of_tree = branches[static_cast<std::size_t>(tree)];
  return std::ranges::find_if(of_tree,
                              [&](const auto& branch) { return branch.first <= node && node <= branch.last; })
      ->from;
}

}  // namespace

Round ScanTimetable::first_up(Which tree, Rank node) const {
  return from(up, tree, node) - two_trees::place(trees, tree, node).arrival;
}

Round ScanTimetable::first_down(Which tree, Rank node) const {
  return from(down, tree, node) + two_trees::place(trees, tree, node).arrival;
}

ScanTimetable scan_timetable(Rank ranks, BlockIndex blocks) {
  std::vector<ScanTimetable> timetables;
  for (const Pair& trees : two_trees::pairs(ranks)) timetables.push_back(timetable(trees, blocks));
  return *std::ranges::min_element(timetables, {}, &ScanTimetable::rounds);
}

}  // namespace rota
