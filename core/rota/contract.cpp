#include "rota/contract.hpp"

namespace rota {

namespace {

/// All blocks of the root's data, each with this value.
Holdings root_data(const Problem& problem, const Contributions& value) {
  Holdings holdings;
  for (BlockIndex index = 0; index < problem.blocks; ++index) {
    holdings.emplace(Block{problem.root, index}, value);
  }
  return holdings;
}

}  // namespace

Holdings precondition(const Problem& problem, Rank rank) {
  const bool holds = problem.collective == Collective::reduce || rank == problem.root;
  return holds ? root_data(problem, Contributions::of(rank, rank)) : Holdings{};
}

Holdings postcondition(const Problem& problem, Rank rank) {
  if (problem.collective == Collective::broadcast) {
    return root_data(problem, Contributions::of(problem.root, problem.root));
  }
  return rank == problem.root ? root_data(problem, Contributions::of(0, problem.ranks - 1)) : Holdings{};
}

}  // namespace rota
