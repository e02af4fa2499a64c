// Two binary trees over the same nodes 0 .. N - 1, both numbered in order, in which every node is a leaf of at least one
// tree; and a colour, 0 or 1, for every edge, so that one-ported nodes can work in both trees at once: all edges of
// colour 0 in even rounds, all of colour 1 in odd ones.
//
// Lemma 1     no node's parents in the two trees reach it by edges of the same colour, and no node reaches two children
//             by edges of the same colour. The edges into the two tops count as edges from one common sender
//
//   N = 5     upright      3            mirrored   0
//                        1       4                      2
//                      0   2                        1       4
//                                                         3
//
//   N = 6     upright        3              shifted         2
//                        1       5                      0       4
//                      0   2   4                          1   3   5
//
//   N = 8     upright            7          mirrored   0
//                        3                                     4
//                     1     5                              2       6
//                    0 2   4 6                            1 3     5 7
//
// A tree's nodes have labels that follow each other; a node's height is the number of zeros that its label ends with; the
// balanced tree over labels 1 .. 2^h - 1 loses the labels that no node has, and a node whose parent is lost hangs below the
// next ancestor that is left. So even labels are inner nodes and odd labels are leaves. A tree is made in one of three forms:
//
//   upright       1 .. N        node j has the label j + 1
//   shifted       2 .. N + 1    node j has the label j + 2
//   mirrored                    labels count down from the highest node; a node's labels here and upright add up to `sum`
//     N even        1 .. N        the upright tree's mirror image                            sum = N + 1
//     N = 3 mod 4   2 .. N + 1    that for N + 1 nodes, without its lowest leaf              sum = N + 2
//     N = 1 mod 4   0 .. N - 1    that for N - 1 nodes, and one node more:                   sum = N
//                                 label 0 takes the place of label 1 or 2, whichever lies at an even depth, and has the
//                                 node that it displaced as its higher child
//
// Of two trees one is upright and the other is not; so a node's labels are not both even: what is inner here is a leaf there.
//
// Colours. An inner node's colour (that of the edge into it) is the colour of its tree's top, changed once for every turn
// to one side on the way down: to the left, as labels have it, in a shifted tree, and in mirrored and upright ones if sum = 1
// mod 4; to the right in an upright tree beside a shifted one, and in mirrored and upright ones if sum = 3 mod 4. The tops
// have different colours, and a leaf has the colour that it does not have in the other tree.
//
// Why this is right. The parents' edges of one node differ by definition, and so do those to two inner siblings, of which
// one is a turn to the left. Two leaves that are siblings have labels 4t + 1 and 4t + 3; in the other tree these are inner
// nodes whose labels are next to each other among even labels: 4u, 4u - 2 where turns to the left change colours there, else
// 4u + 2, 4u. Of two neighbours in order one is the other's ancestor, namely the one with more zeros at the end, 4u. From
// there the way to the other goes once to the left (right) and then only to the right (left): one change of colour, whatever
// the shape of the tree. Siblings of which one is a leaf and one is not there are only
//   - beside a mirrored tree if N = 1 mod 4, where turns to the left change colours: the highest label of the upright tree, N,
//     a leaf. Its sibling there is reached by turns to the right and one to the left, so has that top's colour changed once.
//     The leaf itself is label 0 of the mirrored tree, an even number of turns to the left away from the top, so has that
//     top's colour there, and the upright top's here
//   - in that mirrored tree: label 3 beside label 0, if that took the place of label 1. Label 3 is label N - 3 in the upright
//     tree, one turn to the left below N - 1, which is reached by turns to the right: it has the mirrored top's colour
//     there and the upright top's here, while label 0 has the mirrored top's
//   - beside a shifted tree if N = 1 mod 4: again the highest label of the upright tree, N. Its sibling is reached by as many
//     turns to the right as N - 1 has ones but the first, and one to the left; the leaf is the highest label of the shifted
//     tree too, reached by turns to the right, so has that top's colour there, and the upright top's here. They differ if N - 1
//     has an even number of ones
//   - in a shifted tree if N = 0 mod 4: its highest label, N + 1. It is label N of the upright tree, reached by as many turns
//     to the right as N has ones but the first; its sibling is reached by turns to the right and one to the left. They differ
//     if N has an odd number of ones
// so that beside a shifted tree the colours are right if N = 2 or 3 mod 4, or N has an odd number of ones, and there is no
// such pair for other N.
//
// Complexity: O(log N) for every function; nothing allocated but lists that are returned.
// Source: paper 4 (Sanders, Speck, Träff 2009), Section 2, whose trees are the upright and the shifted one, Lemma 1, and the
// appendix, which gives the colours of the upright and the mirrored one for even N.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota::two_trees {

inline constexpr Rank none = -1;

/// The first tree or the second.
enum class Which : std::uint8_t { first, second };
inline constexpr std::array both{Which::first, Which::second};

enum class Form : std::uint8_t { upright, mirrored, shifted };

/// Two trees over the same nodes: one upright, the other not. The edge into the first one's top has colour 0.
struct Pair {
  Rank nodes = 1;
  Form first = Form::upright;
  Form second = Form::mirrored;

  Form form(Which which) const { return which == Which::first ? first : second; }
};

/// Those to choose from, for so many nodes: all in which the colours are right.
std::vector<Pair> pairs(Rank nodes);

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

/// The place of `node` in that tree. Needs 0 <= node < trees.nodes.
Place place(const Pair& trees, Which which, Rank node);

/// The top of that tree.
Rank top(const Pair& trees, Which which);

/// The latest arrival in the subtree of `node`.
Round latest_arrival(const Pair& trees, Which which, Rank node);

/// A subtree as a whole: its nodes, and when the edge into its top and the last edge in it are first used.
struct Subtree {
  Rank first;
  Rank last;
  Round arrival;
  Round latest;
};

/// The subtrees below the lower children of the nodes from the top to the last node.
std::vector<Subtree> lower_subtrees(const Pair& trees, Which which);

/// The subtrees below the higher children of the nodes from the top to node 0.
std::vector<Subtree> higher_subtrees(const Pair& trees, Which which);

}  // namespace rota::two_trees
