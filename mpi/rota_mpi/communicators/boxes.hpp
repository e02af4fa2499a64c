// Boxes in which the ranks of a host leave each other messages, in memory that they share, and no call of MPI's: written once, and
// copied out by whoever is to have it.
//
//     of rank 0   [    ] [ ## ] [    ] [    ]      a sender fills one of its own that is free,
//     of rank 1   [ ## ] [    ] [    ] [    ]
//     of rank 2   [    ] [    ] [    ] [    ]
//
//     from 0 to 2      left: 7, in box 1 of rank 0      taken: 6      and says which; who it is for copies it out, and says so
//     from 2 to 1      left: 3, in box 1 of rank 0      taken: 2      who is to have the same next, is told where it still is
//
// Messages of a pair are numbered, from 1 on, and taken in that order. A rank has few boxes, whatever the number of ranks: whoever finds
// none free waits until one of its messages is taken. Of one operation at a time, for there are no tags: of blocking ones.
//
// What a box is filled with stays until its owner needs it again, oldest first. So whoever has taken a message can pass it on without
// another copy, as long as it is there; passing it on keeps it there until that is taken, too. Nobody waits forever for what others pass
// on: a rank's first box holds what it leaves there itself only, and is the last to be filled.
//
// A rank's bell rings when a message is left for it, and when one of its own is taken.
//
// Memory: 2 MiB of boxes for a rank, a line for each and one for its bell, and two for each pair of a host's; only what is used is ever
// there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rota/schedule/types.hpp"
#include "rota_mpi/communicators/bell.hpp"
#include "rota_mpi/communicators/shared_memory.hpp"

namespace rota::mpi {

class Boxes {
 public:
  /// The message of a pair, from 1 on.
  using Number = std::int64_t;

  /// What fits into one; more is copied once by the MPI library.
  static constexpr std::int64_t largest = 262144;

  static constexpr std::size_t boxes_a_rank = 8;

  /// What a box holds, until it is filled with something else.
  struct Filling {
    std::uint32_t times;  // that it has been filled
    std::uint16_t owner;  // by its place among the ranks of the host
    std::uint16_t box;

    bool operator==(const Filling&) const = default;
  };

  /// What they take among so many ranks.
  static std::size_t bytes_among(std::size_t ranks);

  /// Among the ranks of a host, in increasing order, of which this is one. The memory begins as zeros.
  Boxes(SharedMemory memory, std::vector<Rank> ranks, Rank own);

  /// Do messages of so many bytes to or from another rank go through them? Alike for both.
  bool carry(Rank other, std::int64_t bytes) const;

  /// A box of this rank's that is free, to be filled and left for another; nothing where none is.
  std::optional<Filling> claim(Rank to);
  /// The same of what was taken, to be left for another, too, as it is; not where it is not there any more,
  /// nor what has come back to whom it is from.
  bool claim_again(Rank to, const Filling& filling);
  Number leave(Rank to, const Filling& filling);
  bool is_taken(Rank to, Number number) const;

  /// The next message of that rank's, to be read and then taken; nothing if it is not there yet.
  std::optional<Filling> next_of(Rank from) const;
  void take(Rank from, const Filling& filling);

  /// Where it lies.
  std::byte* bytes_of(const Filling& filling) const;

  /// Has a rank left this in a box of its own? That is for one rank alone, and nobody else reads there while
  /// that does not pass it on.
  bool is_own_of(Rank sender, const Filling& filling) const { return filling.owner == place_of(sender); }

  /// This rank's, for it to sleep by.
  Bell& bell() const { return bell_of(own_); }

 private:
  struct Pair;
  struct State;

  static std::size_t bytes_before_pairs(std::size_t ranks);
  static std::size_t bytes_before_states(std::size_t ranks);
  static std::size_t bytes_before_boxes(std::size_t ranks);

  std::optional<Filling> claimed(std::size_t box) const;

  std::size_t place_of(Rank rank) const;
  Bell& bell_of(std::size_t place) const;
  Pair& pair(std::size_t sender, std::size_t receiver) const;
  State& state_of(std::size_t owner, std::size_t box) const;

  SharedMemory memory_;
  std::vector<Rank> ranks_;
  std::size_t own_;
  std::size_t next_box_ = 0;  // of those that others may pass on
};

}  // namespace rota::mpi
