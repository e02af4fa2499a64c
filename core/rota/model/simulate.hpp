// The time that a schedule takes on a network that follows the linear cost model, rank by rank.
//
// One-ported and full-duplex: in one round a rank sends and receives at the same time. Asynchronous: no clock
// is shared, each rank goes on to its next round when its own messages of this one are done and combined. A
// message starts when both its ranks have reached the round, and occupies both until it is done. Since a
// message of round i pairs round i of two ranks, a sweep over the rounds that knows no more than when each
// rank reached the present one is exact:
//
//     reached[i + 1](r) = max over the messages of r in round i of
//                            max(reached[i](r), reached[i](peer)) + latency + bytes beta (+ bytes gamma, if r combines)
//                       + gamma for the bytes of r's combinations
//
//   p = 3, two blocks, bytes beta = 1, no latency        0 | send a to 1 | send b to 1 |
//   along a chain: a and b reach rank 2 at 2 and 3       1 | receive a   | receive b, send a | send b to 2 |
//                                                        2               | receive a   | receive b   |
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The bytes of each block.
using BlockBytes = std::function<std::int64_t(Block)>;

/// `bytes` of data: in broadcast, reduce, scan, exscan and between groups each owner's (in inter_allreduce
/// all owners' of a group together); in the other collectives all owners' together, in shares that differ by
/// one byte at most. A share is cut into problem.blocks blocks of which the last ones are shorter, or empty,
/// where it does not come out even. Throws std::invalid_argument for bytes < 0, and for an inter_allgather,
/// whose shares say how many bytes there are.
BlockBytes equal_cuts(const Problem& problem, std::int64_t bytes);

/// The bytes of each parcel of an all-to-many. Throws std::invalid_argument for a problem that has none.
BlockBytes parcel_bytes(const Problem& problem);

/// The bytes of each block of an allgather between groups, as its shares say. Throws std::invalid_argument
/// for a problem that has none.
BlockBytes inter_share_bytes(const Problem& problem);

/// The data of the k-th owner has share_bytes[k] bytes, cut as by equal_cuts. Throws std::invalid_argument
/// unless there is one share, of 0 bytes or more, for each of owners_of(problem).
BlockBytes cuts_of_shares(const Problem& problem, const std::vector<std::int64_t>& share_bytes);

/// What equal_cuts makes of `bytes`, as pipelines and bounds want to know it. In all-to-many the parcels say
/// how many bytes there are, in inter_allgather the shares do.
Load load_of(const Problem& problem, std::int64_t bytes);

/// The bytes of all these blocks.
std::int64_t size_of(const Blocks& blocks, const BlockBytes& bytes);

/// Of a message that `rank` has. Throws std::invalid_argument unless 0 <= peer < ranks.
void require_peer(Rank rank, Rank peer, Rank ranks);

/// When a message is over whose ranks both began it by `begun_s`.
inline double arrival_s(const Network& network, double begun_s, std::int64_t bytes) {
  return begun_s + network.latency_s + static_cast<double>(bytes) * network.seconds_per_byte;
}

/// What becomes of received bytes takes so long.
inline double combining_s(const Network& network, OnReceive on_receive, std::int64_t bytes) {
  return on_receive == OnReceive::store ? 0 : static_cast<double>(bytes) * network.seconds_per_combined_byte;
}

/// Whose steps were asked for: every rank's; rank 0's, which by the schedule's symmetry say what all others
/// do; or these, and its play was everybody's, too (simulate_rotation.hpp). Or those of one host's ranks,
/// whose play was all hosts' (simulate_on_hosts.hpp).
enum class Basis : std::uint8_t { every_rank, rotation, one_for_all, one_host_for_all };

struct Simulation {
  double seconds = 0;            // until the last rank is done
  std::int64_t port_bytes = 0;   // through the busiest port: the most that one rank sends, or receives
  std::vector<double> finish_s;  // by rank: when it is done
  Basis basis = Basis::every_rank;
};

/// Called after each round with the number of rounds done; what it throws ends the simulation.
using OnRound = std::function<void(Round)>;

/// Plays `schedule`, which verify finds no fault with, on `network`. Throws std::invalid_argument for a
/// message to or from what is no rank. All ranks are set up once; then every rank is asked for every round:
/// O(p rounds) steps, on all cores if there are many ranks, and the memory of p RankSchedules and 32 bytes a
/// rank. on_round is called by the caller's own thread.
Simulation simulate(const Schedule& schedule, const Network& network, const BlockBytes& bytes,
                    const OnRound& on_round = {});

/// A message on its way: from when both its ranks have reached the round until it is there.
struct Transfer {
  Round round = 0;
  Rank from = 0;
  Rank to = 0;
  std::int64_t bytes = 0;
  double start_s = 0;
  double end_s = 0;
};

/// All messages of what simulate() plays, in the order of rounds and senders. Twice its time, and their
/// memory. Throws as it does.
std::vector<Transfer> transfers(const Schedule& schedule, const Network& network, const BlockBytes& bytes);

/// No one-ported, full-duplex schedule takes less, in however many blocks: ceil(log2 p) latencies one after
/// the other, for each of them at most doubles the ranks that a contribution has reached; nor less than the
/// bytes need to pass the busiest port. The larger of the two. All-to-many: one latency and the bytes;
/// rota/model/all_to_many_bound.hpp knows the messages too.
double least_seconds(const Load& load, const Network& network);

}  // namespace rota
