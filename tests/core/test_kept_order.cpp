// Schedules that are said to keep the order in which values are combined, whatever the number of blocks, do, down to the brackets;
// and of all others within one group it is known that they do not.
#include <iostream>

#include "on_hosts.hpp"
#include "on_strings.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/schedule/hosts.hpp"

namespace {

using namespace rota;

/// A rank contributes the same to all blocks.
std::string letter(Rank rank, BlockIndex) { return std::string(1, static_cast<char>('a' + rank)); }

/// Nothing is combined with what is not there yet.
std::string bracketed(const std::string& left, const std::string& right) {
  if (left.empty() || right.empty()) return left + right;
  return "(" + left + right + ")";
}

/// Does each block end, on all ranks, as the one does of which it is a part where the data is cut for n = 1?
/// (Some schedules are cut alike for every n.)
bool is_order_kept(const Algorithm& algorithm, Problem problem, BlockIndex blocks) {
  problem.blocks = 1;
  const Schedule whole = algorithm.schedule(problem);
  problem.blocks = blocks;
  const Schedule cut = algorithm.schedule(problem);
  const std::vector<Memory> of_whole = played(whole, letter, bracketed);
  const std::vector<Memory> of_cut = played(cut, letter, bracketed);
  for (std::size_t rank = 0; rank < of_cut.size(); ++rank) {
    for (const auto& [block, value] : of_cut[rank]) {
      const auto found =
          of_whole[rank].find({block.owner, block.index * whole.problem.blocks / cut.problem.blocks});
      if (found == of_whole[rank].end() || found->second != value) return false;
    }
  }
  return true;
}

/// With a host for each rank, and on hosts that ranks share.
std::vector<Problem> problems_for(const Algorithm& algorithm, Rank ranks) {
  std::vector<Problem> problems;
  for (Rank hosts = 1; hosts <= ranks; ++hosts) {
    Problem problem{algorithm.collective, ranks, ranks / 2};
    if (hosts < ranks) problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(ranks, hosts));
    if (algorithm.solves(problem) && suits(algorithm, problem)) problems.push_back(problem);
  }
  return problems;
}

bool is_order_always_kept(const Algorithm& algorithm) {
  for (Rank ranks = 1; ranks <= 9; ++ranks) {
    for (const Problem& problem : problems_for(algorithm, ranks)) {
      for (const BlockIndex blocks : {2, 3, 7}) {
        if (!is_order_kept(algorithm, problem, blocks)) return false;
      }
    }
  }
  return true;
}

}  // namespace

int main() try {
  int keeping = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (!is_reduction(algorithm.collective) || is_inter_group(algorithm.collective)) continue;
    const bool is_kept = is_order_always_kept(algorithm);
    const std::string which = std::string(algorithm.name) + " " + std::string(name(algorithm.collective));
    require(is_kept == algorithm.keeps_order, which + (is_kept ? " keeps the order" : " does not"));
    keeping += is_kept ? 1 : 0;
  }
  require(keeping > 0, "some keep the order");
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
