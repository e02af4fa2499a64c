// Block, step, schedule: the words that every room of Rota shares.
//
// In one round each rank sends at most one message and receives at most one, possibly from another rank
// (one-ported, full-duplex). A schedule says which, for every rank and every round. It is asked, never
// stored:
//
//     schedule.of_rank(r)    sets rank r up, in O(log p) for most algorithms
//             (round)        what rank r does in that round, in O(1) a block
//
// so that one rank of a job of a million pays for itself only. Both are pure functions.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rota/schedule/types.hpp"

namespace rota {

using Round = std::int64_t;
using BlockIndex = std::int64_t;

class Parcels;  // rota/schedule/parcels.hpp
struct Hosts;   // rota/schedule/hosts.hpp
struct Series;  // rota/schedule/series.hpp

/// Block `index` of the data that belongs to rank `owner`. In scan and exscan a rank's data is its prefix,
/// the combined contributions of all ranks up to it; while it is being worked out, other ranks may hold the
/// block with a part of them.
struct Block {
  Rank owner = 0;
  BlockIndex index = 0;

  auto operator<=>(const Block&) const = default;
};

/// The blocks of one message: none, one, or (an allgather's message) many, in increasing order. None and one
/// cost no allocation.
class Blocks {
 public:
  Blocks() = default;
  Blocks(Block only) : only_(only), has_one_(true) {}
  explicit Blocks(std::vector<Block> several) : several_(std::move(several)) {}

  const Block* begin() const { return has_one_ ? &only_ : several_.data(); }
  const Block* end() const { return begin() + size(); }
  std::size_t size() const { return has_one_ ? 1 : several_.size(); }
  bool empty() const { return size() == 0; }
  bool contains(Block block) const;
  bool overlaps(const Blocks& other) const;

  friend bool operator==(const Blocks& left, const Blocks& right);

 private:
  Block only_;
  bool has_one_ = false;
  std::vector<Block> several_;
};

/// Blocks on their way to or from `peer`. Without blocks there is no message, and `peer` means nothing.
struct Message {
  Rank peer = -1;
  Blocks blocks;

  friend bool operator==(const Message& left, const Message& right);
};

/// What becomes of received blocks: they take the place of the rank's own, or are combined with them from the
/// left (received op own) or from the right (own op received), so that operators that do not commute keep
/// their order.
enum class OnReceive : std::uint8_t { store, combine_left, combine_right };

/// Two blocks that the rank holds are combined: `into` becomes `from` op `into`.
struct Combination {
  Block from;
  Block into;

  bool operator==(const Combination&) const = default;
};

/// What one rank does in one round: what it sends is what it held before the round; then, in order, it
/// combines.
struct Step {
  Message send;
  Message receive;
  OnReceive on_receive = OnReceive::store;  // without received blocks it means nothing
  std::vector<Combination> combinations;

  friend bool operator==(const Step& left, const Step& right);
};

/// Is some block of these other after the step than before?
bool changes(const Step& step, const Blocks& blocks);

/// Does the one step send what the other changes?
bool sends_changed(const Step& step, const Step& changing);

enum class Collective : std::uint8_t {
  broadcast,
  reduce,
  allgather,
  reduce_scatter,
  allreduce,
  scan,
  exscan,
  all_to_many,
  inter_allgather,
  inter_broadcast,
  inter_reduce,
  inter_allreduce,
  series
};

/// Of those that a call of MPI asks for: all but series.
inline constexpr std::size_t collective_count = 12;

/// What a schedule has to achieve: `collective` over `ranks` ranks, the data of each owner cut into `blocks`
/// blocks.
///
///                    a rank starts with                 and ends with
///   broadcast        the root: the root's blocks        the root's blocks
///   reduce           its part of the root's             the root: all parts combined
///   allgather        its own blocks                     the blocks of all owners
///   reduce_scatter   its part of each owner's           its own, all parts combined
///   allreduce        its part of each owner's           each owner's, all parts combined
///   scan             its part, as its own blocks        its own: the parts of ranks 0..rank combined
///   exscan           the same                           those of rank - 1: 0..rank - 1 combined
///   all_to_many      all parcels that it sends          all parcels that are for it
///   series           its messages of all operations     those that each operation delivers to it
///
/// Between two groups of ranks:
///
///   inter_allgather  its own blocks                     the blocks of all ranks of the other group
///   inter_broadcast  the root: the root's blocks        in the other group: the root's blocks
///   inter_reduce     in the other group than the        the root: all parts combined
///                    root: its part of the root's
///   inter_allreduce  its part of each owner's           all parts combined of each owner's
///                    of its own group                   of the other group
struct Problem {
  Collective collective = Collective::broadcast;
  Rank ranks = 1;

  /// In broadcast and reduce.
  Rank root = 0;

  /// n, of each owner. In all_to_many the parcels say how many there are. In series: of each message, over
  /// all operations; a block's owner is the number of its message.
  BlockIndex blocks = 1;

  /// In allgather, reduce_scatter and allreduce: whose data is not empty, in increasing order; none named:
  /// all ranks'. Into whose parts an allreduce's data is cut, its generator decides.
  std::vector<Rank> owners{};  // NOLINT(readability-redundant-member-init): GCC takes it for forgotten

  /// Must parts be combined in the order of ranks, as for operators that do not commute? (In scan and exscan
  /// they always must.)
  bool in_order = false;

  /// In all_to_many: who sends what to whom, in which pieces. Block `index` of `owner` is the index-th parcel
  /// that the owner sends.
  std::shared_ptr<const Parcels> parcels{};  // NOLINT(readability-redundant-member-init)

  /// Between two groups: ranks 0..first_group - 1 are the one, all others the other. 0 elsewhere.
  Rank first_group = 0;

  /// In inter_allgather: the bytes of each rank's data, in blocks of the same size for all; the largest share
  /// is cut into n at most (rota/schedule/groups.hpp). A group whose shares are 0 only receives.
  std::vector<std::int64_t> shares{};  // NOLINT(readability-redundant-member-init)

  /// In series: where messages come from and where they must get.
  std::shared_ptr<const Series> series{};  // NOLINT(readability-redundant-member-init)

  /// Which ranks share a host; none: each has one to itself. It changes nothing in what is to be achieved.
  std::shared_ptr<const Hosts> hosts{};  // NOLINT(readability-redundant-member-init)

  /// By value, but for series: these are functions too, and equal only as the same object.
  friend bool operator==(const Problem& left, const Problem& right);
};

/// In allgather, reduce_scatter and allreduce: has that rank data, as far as owners are named? O(log p).
bool owns(const Problem& problem, Rank rank);

/// The owners of the data: one root, those named, or all ranks.
std::vector<Rank> owners_of(const Problem& problem);

/// The steps of one rank: step(round) for 0 <= round < rounds.
using RankSchedule = std::function<Step(Round)>;

/// What the steps of one rank say of those of all others. rotation: rank r does what rank 0 does, all peers
/// and owners r ranks further on (rota/schedule/rotation.hpp says it exactly, and checks it).
/// rotation_of_hosts: the same of hosts that have as many ranks each (rota/schedule/host_rotation.hpp).
enum class Symmetry : std::uint8_t { none, rotation, rotation_of_hosts };

struct Schedule {
  Problem problem;
  Round rounds = 0;
  std::function<RankSchedule(Rank)> of_rank;

  /// How long a round is, in the bytes that pass a port in it, in series in units of its block_time; empty
  /// where rounds are alike. No message is longer than its round.
  std::function<std::int64_t(Round)> round_bytes{};  // NOLINT(readability-redundant-member-init)

  /// What its generator has proved of it.
  Symmetry symmetry = Symmetry::none;
};

/// Do all ranks do the same in all rounds, which last as long, for the same problem? Whoever made them. Asks
/// all ranks for all rounds, until they differ: O(p rounds).
bool do_the_same(const Schedule& left, const Schedule& right);

/// Is it a collective between two groups?
bool is_inter_group(Collective collective);

/// Are values combined in it? Not in a series, whose tasks its plan names.
bool is_reduction(Collective collective);

/// Checks that ranks >= 1, 0 <= root < ranks, blocks >= 1, that owners are ranks in increasing order; that
/// there are parcels, of as many ranks, if and only if they are what moves, and so a series; that there are
/// two groups, and a share of each rank, if and only if the collective needs them; that hosts are of as many
/// ranks. Throws std::invalid_argument with one line that says what is wrong and what to do.
void require_valid(const Problem& problem);

/// The schedule of a broadcast or allgather played backwards: what was received is sent, what was sent is
/// received and combined. A broadcast becomes a reduction to the same root, an allgather a reduce-scatter.
/// What comes from a lower rank is combined on the left, from a higher one on the right, so that trees
/// numbered in order keep the order of ranks. Throws std::invalid_argument for another collective. Source:
/// paper 1, Observations 1.3 and 1.4.
Schedule reversed(const Schedule& schedule);

/// Both schedules, one after the other, as a solution of `problem`: a reduce-scatter and then an allgather
/// are an allreduce. Throws std::invalid_argument if they are not for the same number of ranks.
Schedule then(const Problem& problem, const Schedule& first, const Schedule& second);

/// Both schedules, a round of each in turn, as a solution of `problem`: before round i of the second come
/// rounds 0..i + lead - 1 of the first, which may bring what the second passes on. Throws
/// std::invalid_argument if they are not for the same number of ranks.
Schedule in_turns(const Problem& problem, const Schedule& first, const Schedule& second, Round lead);

/// A schedule over some of the ranks, as a part of one over more: its rank r is ranks[r], and for each of its
/// blocks stand those that blocks(block) names, in increasing order. There may be none; a combination's two
/// blocks stand for equally many.
struct Embedded {
  Schedule schedule;
  std::vector<Rank> ranks;
  std::function<Blocks(Block)> blocks;
};

/// Schedules over disjoint ranks, all at once, as a solution of `problem` or of a part of it. Throws
/// std::invalid_argument for parts that share a rank or name what is none.
Schedule side_by_side(const Problem& problem, std::vector<Embedded> parts);

/// The schedule of one rank alone: nothing to do.
Schedule nothing(const Problem& problem);

}  // namespace rota
