// Verification is propagation: start from the collective's precondition, play the rounds, look at the
// postcondition.
//
//     precondition -> round 0 -> round 1 -> ... -> postcondition
//                     ports, matching, presence, links
//
// One verifier serves every schedule and never asks who made it. (The idea is that of msccl-tools'
// check_implements.)
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// One fault of a schedule. `round` is the schedule's number of rounds where the postcondition fails.
struct Violation {
  Round round = 0;
  Rank rank = 0;
  Block block;
  std::string fault;
};

/// May `from` send to `to`?
using Links = std::function<bool(Rank from, Rank to)>;

/// A ring of so many ranks: links between neighbours, both ways, and between the last and the first.
Links ring_links(Rank ranks);

/// All violations of the schedule on a network with these links, in the order of rounds and ranks; none: it
/// is correct. Checked in every round: a peer is another rank and the link to it exists; every message sent
/// is the message that its peer receives, block by block; what is sent is there, and no longer than a round
/// that has a length; where ranks share hosts, what leaves a host goes to at most as many other hosts as it
/// has links, and what comes to it comes from as many. Checked at first: the parcels of an all-to-many are
/// its messages. Checked at the end: every rank holds what the collective promises it, each contribution
/// combined exactly once, and in order where order matters. Cost: O(p) per round and per block, memory
/// O(blocks held by all ranks).
std::vector<Violation> verify(const Schedule& schedule, const Links& links);

/// The same on a fully connected network.
std::vector<Violation> verify(const Schedule& schedule);

}  // namespace rota
