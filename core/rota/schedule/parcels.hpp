// A pattern's messages in the pieces in which a schedule sends them, and schedules made of pieces with a round each.
//
// An all-to-many schedule is a sequence of partial permutations: in each, a rank sends one parcel at most and receives one at
// most. Every rank works out the same permutations from the same pattern and seed; of_rank then looks one rank's up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The bytes [offset_bytes, offset_bytes + bytes) of the message to rank `to`.
struct Parcel {
  Rank to = 0;
  std::int64_t offset_bytes = 0;
  std::int64_t bytes = 0;

  bool operator==(const Parcel&) const = default;
};

/// The parcels of all senders. Block{owner, index} is the owner's parcel number `index`.
class Parcels {
 public:
  /// `parcels`: those of rank 0, then of rank 1 and so on; counts[r] of them are rank r's. Throws
  /// std::invalid_argument for counts that do not fit and for receivers that are no ranks; that they are the
  /// pattern's messages, verify checks.
  Parcels(std::shared_ptr<const Pattern> pattern, std::vector<Parcel> parcels,
          std::span<const std::size_t> counts);

  const Pattern& pattern() const { return *pattern_; }
  std::span<const Parcel> from(Rank sender) const;

  /// What is for `receiver`, in the order of senders and then of indices.
  std::span<const Block> for_rank(Rank receiver) const;
  bool has(Block block) const;
  const Parcel& at(Block block) const;  // one that there is

  friend bool operator==(const Parcels& left, const Parcels& right);

 private:
  std::shared_ptr<const Pattern> pattern_;
  std::vector<Parcel> parcels_;
  std::vector<std::size_t> sender_begins_;
  std::vector<Block> by_receiver_;
  std::vector<std::size_t> receiver_begins_;
};

/// A message whose parcels are not, each byte once, the pattern's message.
struct MiscutMessage {
  Rank from = 0;
  Rank to = 0;
};

/// All of them. O(parcels log parcels).
std::vector<MiscutMessage> miscut_messages(const Parcels& parcels);

/// A parcel, its sender, and the round in which it is sent.
struct TimedParcel {
  Rank from = 0;
  Parcel parcel;
  Round round = 0;
};

/// The schedule in which every parcel is sent in its round. A rank's parcels are numbered in the order of
/// rounds, so that its k-th message is its block k. Throws std::invalid_argument for rounds outside of
/// 0..rounds - 1; that a round has one message a port, verify checks; std::length_error for 2^32 parcels or
/// more. Time and memory O(parcels + ranks + rounds); of_rank: O(d log d) for a rank that receives d parcels;
/// one step: O(log d).
Schedule timed_schedule(std::shared_ptr<const Pattern> pattern, std::span<const TimedParcel> parcels,
                        Round rounds);

/// The same for messages that are sent whole, rounds[i] being the round of the i-th message of the pattern,
/// in the order of senders and then of receivers. O(messages log d + rounds). Throws std::invalid_argument
/// unless there is one for each, within 0..count - 1, and no two of a sender's are the same.
Schedule whole_schedule(std::shared_ptr<const Pattern> pattern, std::span<const Round> rounds, Round count);

/// The schedule in which every port handles its parcels in the order in which they stand here, without rounds
/// of a length in common: each parcel is in the first round after those of its sender's and its receiver's
/// parcels before it.
Schedule ordered_schedule(std::shared_ptr<const Pattern> pattern, std::vector<TimedParcel> parcels);

/// What is sent, in the order of rounds and then of senders: an all-to-many schedule as a list. O(p rounds).
std::vector<TimedParcel> listed(const Schedule& schedule);

}  // namespace rota
