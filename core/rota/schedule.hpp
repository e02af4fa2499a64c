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
#include <utility>
#include <vector>

#include "rota/types.hpp"

namespace rota {

using Round = std::int64_t;
using BlockIndex = std::int64_t;

/// Block `index` of the data that belongs to rank `owner`.
struct Block {
  Rank owner = 0;
  BlockIndex index = 0;

  auto operator<=>(const Block&) const = default;
};

/// The blocks of one message: none, one, or (an allgather's message) many. None and one cost no allocation.
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
};

/// What becomes of received blocks: they take the place of the rank's own, or are combined with them from the
/// left (received op own) or from the right (own op received), so that operators that do not commute keep
/// their order.
enum class OnReceive : std::uint8_t { store, combine_left, combine_right };

/// What one rank does in one round.
struct Step {
  Message send;
  Message receive;
  OnReceive on_receive = OnReceive::store;
};

enum class Collective : std::uint8_t { broadcast, reduce };

/// What a schedule has to achieve: `collective` over `ranks` ranks, the data of each owner cut into `blocks`
/// blocks. In broadcast and reduce the root owns all blocks.
struct Problem {
  Collective collective = Collective::broadcast;
  Rank ranks = 1;
  Rank root = 0;
  BlockIndex blocks = 1;
};

/// The steps of one rank: step(round) for 0 <= round < rounds.
using RankSchedule = std::function<Step(Round)>;

struct Schedule {
  Problem problem;
  Round rounds = 0;
  std::function<RankSchedule(Rank)> of_rank;
};

/// Checks that ranks >= 1, 0 <= root < ranks and blocks >= 1.
/// Throws std::invalid_argument with one line that says what is wrong and what to do.
void require_valid(const Problem& problem);

/// The schedule played backwards: what was received is sent, what was sent is received and combined.
/// A broadcast becomes a reduction to the same root, for operators that commute.
/// Source: paper 1, Observation 1.3.
Schedule reversed(const Schedule& schedule);

}  // namespace rota
