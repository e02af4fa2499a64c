// An oracle beside the verifier: the schedules that must keep the order of ranks are played on real data, strings that
// are put together, one letter of every rank in every block.
#include <functional>
#include <iostream>
#include <map>

#include "on_strings.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"

namespace {

using namespace rota;

/// Rank 0 contributes "a0 ", "a1 ", ... to blocks 0, 1, ..., rank 1 "b0 ", ...
std::string contribution(Rank rank, BlockIndex index) {
  return static_cast<char>('a' + rank) + std::to_string(index) + " ";
}

std::string contributions(Rank from, Rank to, BlockIndex index) {
  std::string all;
  for (Rank rank = from; rank <= to; ++rank) all += contribution(rank, index);
  return all;
}

/// Whose block of which contributions the rank must end with.
struct Promise {
  std::vector<Rank> owners;
  Rank last;
};

Promise promise(const Problem& problem, Rank rank) {
  switch (problem.collective) {
    case Collective::scan:
      return {{rank}, rank};
    case Collective::exscan:
      return {rank > 0 ? std::vector{rank - 1} : std::vector<Rank>{}, rank - 1};
    case Collective::reduce:
      return {rank == problem.root ? std::vector{rank} : std::vector<Rank>{}, problem.ranks - 1};
    case Collective::reduce_scatter:
      return {{rank}, problem.ranks - 1};
    default:
      return {owners_of(problem), problem.ranks - 1};
  }
}

/// How many blocks were compared.
int compare(const Algorithm& algorithm, const Schedule& schedule) {
  const Problem& problem = schedule.problem;
  const std::vector<Memory> memories = played(schedule, contribution, std::plus<std::string>());
  int compared = 0;
  for (Rank rank = 0; rank < problem.ranks; ++rank) {
    const Promise promised = promise(problem, rank);
    for (const Rank owner : promised.owners) {
      for (BlockIndex index = 0; index < problem.blocks; ++index, ++compared) {
        const Memory& memory = memories[static_cast<std::size_t>(rank)];
        const auto found = memory.find({owner, index});
        const std::string result = found == memory.end() ? "nothing" : found->second;
        require(result == contributions(0, promised.last, index),
                std::string(algorithm.name) + " " + std::string(name(problem.collective)) +
                    ", p = " + std::to_string(problem.ranks) + ", root " + std::to_string(problem.root) +
                    ": rank " + std::to_string(rank) + " ends with " + result);
      }
    }
  }
  return compared;
}

bool reduces(const Algorithm& algorithm) {
  return algorithm.collective != Collective::broadcast && algorithm.collective != Collective::allgather;
}

int compare_all(const Algorithm& algorithm, Rank ranks, BlockIndex blocks) {
  int compared = 0;
  for (Rank root = 0; root < ranks; ++root) {
    const Problem problem{algorithm.collective, ranks, root, blocks, {}, true};
    if (algorithm.solves(problem)) compared += compare(algorithm, algorithm.schedule(problem));
    if (algorithm.collective != Collective::reduce) break;
  }
  return compared;
}

}  // namespace

int main() try {
  std::map<Collective, int> compared;
  for (const Algorithm& algorithm : algorithms()) {
    if (!reduces(algorithm)) continue;
    for (Rank ranks = 1; ranks <= 20; ++ranks) {
      for (BlockIndex blocks = 1; blocks <= 5; ++blocks)
        compared[algorithm.collective] += compare_all(algorithm, ranks, blocks);
    }
  }
  for (const Collective collective :
       {Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan}) {
    require(compared[collective] > 0, "some algorithm keeps the order in " + std::string(name(collective)));
  }
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
