#include "rota/generators/butterfly/halving.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace rota {

namespace {

constexpr int lower = 0;
constexpr int upper = 1;

/// How the clusters of one level become those of the next.
struct Level {
  Rank clusters;  // before it
  Rank three;     // the cluster after it that is made of three; -1: none is
  bool first_out = false;

  Rank after() const { return clusters / 2; }
  bool has_three() const { return three >= 0; }
  Round rounds() const { return has_three() ? 2 : 1; }

  /// Which cluster after the level a cluster before it becomes a part of, and the first one of that.
  Rank next_of(Rank cluster) const {
    const Rank beyond = has_three() && cluster > 2 * three + 1 ? 1 : 0;
    return (cluster - beyond) / 2;
  }
  Rank first_of(Rank next) const { return 2 * next + (has_three() && next > three ? 1 : 0); }

  /// Who keeps the lower and the upper half; of three, who is out.
  Rank keeper(Rank next, int half) const {
    return first_of(next) + half + (next == three && first_out ? 1 : 0);
  }
  Rank out(Rank next) const { return first_of(next) + (first_out ? 0 : 2); }
};

Level level_of(Rank clusters, bool is_first, Rank roots_cluster) {
  if (clusters % 2 == 0) return {clusters, -1};
  const Rank last = clusters / 2 - 1;
  Level level{clusters, is_first ? last : std::max(0, last - 1)};
  level.first_out = roots_cluster == level.out(level.three);
  return level;
}

std::vector<Level> levels_of(Rank ranks, Rank root) {
  std::vector<Level> levels;
  Rank roots_cluster = root;
  for (Rank clusters = ranks; clusters > 1; clusters /= 2) {
    levels.push_back(level_of(clusters, levels.empty(), roots_cluster));
    roots_cluster = levels.back().next_of(roots_cluster);
  }
  return levels;
}

/// A rank before a level: the cluster that it is in, and which halves it has kept, the last one as the lowest
/// bit.
struct Place {
  Rank cluster;
  BlockIndex halves;
};

/// Who is at a place before level `number`.
Rank rank_at(const std::vector<Level>& levels, std::size_t number, Place place) {
  while (number > 0) {
    place.cluster = levels[--number].keeper(place.cluster, static_cast<int>(place.halves & 1));
    place.halves >>= 1;
  }
  return place.cluster;
}

/// What a rank does in one round of a level: it gives a half of what it has to the one cluster, and combines
/// that half of the other one's.
struct Move {
  Rank to = -1;
  int gives = lower;
  Rank from = -1;
  int gets = lower;
};

/// In round 0 of three the one that is out gives its half to the middle one, which gives the outer one its
/// own; in round 1 these two halves that are left.
Move move_of_three(const Level& level, Rank next, Rank cluster, Round round) {
  const int outer_half = level.first_out ? upper : lower;
  const int middle_half = 1 - outer_half;
  const Rank outer = level.keeper(next, outer_half);
  const Rank middle = level.keeper(next, middle_half);
  const Rank out = level.out(next);
  if (cluster == out) return round == 0 ? Move{middle, middle_half, -1} : Move{outer, outer_half, -1};
  if (cluster == middle)
    return round == 0 ? Move{outer, outer_half, out, middle_half} : Move{-1, lower, outer, middle_half};
  return round == 0 ? Move{-1, lower, middle, outer_half} : Move{middle, middle_half, out, outer_half};
}

Move move_of(const Level& level, Rank cluster, Round round) {
  const Rank next = level.next_of(cluster);
  if (next == level.three) return move_of_three(level, next, cluster, round);
  if (round > 0) return {};
  const int kept = cluster == level.keeper(next, lower) ? lower : upper;
  const Rank other = level.keeper(next, 1 - kept);
  return {other, 1 - kept, other, kept};
}

/// Parts first..end - 1.
Blocks parts(Rank owner, BlockIndex first, BlockIndex end) {
  if (end == first + 1) return Block{owner, first};
  std::vector<Block> blocks;
  for (BlockIndex part = first; part < end; ++part) blocks.push_back({owner, part});
  return Blocks(std::move(blocks));
}

/// One rank on its way: its place before every level that it takes part in.
struct Way {
  std::vector<Level> levels;
  std::vector<Place> places;
  Rank owner;

  /// A half of what those at `halves` have before a level.
  Blocks half(std::size_t number, BlockIndex halves, int which) const {
    const BlockIndex size = BlockIndex{1} << (levels.size() - number - 1);
    const BlockIndex first = (2 * halves + which) * size;
    return parts(owner, first, first + size);
  }
};

Way way_of(const std::vector<Level>& levels, Rank rank, Rank owner) {
  Way way{levels, {}, owner};
  Place place{rank, 0};
  for (const Level& level : levels) {
    way.places.push_back(place);
    const Rank next = level.next_of(place.cluster);
    if (next == level.three && place.cluster == level.out(next)) break;
    const int kept = place.cluster == level.keeper(next, lower) ? lower : upper;
    place = {next, 2 * place.halves + kept};
  }
  return way;
}

Step step(const Way& way, Rank rank, std::size_t number, Round round) {
  const Place& place = way.places[number];
  const Move move = move_of(way.levels[number], place.cluster, round);
  Step result;
  if (move.to >= 0) {
    result.send = {rank_at(way.levels, number, {move.to, place.halves}),
                   way.half(number, place.halves, move.gives)};
  }
  if (move.from >= 0) {
    result.receive = {rank_at(way.levels, number, {move.from, place.halves}),
                      way.half(number, place.halves, move.gets)};
    result.on_receive = result.receive.peer < rank ? OnReceive::combine_left : OnReceive::combine_right;
  }
  return result;
}

RankSchedule steps_of(const std::vector<Level>& levels, Rank rank, Rank owner) {
  return [way = way_of(levels, rank, owner), rank](Round round) {
    std::size_t number = 0;
    while (round >= way.levels[number].rounds()) round -= way.levels[number++].rounds();
    return number < way.places.size() ? step(way, rank, number, round) : Step{};
  };
}

Round rounds_of(const std::vector<Level>& levels) {
  Round rounds = 0;
  for (const Level& level : levels) rounds += level.rounds();
  return rounds;
}

/// The bytes' time until clusters are ready for a level: the last one, the one before it, and all others.
struct Clocks {
  double last = 0;
  double before_last = 0;
  double others = 0;
};

/// The level's three clusters are three of the others; they are the last ones at the first level, and where
/// there are no more.
Clocks after(const Clocks& clocks, const Level& level, double half) {
  const bool last_is_three = level.three == level.after() - 1;
  const double ready = level.clusters == 3 ? std::max({clocks.last, clocks.before_last, clocks.others})
                                           : std::max(clocks.last, clocks.before_last);
  const double of_three = clocks.others + 2 * half;
  const double of_two = clocks.others + half;
  return {ready + (last_is_three ? 2 : 1) * half, level.has_three() && !last_is_three ? of_three : of_two,
          of_two};
}

}  // namespace

int halvings(Rank ranks) { return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks))) - 1; }

Rank halving_owner(Rank ranks, Rank root, BlockIndex part) {
  const std::vector<Level> levels = levels_of(ranks, root);
  return rank_at(levels, levels.size(), {0, part});
}

Schedule recursive_halving(const Problem& problem, Rank owner) {
  require_valid(problem);
  const std::vector<Level> levels = levels_of(problem.ranks, problem.root);
  return {problem, rounds_of(levels), [levels, owner](Rank rank) { return steps_of(levels, rank, owner); }};
}

Schedule recursive_doubling_of_parts(const Problem& problem, Rank owner) {
  const Schedule halving = recursive_halving(problem, owner);
  return {problem, halving.rounds, [halving](Rank rank) -> RankSchedule {
            return [steps = halving.of_rank(rank), last = halving.rounds - 1](Round round) {
              Step there = steps(last - round);
              return Step{std::move(there.receive), std::move(there.send), OnReceive::store, {}};
            };
          }};
}

Pipeline halving_pipeline(Rank ranks, double bytes) {
  Pipeline pipeline{0, 0, 0, 0, 0};
  Clocks clocks;
  double half = bytes / 2;
  for (const Level& level : levels_of(ranks, 0)) {
    pipeline.fixed += static_cast<double>(level.rounds());
    clocks = after(clocks, level, half);
    half /= 2;
  }
  pipeline.bytes = clocks.last;
  return pipeline;
}

}  // namespace rota
