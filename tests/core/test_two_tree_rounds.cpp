// How many rounds two trees take: as few as any colouring of them and any start of theirs allow. For small p all
// colourings are tried, found from the trees' shapes alone, and all starts; for others there are the formulas.
#include <algorithm>
#include <array>
#include <bit>
#include <iostream>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

#include "require.hpp"
#include "rota/generators/two_trees/two_tree_allreduce.hpp"
#include "rota/generators/two_trees/two_tree_broadcast.hpp"
#include "rota/generators/two_trees/two_tree_scan.hpp"

namespace {

using namespace rota;
using namespace rota::two_trees;

std::size_t at(Rank node) { return static_cast<std::size_t>(node); }
int floor_log2(std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))) - 1; }

std::string named(const char* collective, Rank ranks, BlockIndex blocks) {
  return std::string(collective) + ", p = " + std::to_string(ranks) + ", n = " + std::to_string(blocks);
}

Round broadcast_rounds(Rank ranks, BlockIndex blocks) {
  return two_tree_broadcast({Collective::broadcast, ranks, 0, blocks}).rounds;
}
Round scan_rounds(Rank ranks, BlockIndex blocks) {
  return two_tree_scan({Collective::scan, ranks, 0, blocks}).rounds;
}

// --- formulas ---

Round broadcast_formula(Rank ranks, BlockIndex blocks) {
  return blocks + floor_log2(std::int64_t{ranks} - 1) + floor_log2(std::int64_t{ranks} + 1) - 1;
}

/// When the last block has passed the last edge of either tree.
Round last_round(const Pair& trees, BlockIndex blocks) {
  const auto ends = [&](Which tree, BlockIndex blocks_there) {
    return latest_arrival(trees, tree, top(trees, tree)) + 2 * blocks_there - 1;
  };
  const Round of_even = ends(Which::first, (blocks + 1) / 2);
  return blocks == 1 ? of_even : std::max(of_even, ends(Which::second, blocks / 2));
}

void broadcast_takes_what_the_formula_says(Rank ranks) {
  for (const BlockIndex blocks : {1, 2, 3, 40, 41}) {
    const Round expected = broadcast_formula(ranks, blocks);
    require(last_round(two_tree_broadcast_trees(ranks, blocks), blocks) == expected,
            named("the trees of a broadcast", ranks, blocks));
    require(broadcast_rounds(ranks, blocks) == expected, named("broadcast", ranks, blocks));
    const Round both_ways = two_tree_allreduce({Collective::allreduce, ranks, 0, blocks}).rounds;
    require(both_ways == 2 * expected, named("allreduce", ranks, blocks));
    const Pipeline pipeline = two_tree_broadcast_pipeline({Collective::broadcast, ranks, 1, 1, 1});
    require(static_cast<Round>(pipeline.fixed) + blocks == expected && pipeline.per_block == 1,
            named("what is predicted of a broadcast", ranks, blocks));
  }
}

/// Section 2.3: 4 h - 2 + 2 (n - 2), for p = 2^h - 1, and no more for fewer.
void scan_formula(Rank ranks) {
  const int h = floor_log2(ranks) + 1;
  for (const BlockIndex blocks : {2, 3, 40, 41})
    require(scan_rounds(ranks, blocks) <= 4 * h - 2 + 2 * (blocks - 2), named("scan", ranks, blocks));
}

void huge() {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i)
    broadcast_takes_what_the_formula_says(std::uniform_int_distribution<Rank>(2, 2147483647)(random));
}

// --- all colourings ---

/// Of each node in one tree, by number.
template <class Value>
using OfNodes = std::array<std::vector<Value>, 2>;

/// Two trees without their colours.
struct Shape {
  Pair pair;
  OfNodes<Place> places;

  explicit Shape(const Pair& of) : pair(of) {
    for (const Which which : both) {
      for (Rank node = 0; node < of.nodes; ++node)
        places[static_cast<std::size_t>(which)].push_back(place(of, which, node));
    }
  }
  const Place& at_place(std::size_t tree, Rank node) const { return places[tree][at(node)]; }
};

/// The edges into nodes that must differ in colour: those from a node's two parents, those to a node's two
/// children, and those to the tops.
std::vector<std::array<std::size_t, 2>> differences(const Shape& shape) {
  const auto nodes = static_cast<std::size_t>(shape.pair.nodes);
  const auto edge = [&](std::size_t tree, Rank node) { return tree * nodes + at(node); };
  std::vector<std::array<std::size_t, 2>> result;
  result.push_back({edge(0, top(shape.pair, Which::first)), edge(1, top(shape.pair, Which::second))});
  for (Rank node = 0; node < shape.pair.nodes; ++node) {
    result.push_back({edge(0, node), edge(1, node)});
    for (const std::size_t tree : {0U, 1U}) {
      const Place& here = shape.at_place(tree, node);
      if (here.lower_child != none && here.higher_child != none)
        result.push_back({edge(tree, here.lower_child), edge(tree, here.higher_child)});
    }
  }
  return result;
}

/// One colouring, and the number of the edges' component, path or cycle, for each of them.
struct Components {
  std::vector<int> color;
  std::vector<int> component;
  int count = 0;
};

Components components(const Shape& shape) {
  const std::size_t edges = 2 * static_cast<std::size_t>(shape.pair.nodes);
  std::vector<std::vector<std::size_t>> differing(edges);
  for (const auto& [one, other] : differences(shape)) {
    differing[one].push_back(other);
    differing[other].push_back(one);
  }
  Components found{std::vector<int>(edges), std::vector<int>(edges, -1)};
  for (std::size_t begin = 0; begin < edges; ++begin) {
    if (found.component[begin] >= 0) continue;
    std::vector<std::size_t> waiting{begin};
    found.component[begin] = found.count;
    while (!waiting.empty()) {
      const std::size_t edge = waiting.back();
      waiting.pop_back();
      for (const std::size_t other : differing[edge]) {
        if (found.component[other] >= 0) {
          require(found.color[other] != found.color[edge], "Lemma 1: a colouring");
          continue;
        }
        found.component[other] = found.count;
        found.color[other] = 1 - found.color[edge];
        waiting.push_back(other);
      }
    }
    ++found.count;
  }
  return found;
}

/// When each node is first reached, if its tree's top is in the round of its colour.
OfNodes<Round> arrivals(const Shape& shape, const Components& found, unsigned flipped) {
  const auto nodes = static_cast<std::size_t>(shape.pair.nodes);
  OfNodes<Round> result{std::vector<Round>(nodes), std::vector<Round>(nodes)};
  for (const std::size_t tree : {0U, 1U}) {
    const auto color = [&](Rank node) {
      const std::size_t edge = tree * nodes + at(node);
      return found.color[edge] ^ static_cast<int>(flipped >> found.component[edge] & 1U);
    };
    std::vector<Rank> waiting{top(shape.pair, both[tree])};
    result[tree][at(waiting.back())] = color(waiting.back());
    while (!waiting.empty()) {
      const Rank node = waiting.back();
      waiting.pop_back();
      const Place& here = shape.at_place(tree, node);
      for (const Rank child : {here.lower_child, here.higher_child}) {
        if (child == none) continue;
        result[tree][at(child)] = result[tree][at(node)] + (color(child) == color(node) ? 2 : 1);
        waiting.push_back(child);
      }
    }
  }
  return result;
}

/// Of all pairs of an upright tree and another one, also where the library has no colours for them.
template <class Use>
void each_colouring(Rank nodes, const Use& use) {
  for (const Form other : {Form::mirrored, Form::shifted}) {
    const Shape shape(Pair{nodes, Form::upright, other});
    const Components found = components(shape);
    require(found.count <= 2, "one or two paths and cycles");
    for (unsigned flipped = 0; flipped < 1U << found.count; ++flipped)
      use(shape, arrivals(shape, found, flipped));
  }
}

// --- all starts ---

/// Edges of one part of a tree keep their distances in time.
struct Edge {
  std::size_t tree;
  std::size_t part;
  Rank from;
  Rank to;
  Round first;
};

/// Do all blocks pass these edges, every second round, so that no rank has two messages out or in at once?
bool is_one_ported(const std::vector<Edge>& edges, const std::array<BlockIndex, 2>& blocks) {
  std::set<std::pair<Round, Rank>> sends;
  std::set<std::pair<Round, Rank>> receives;
  for (const Edge& edge : edges) {
    for (BlockIndex i = 0; i < blocks[edge.tree]; ++i) {
      if (!sends.emplace(edge.first + 2 * i, edge.from).second) return false;
      if (!receives.emplace(edge.first + 2 * i, edge.to).second) return false;
    }
  }
  return true;
}

/// The same edges, each part beginning in round 0 or, as the bits say, in round 1.
std::vector<Edge> delayed(std::vector<Edge> edges, std::size_t parts, unsigned delays) {
  std::vector<Round> earliest(parts, std::numeric_limits<Round>::max());
  for (const Edge& edge : edges) earliest[edge.part] = std::min(earliest[edge.part], edge.first);
  for (Edge& edge : edges) edge.first += static_cast<Round>(delays >> edge.part & 1U) - earliest[edge.part];
  return edges;
}

/// The fewest rounds for both trees' blocks, whenever parts begin.
Round fewest_rounds(std::vector<Edge> edges, const std::array<BlockIndex, 2>& blocks) {
  std::erase_if(edges, [&](const Edge& edge) { return blocks[edge.tree] == 0; });
  std::size_t parts = 0;
  for (const Edge& edge : edges) parts = std::max(parts, edge.part + 1);
  Round fewest = std::numeric_limits<Round>::max();
  for (unsigned delays = 0; delays < 1U << parts; ++delays) {
    const std::vector<Edge> moved = delayed(edges, parts, delays);
    Round rounds = 0;
    for (const Edge& edge : moved) rounds = std::max(rounds, edge.first + 2 * blocks[edge.tree] - 1);
    if (rounds < fewest && is_one_ported(moved, blocks)) fewest = rounds;
  }
  return edges.empty() ? 0 : fewest;
}

/// Either tree may have the even blocks.
template <class RoundsOf>
Round of_either_order(BlockIndex blocks, const RoundsOf& rounds_of) {
  return std::min(rounds_of(std::array{(blocks + 1) / 2, blocks / 2}),
                  rounds_of(std::array{blocks / 2, (blocks + 1) / 2}));
}

Round broadcast_by_trial(const Shape& shape, const OfNodes<Round>& arrival, BlockIndex blocks) {
  std::vector<Edge> edges;
  for (const std::size_t tree : {0U, 1U}) {
    for (Rank node = 0; node < shape.pair.nodes; ++node) {
      const Rank parent = shape.at_place(tree, node).parent;
      edges.push_back(
          {tree, tree, parent == none ? shape.pair.nodes : parent, node, arrival[tree][at(node)]});
    }
  }
  return of_either_order(blocks, [&](const auto& shared) { return fewest_rounds(edges, shared); });
}

/// The parts of all trees that are left when the edges into some nodes are left out, each called by a number.
template <class IsUsed>
OfNodes<std::size_t> parts(const Shape& shape, const IsUsed& is_used) {
  OfNodes<std::size_t> result{std::vector<std::size_t>(at(shape.pair.nodes)),
                              std::vector<std::size_t>(at(shape.pair.nodes))};
  std::size_t count = 0;
  for (const std::size_t tree : {0U, 1U}) {
    std::vector<Rank> waiting{top(shape.pair, both[tree])};
    while (!waiting.empty()) {
      const Rank node = waiting.back();
      waiting.pop_back();
      const Place& here = shape.at_place(tree, node);
      for (const Rank child : {here.lower_child, here.higher_child}) {
        if (child == none) continue;
        waiting.push_back(child);
        if (!is_used(shape.at_place(tree, child))) continue;
        result[tree][at(child)] = is_used(here) ? result[tree][at(node)] : count++;
      }
    }
  }
  return result;
}

/// Up, no node is left out but those whose subtrees have the last node; down, but those with the first.
Round scan_by_trial(const Shape& shape, const OfNodes<Round>& arrival, BlockIndex blocks) {
  const auto goes_up = [&](const Place& here) { return here.last < shape.pair.nodes - 1; };
  const auto goes_down = [](const Place& here) { return here.first > 0; };
  const OfNodes<std::size_t> parts_up = parts(shape, goes_up);
  const OfNodes<std::size_t> parts_down = parts(shape, goes_down);
  std::vector<Edge> up;
  std::vector<Edge> down;
  for (const std::size_t tree : {0U, 1U}) {
    for (Rank node = 0; node < shape.pair.nodes; ++node) {
      const Place& here = shape.at_place(tree, node);
      const Round when = arrival[tree][at(node)];
      if (goes_up(here)) up.push_back({tree, parts_up[tree][at(node)], node, here.parent, -when});
      if (goes_down(here)) down.push_back({tree, parts_down[tree][at(node)], here.parent, node, when});
    }
  }
  return of_either_order(
      blocks, [&](const auto& shared) { return fewest_rounds(up, shared) + fewest_rounds(down, shared); });
}

/// No colouring and no start of the trees is better, but for one block among five ranks.
void broadcasts_by_trial(Rank ranks) {
  std::map<BlockIndex, Round> fewest;
  each_colouring(ranks - 1, [&](const Shape& shape, const OfNodes<Round>& arrival) {
    for (const BlockIndex blocks : {1, 2, 3, 4}) {
      const Round rounds = broadcast_by_trial(shape, arrival, blocks);
      fewest[blocks] = fewest.contains(blocks) ? std::min(fewest[blocks], rounds) : rounds;
    }
  });
  for (const auto& [blocks, rounds] : fewest) {
    const Round more = ranks == 5 && blocks == 1 ? 1 : 0;
    require(broadcast_rounds(ranks, blocks) == rounds + more, named("broadcast", ranks, blocks));
  }
}

Round of_own_colours(Rank ranks, BlockIndex blocks) {
  Round fewest = std::numeric_limits<Round>::max();
  for (const Pair& pair : pairs(ranks)) {
    const Shape shape(pair);
    OfNodes<Round> arrival;
    for (const std::size_t tree : {0U, 1U}) {
      for (const Place& here : shape.places[tree]) arrival[tree].push_back(here.arrival);
    }
    fewest = std::min(fewest, scan_by_trial(shape, arrival, blocks));
  }
  return fewest;
}

/// From p = 6 on no beginnings are better for the trees as they are coloured, and no colouring of any is by
/// more than one round, among nine ranks two. Among four and five not all edges of a colour need the same
/// rounds. (Nor do they where blocks are few: two to seven are left out.)
void scans_by_trial(Rank ranks) {
  for (const BlockIndex blocks : {1, 8, 9}) {
    const Round rounds = scan_rounds(ranks, blocks);
    const Round of_own = of_own_colours(ranks, blocks);
    require(ranks < 6 ? rounds <= of_own + 1 : rounds == of_own, named("scan", ranks, blocks));
    each_colouring(ranks, [&](const Shape& shape, const OfNodes<Round>& arrival) {
      const Round of_any = scan_by_trial(shape, arrival, blocks);
      require(rounds <= of_any + (ranks == 9 ? 2 : 1), named("scan in other colours", ranks, blocks));
    });
  }
}

/// Where the other colour must begin, and where the paper's own trees save a round.
void known_cases() {
  require(broadcast_rounds(10, 40) == 45, "p = 10, 40 blocks");
  require(broadcast_rounds(11, 40) == 45, "p = 11, 40 blocks: Figure 1's trees");
}

}  // namespace

int main() try {
  for (Rank ranks = 2; ranks <= 4096; ++ranks) broadcast_takes_what_the_formula_says(ranks);
  for (Rank ranks = 4; ranks <= 4096; ++ranks) scan_formula(ranks);
  huge();
  known_cases();
  for (Rank ranks = 2; ranks <= 130; ++ranks) broadcasts_by_trial(ranks);
  for (Rank ranks = 4; ranks <= 33; ++ranks) scans_by_trial(ranks);
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
