// What makes two trees right, checked for all nodes as a whole, from what single nodes say of themselves.
//
// Shape      all nodes are reached from the top, numbered in order; parents and children know each other; every
//            subtree's bounds are right; no node is an inner node of both trees; height at most ceil(log2 N) + 2
// Lemma 1    no node's parents reach it, and no node reaches its two children, by edges of the same colour; the two
//            tops count as children of one common parent
// Timing     a top's edge is first used in the round of its colour, any other as soon after its parent's as its colour
//            allows; everybody is reached by round 2 ceil(log2(N + 1)); latest_arrival says when
//
// Time: O(N log N), most of it for the places of all nodes. Memory: O(N).
// Source: paper 4 (Sanders, Speck, Träff 2009), Section 2, Lemma 1.
#pragma once

#include <string>
#include <vector>

#include "rota/trees/two_trees.hpp"

namespace rota::two_trees {

/// One thing that is wrong with one node in one tree.
struct Violation {
  Pair pair;
  Which tree;
  Rank node;
  std::string fault;
};

/// One line that says which node is wrong, and how.
std::string message(const Violation& violation);

/// The places of all nodes.
struct Trees {
  Pair pair;
  std::vector<Place> first;
  std::vector<Place> second;
};

/// What `place` says of all of them. Needs pair.nodes >= 1.
Trees trees_of(const Pair& pair);

struct Report {
  Rank nodes = 0;
  int pairs = 0;
  std::vector<Violation> violations;
  int height = 0;    // the largest number of nodes on a way down, of all trees
  Round latest = 0;  // the latest arrival, of all trees
};

/// All violations in given trees, of equally many nodes, one at least.
Report check(const Trees& trees);

/// All violations in all pairs of trees that this library computes over so many nodes. Throws
/// std::invalid_argument unless nodes >= 1.
Report check(Rank nodes);

}  // namespace rota::two_trees
