// What accompanies a communicator of the program's in Rota: which of its ranks share hosts, what was chosen for its calls, and the
// channel for their messages.
//
// Made on first real use, and attached to the communicator. The channel is opened, by all its ranks together, when first a
// schedule is to be played; so communicators that never carry a large collective cost nothing, and those on one host no message.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/types.hpp"
#include "rota_mpi/communicators/boxes_on_hosts.hpp"
#include "rota_mpi/communicators/channel.hpp"
#include "rota_mpi/communicators/lane.hpp"
#include "rota_mpi/communicators/outstanding.hpp"
#include "rota_mpi/communicators/try_outs.hpp"
#include "rota_mpi/data/items.hpp"
#include "rota_mpi/decide/cell.hpp"
#include "rota_mpi/decide/choices.hpp"
#include "rota_mpi/decide/found_network.hpp"
#include "rota_mpi/decide/measuring.hpp"
#include "rota_mpi/decide/patience.hpp"

namespace rota::mpi {

/// How the ranks of a companion come to know of each other what they must, by the MPI library's own
/// collectives. Each is collective over them.
struct Talk {
  std::function<void(std::vector<std::int64_t>&)>
      tell;  // all ranks what the first of them says; all say equally much
  std::function<void(std::vector<std::int64_t>&)> most;  // number by number, of what all of them say
  std::function<MPI_Request(std::int64_t&)>
      begin_to_tell;  // a number, which stays where it is; none: nobody starts anything there
};

class Companion {
 public:
  Rank rank = 0;
  Rank ranks = 1;
  std::shared_ptr<const Hosts> hosts;  // none: no two of its ranks share one
  const char* fault = nullptr;         // why no schedule can be played, on any rank
  bool is_device_aware = false;        // may data be in the memory of devices, on any rank?

  Choices choices{};       // of its calls; MPI allows one collective at a time on a communicator
  Cells cells{};           // in which native calls and schedules compete
  TryOuts try_outs;        // of calls at once
  FoundNetwork network{};  // between its hosts, as all its ranks know it
  Measuring measuring{};   // of what rounds take there
  Patience awake{0};       // calls of schedules in which ranks could not sleep, for they know no pace

  /// Before each blocking use of the channel: opens it if it is not open, and waits until what the program
  /// has started here is over. Collective over the ranks where it is not open. The fault if there can be
  /// none: alike on all ranks. Throws MpiError, std::bad_alloc.
  const char* open();

  /// The same without waiting: ranks begin to open it, together, and ask whether it is open by now; then it
  /// is, or there is a fault. Can they? Not between two groups. Throws MpiError, std::bad_alloc.
  bool begin_to_open();
  bool has_opened();

  /// What the program has started here, in the order of all ranks.
  Queue& queue() { return *queue_; }

  /// For an operation that is started in any order; nullptr: all tags are in use, or the channel is not of
  /// the world. Once it is open; collective over the ranks, and alike on all of them. Throws MpiError,
  /// std::bad_alloc.
  std::shared_ptr<Lane> new_lane();

  /// Where requests for what is started on the program's communicator are completed: in the session that it
  /// comes from, or in the world. Local. Throws MpiError, std::bad_alloc.
  std::shared_ptr<Completing> completing(MPI_Comm comm);

  /// Waits until all that has been started here is over. Throws MpiError, std::bad_alloc.
  void wait();

  /// What rounds take between its hosts, and how fast links are, as all of its ranks have come to know it,
  /// alike.
  void know(const RoundTimes& times);
  void know(Pace pace);

  /// What the choice for such a call goes by: all of that, but not what rounds take where messages chosen by
  /// it were seen to do worse than those of before.
  FoundNetwork network_for(const Call& call) const {
    return cells.is_on_earlier(call) ? without_times(network) : network;
  }

  /// The first rank tells the others what it knows of that, for others may know nothing, or something else.
  /// Do they know it now? Collective over the ranks. Throws MpiError, std::bad_alloc.
  bool hears_round_times();

  /// The same of links' pace, which is unknown if the first rank does not know it.
  Pace hears_pace() const;

  /// The first rank's number, on all of them. Collective over them. Throws MpiError, std::bad_alloc.
  std::int64_t told_by_first(std::int64_t mine) const {
    std::vector<std::int64_t> number{mine};
    talk_.tell(number);
    return number.front();
  }

  /// The most of what its ranks say. Collective over them. Throws MpiError.
  std::int64_t most(std::int64_t mine) const { return most(std::vector<std::int64_t>{mine}).front(); }
  /// Number by number; all say equally many. Throws std::bad_alloc too.
  std::vector<std::int64_t> most(std::vector<std::int64_t> mine) const {
    talk_.most(mine);
    return mine;
  }

  /// Has any of its ranks data in the memory of a device, if this one has where `data` says? Collective over
  /// the ranks if they are aware of devices. Throws MpiError, std::bad_alloc.
  bool is_on_device(const std::vector<Data>& data) const;

  /// Once it is open.
  const Channel& channel() const { return *channel_; }
  /// This rank alone, for what is packed or copied here.
  const Self& self() const { return channel_->self(); }

  /// For messages of blocking calls within hosts; nullptr where there are none, on any rank or on this one's
  /// host.
  Boxes* boxes() const { return boxes_.get(); }

 private:
  friend Companion companion_of_fault(const char* fault);
  friend Companion companion_in_world(std::vector<Rank> world_ranks, Rank rank, Talk talk);
  friend Companion companion_of_group(const MpiGroup& group, Rank rank, const Talk& talk);

  /// A ticket on its way to all ranks.
  struct Told {
    Ticket ticket;
    MPI_Request request;
  };

  void open_by(Ticket ticket);
  void make_boxes();

  std::vector<Rank> world_ranks_;  // until the channel is open
  std::vector<int> host_names_;    // of its world's, each once, in increasing order
  Talk talk_;
  std::unique_ptr<Channel> channel_;
  OwnBoxes boxes_;
  bool has_made_boxes_ = false;  // or found that there can be none
  bool has_begun_to_open_ =
      false;  // before whatever is under way here, which opens it, is looked after by any thread
  std::unique_ptr<Told> told_;  // while the channel is being opened
  std::unique_ptr<Queue> queue_ = std::make_unique<Queue>();
  std::shared_ptr<Completing> completing_;  // of its own, where there are sessions
  std::vector<std::weak_ptr<Lane>> lanes_;  // of operations that are set up
};

/// The fault of ranks of which some belong to another MPI_COMM_WORLD.
inline constexpr const char* started_apart = "ranks were started apart";

/// One that plays no schedules.
Companion companion_of_fault(const char* fault);

/// Of ranks of this rank's world. Local. Throws MpiError, std::bad_alloc.
Companion companion_in_world(std::vector<Rank> world_ranks, Rank rank, Talk talk);

/// Where there is no world: of the ranks of a group. Collective over it. Throws MpiError, std::bad_alloc.
Companion companion_of_group(const MpiGroup& group, Rank rank, const Talk& talk);

/// The companion of an intra-communicator. Where there is no world, the first call for each is collective
/// over it. All ranks get the same answer in `hosts` and `fault`. Throws MpiError, std::bad_alloc.
Companion& companion_of(MPI_Comm comm);

/// The hosts that its ranks share, as far as this rank can tell without the others; nullptr where it cannot,
/// and between groups. Local. Throws MpiError, std::bad_alloc.
std::shared_ptr<const Hosts> hosts_known_of(MPI_Comm comm);

/// Are try-outs due on an intra-communicator? Local.
bool is_any_due_on(MPI_Comm comm);

/// May data be in the memory of devices, as far as this rank knows?
bool is_device_aware();

/// Is the first byte of the data in the memory of a device? Throws MpiError, std::bad_alloc.
bool is_on_device(const Data& data);

/// Waits until what the program has started on an intra-communicator is over: all of it, or what all ranks
/// have started in one order. For that alone a call may wait that others make before they start the rest.
/// Throws MpiError, std::bad_alloc.
void wait_within(MPI_Comm comm);
void wait_for_turn_within(MPI_Comm comm);

/// A communicator of Rota's own, on which errors are returned, to ask MPI things that concern this rank
/// alone; MPI_COMM_NULL where there is none yet.
MPI_Comm asking_comm(MPI_Comm comm);

}  // namespace rota::mpi
