// Boxes in which the ranks of a host leave each other messages, in memory that they share: two copies, and no call of MPI's.
//
//     of rank 0   [    ] [ ## ] [    ] [    ]      a sender fills one of its own that is free,
//     of rank 1   [ ## ] [    ] [    ] [    ]
//     of rank 2   [    ] [    ] [    ] [    ]
//
//     from 0 to 2      left: 7, in box 1      taken: 6      and says which; who it is for copies it out, and says so
//
// Messages of a pair are numbered, from 1 on, and taken in that order. A rank has few boxes, whatever the number of ranks: whoever finds
// none free waits until one of its messages is taken. Of one operation at a time, for there are no tags: of blocking ones.
//
// A rank's bell rings when a message is left for it, and when one of its own is taken.
//
// Memory: 1 MiB of boxes for a rank, a line for its bell, and 128 bytes for each pair of a host's; only what is used is ever there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

  /// What they take among so many ranks.
  static std::size_t bytes_among(std::size_t ranks);

  /// Among the ranks of a host, in increasing order, of which this is one. The memory begins as zeros.
  Boxes(SharedMemory memory, std::vector<Rank> ranks, Rank own);

  /// Do messages of so many bytes to or from another rank go through them? Alike for both.
  bool carry(Rank other, std::int64_t bytes) const;

  /// Has this rank a box that is free?
  bool has_room() const;

  /// Leaves a message in a box that is free.
  Number leave(Rank to, const std::byte* message, std::int64_t bytes);
  bool is_taken(Rank to, Number number) const;

  /// Takes the next message of that rank's, if it is there.
  bool take(Rank from, std::byte* place, std::int64_t bytes);

  /// This rank's, for it to sleep by.
  Bell& bell() const { return bell_of(own_); }

 private:
  static constexpr std::size_t boxes_a_rank = 4;

  struct Pair;

  /// What a box was filled with last.
  struct Filled {
    std::size_t receiver;
    Number number;
  };

  static std::size_t bytes_before_pairs(std::size_t ranks);
  static std::size_t bytes_before_boxes(std::size_t ranks);

  std::size_t place_of(Rank rank) const;
  Bell& bell_of(std::size_t place) const;
  Pair& pair(std::size_t sender, std::size_t receiver) const;
  std::byte* box(std::size_t sender, std::size_t number) const;
  bool is_free(const Filled& filled) const;
  const Filled* free_one() const;

  SharedMemory memory_;
  std::vector<Rank> ranks_;
  std::size_t own_;
  std::array<Filled, boxes_a_rank> filled_{};
};

}  // namespace rota::mpi
