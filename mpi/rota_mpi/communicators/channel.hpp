// Where the ranks of a communicator of the program's send each other Rota's messages.
//
// Ranks of the program's MPI_COMM_WORLD send them on Rota's own communicator over that, under a tag that no other channel of theirs
// has: the first of them hands one out, and tells the others (world.hpp).
//
//   the program's communicator      0  1  2              rank r sends to rank s
//   ranks in MPI_COMM_WORLD         4  9  6              is: rank peer(r) sends to rank peer(s), under the channel's tag
//
// Where Rota did not see MPI start (sessions; programs that call MPI_Init themselves and Rota by name), a channel has a
// communicator of its own, made from the group of its ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/library/mpi_group.hpp"

namespace rota::mpi {

class Channel {
 public:
  /// Of ranks of this rank's world, by their ranks there. `tag` is handed out by `leader`, and given back
  /// with the channel.
  Channel(World& world, std::vector<Rank> world_ranks, int tag, bool is_leader);
  /// Of the same ranks as another one, in the same world.
  Channel(const Channel& beside, World& world, int tag, bool is_leader);
  /// Of a communicator that the channel takes over.
  explicit Channel(MPI_Comm own);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  /// Collective if the channel has a communicator of its own.
  ~Channel();

  MPI_Comm comm() const { return comm_; }
  /// Is that of its own?
  bool is_own() const { return is_own_; }
  /// This rank alone, for what is packed or copied here.
  const Self& self() const { return self_; }
  int tag() const { return tag_; }
  /// Has MPI do what there is to do, whatever it is that waits for it. Throws MpiError.
  void make_progress() const;
  /// A rank's number on comm().
  Rank peer(Rank rank) const { return peers_.empty() ? rank : peers_[static_cast<std::size_t>(rank)]; }

 private:
  MPI_Comm comm_;
  Rank own_ = 0;  // this rank's number there
  int tag_ = 0;
  Self self_;
  std::vector<Rank> peers_;         // none: they are the same numbers
  World* given_back_to_ = nullptr;  // by the leader, the tag
  bool is_own_ = false;
};

/// What the first rank of a channel in the making tells the others: a tag of its own, or where there is no
/// world a number by which they find each other.
using Ticket = std::int64_t;

/// A new one, on the first rank. Negative: there is none.
Ticket new_ticket();

/// A new communicator of the ranks of a group, which find each other by the ticket; MPI_COMM_NULL where MPI
/// has no more to give, or cannot make them so. Errors on it are returned. Collective over the group, and
/// nobody's error handlers are called.
MPI_Comm communicator_of(const MpiGroup& group, Ticket ticket);

/// The same of this rank alone, a group of one.
MPI_Comm communicator_of_one(const MpiGroup& group);

}  // namespace rota::mpi
