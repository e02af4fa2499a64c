// Two binary trees over the same nodes 0 .. N - 1, both numbered in order, in which every node is a leaf of at least one
// tree; and a colour, 0 or 1, for every edge, so that one-ported nodes can work in both trees at once: all edges of
// colour 0 in even rounds, all of colour 1 in odd ones.
//
// Lemma 1     no node's parents in the two trees reach it by edges of the same colour, and no node reaches two children
//             by edges of the same colour. The edges into the two tops count as edges from one common sender
//
//   N = 5     first        3                second   0
//                      1       4                            2
//                    0   2                              1       4
//                                                             3
//
//   N = 8     first          7              second   0
//                      3                                     4
//                   1     5                              2       6
//                  0 2   4 6                            1 3     5 7
//
// The first tree: node j has the label j + 1; a node's height is the number of zeros that its label ends with; the
// balanced tree over labels 1 .. 2^h - 1 loses the labels above N, and a node whose parent is lost hangs below the next
// ancestor that is left. So even labels are inner nodes and odd labels are leaves.
//
// The second tree is made likewise, with labels that count down from the highest node so that label and label of the
// first tree add up to an odd number, `sum`: what is a leaf here is an inner node there. Its labels are
//
//   N even        1 .. N        the first tree's mirror image                                sum = N + 1
//   N = 3 mod 4   2 .. N + 1    the mirror image for N + 1 nodes, without its lowest leaf    sum = N + 2
//   N = 1 mod 4   0 .. N - 1    the mirror image for N - 1 nodes, and one node more:         sum = N
//                               label 0 takes the place of label 1 or 2, whichever lies at an even depth, and has the
//                               node that it displaced as its higher child
//
// Colours. An inner node's colour (that of the edge into it) is the colour of its tree's top, changed once for every turn
// to the left on the way down, if sum = 1 mod 4, or to the right, if sum = 3 mod 4, left and right as labels have it.
// The tops have different colours, and a leaf has the colour that it does not have in the other tree.
//
// Why this is right. The parents' edges of one node differ by definition, and so do those to two inner siblings, of which
// one is a turn to the left. Two leaves that are siblings have labels 4t + 1 and 4t + 3; in the other tree these are inner
// nodes with the labels sum - 4t - 1 and sum - 4t - 3, which are next to each other among even labels: 4u, 4u - 2 if
// sum = 1 mod 4, else 4u + 2, 4u. Of two neighbours in order one is the other's ancestor, namely the one with more zeros
// at the end, 4u. From there the way to the other goes once to the left (right) and then only to the right (left): one
// change of colour, whatever the shape of the tree. Siblings of which one is a leaf and one is not there are only if
// N = 1 mod 4, where sum = N and turns to the left change colours:
//   - the highest label of the first tree, N, a leaf. Its sibling there is reached by turns to the right and one to the
//     left, so has the first top's colour changed once. The leaf itself is label 0 of the second tree, an even number of
//     turns to the left away from the top, so has the second top's colour there, and the first top's here
//   - label 3 of the second tree beside label 0, if that took the place of label 1. Label 3 is label N - 3 in the first
//     tree, one turn to the left below N - 1, which is reached by turns to the right: it has the second top's colour
//     there and the first top's here, while label 0 has the second top's
//
// Complexity: O(log N) for every function unless it says more; nothing allocated.
// Source: paper 4 (Sanders, Speck, Träff 2009), Section 2, Lemma 1 and the appendix, which gives the colours for even N.
#pragma once

#include <array>
#include <cstdint>

#include "rota/schedule/schedule.hpp"

namespace rota::two_trees {

inline constexpr Rank none = -1;

/// The first tree or the second.
enum class Which : std::uint8_t { first, second };
inline constexpr std::array both{Which::first, Which::second};

/// One node in one tree.
struct Place {
  Rank parent = none;
  Rank lower_child = none;   // the subtree of the nodes first .. node - 1
  Rank higher_child = none;  // the subtree of the nodes node + 1 .. last
  Rank first = 0;            // the nodes of its own subtree
  Rank last = 0;
  int color = 0;      // of the edge into it
  Round arrival = 0;  // the round in which that edge is first used, the top's being used in round `color`
};

/// The place of `node` in that tree over `nodes` nodes. Needs 0 <= node < nodes.
Place place(Rank nodes, Which tree, Rank node);

/// The top of that tree.
Rank top(Rank nodes, Which tree);

/// The latest arrival in the subtree of `node`. O(log^2 N).
Round latest_arrival(Rank nodes, Which tree, Rank node);

}  // namespace rota::two_trees
