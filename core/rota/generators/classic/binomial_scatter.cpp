#include "rota/generators/classic/binomial_scatter.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "rota/generators/counting.hpp"
#include "rota/model/bound.hpp"

namespace rota {

namespace {

/// Parts first..end - 1 pass between the position that speaks for more and the first of them.
struct Edge {
  std::int64_t upper;
  std::int64_t first;
  std::int64_t end;
};

/// The edge that a position is at in that round of the scatter, if any.
std::optional<Edge> edge_of(Rank ranks, std::int64_t position, Round round) {
  const std::int64_t distance = std::int64_t{1} << (ceil_log2(ranks) - 1 - round);
  const std::int64_t first = position / (2 * distance) * 2 * distance + distance;
  const std::int64_t upper = first - distance;
  if (first >= ranks || (position != first && position != upper)) return std::nullopt;
  return Edge{upper, first, std::min<std::int64_t>(first + distance, ranks)};
}

using PartBlock = std::function<Block(Rank)>;  // by position

Blocks parts(const Edge& edge, const PartBlock& block) {
  if (edge.end == edge.first + 1) return block(static_cast<Rank>(edge.first));
  std::vector<Block> blocks;
  for (std::int64_t part = edge.first; part < edge.end; ++part)
    blocks.push_back(block(static_cast<Rank>(part)));
  std::ranges::sort(blocks);
  return Blocks(std::move(blocks));
}

Step scattered(const CountedFrom& tree, Rank rank, Round round, const PartBlock& block) {
  const Rank position = tree.position_of(rank);
  const std::optional<Edge> edge = edge_of(tree.ranks, position, round);
  Step step;
  if (!edge) return step;
  const bool sends = position == edge->upper;
  Message& message = sends ? step.send : step.receive;
  message = {tree.rank_at(static_cast<Rank>(sends ? edge->first : edge->upper)), parts(*edge, block)};
  return step;
}

}  // namespace

Schedule binomial_scatter(const Problem& problem) {
  require_valid(problem);
  Problem in_parts = problem;
  in_parts.blocks = problem.ranks;
  const CountedFrom tree{problem.ranks, problem.root};
  const auto block = [root = problem.root](Rank part) { return Block{root, part}; };
  return {in_parts, ceil_log2(problem.ranks), [tree, block](Rank rank) -> RankSchedule {
            return [=](Round round) { return scattered(tree, rank, round, block); };
          }};
}

Schedule binomial_gather(const Problem& problem, Rank root) {
  require_valid(problem);
  const CountedFrom tree{problem.ranks, root};
  const auto block = [tree](Rank position) { return Block{tree.rank_at(position), 0}; };
  const Round rounds = ceil_log2(problem.ranks);
  return {problem, rounds, [=](Rank rank) -> RankSchedule {
            return [=](Round round) {
              Step step = scattered(tree, rank, rounds - 1 - round, block);
              std::swap(step.send, step.receive);
              return step;
            };
          }};
}

}  // namespace rota
