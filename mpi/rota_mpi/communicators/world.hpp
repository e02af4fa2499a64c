// What Rota has of its own in one MPI_COMM_WORLD: a communicator for all its messages, and what it knows of all ranks.
//
// Made when MPI starts, by all ranks together, and nowhere else: a program's communicators get no twins, so none are used up,
// none can fail to be made, and nobody's error handlers are touched. Messages on behalf of different communicators are told
// apart by tags (channel.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "rota/schedule/types.hpp"
#include "rota_mpi/decide/pace.hpp"
#include "rota_mpi/decide/round_times.hpp"
#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/library/mpi_group.hpp"

namespace rota::mpi {

/// The tags that a rank hands out as the first of a communicator's ranks: those that leave its rank when
/// divided by the number of ranks, so that no two ranks hand out the same one. May be used by several
/// threads.
class Tags {
 public:
  Tags(Rank rank, Rank ranks, int largest)
      : rank_(rank), ranks_(ranks), count_(largest < rank ? 0 : (std::int64_t{largest} - rank) / ranks + 1) {}

  static constexpr int none = -1;

  /// One that is not in use, and was not for as long as possible; `none` if all are.
  int take();
  void give_back(int tag);

 private:
  int numbered(std::int64_t number) const { return static_cast<int>(number * ranks_ + rank_); }

  Rank rank_;
  Rank ranks_;
  std::int64_t count_;
  std::int64_t next_ = 0;
  std::unordered_set<int> in_use_;
  std::mutex mutex_;
};

/// What was found of the network between hosts. May be used by several threads.
template <class Found>
class KnownByHosts {
 public:
  /// Between these hosts, each named once and in increasing order, or between the fewest that they are among;
  /// nothing if neither has been measured.
  std::optional<Found> between(const std::vector<int>& hosts) const;
  void learn(const std::vector<int>& hosts, const Found& found);
  /// All that is known, by hosts.
  std::map<std::vector<int>, Found> all() const;

 private:
  std::map<std::vector<int>, Found> known_;
  mutable std::mutex mutex_;
};

/// A communicator of this rank alone, for requests that Rota completes (completion.hpp), and tags for them.
struct Completing {
  explicit Completing(MPI_Comm own);

  MPI_Comm comm;  // errors are returned
  Tags tags;
};

struct World {
  World(MPI_Comm all, MPI_Comm one, MPI_Comm one_more);

  MPI_Comm comm;  // of all ranks; errors are returned
  MPI_Comm self;  // of this rank alone; errors are returned
  Completing completing;
  Rank rank = 0;
  Rank ranks = 1;
  std::vector<int> hosts;      // of each rank a number for its host, alike for ranks on the same one
  Rank ranks_a_processor = 1;  // of this rank's machine, of however many hosts it seems to be, rounded up
  Rank most_ranks_a_processor = 1;  // of any machine
  bool is_crowded = false;          // do those on this rank's host outnumber its processors?
  bool has_crowded_hosts = false;   // do they on any host?
  bool is_device_aware = false;     // does the MPI library take pointers to devices' memory, on any rank?
  bool is_carried_on = false;       // is what was started carried on, on all ranks (library/progress.hpp)?
  Tags tags;

  // As this rank knows them.
  KnownByHosts<Pace> paces{};
  KnownByHosts<RoundTimes> round_times{};
};

/// The world while MPI runs; nullptr before rota_started and after rota_finishing, and where a program goes
/// without them.
World* world();

/// That of the world, which outlives all that is completed.
std::shared_ptr<Completing> completing_of(World& world);

/// Makes the world. Collective over MPI_COMM_WORLD. Throws MpiError.
void begin_world();

/// Do all ranks say so? Collective over the world. Throws MpiError.
bool do_all_say(bool mine, const World& here);

/// Frees its communicators, if there are any; from now on all calls are native. Collective over
/// MPI_COMM_WORLD.
void end_world();

/// From now on all calls are native: some rank has not made its world, and the others have nobody to play
/// with.
void give_up_world();

/// Has the world ended, or been given up?
bool has_world_ended();

/// The ranks of a group in MPI_COMM_WORLD; nothing if some of them belong to another one: those were started
/// apart, and may not have Rota at all, or other settings. Local, and alike on all ranks of the group. Throws
/// MpiError.
std::optional<std::vector<Rank>> ranks_in_world(const MpiGroup& group);

/// Has this process an MPI_COMM_WORLD? Not in programs of sessions only.
bool has_comm_world();

/// For each rank of a communicator of Rota's own a number for its host, as MPI tells, alike for ranks on the
/// same one. Collective over it. Throws MpiError: on all ranks, where MPI has no communicator left to tell.
std::vector<int> detected_hosts(MPI_Comm own);

/// The same for ranks of MPI_COMM_WORLD where the user pretends so many hosts, in a row.
std::vector<int> pretended_hosts(const std::vector<Rank>& world_ranks, Rank ranks_of_world,
                                 std::int64_t hosts);

}  // namespace rota::mpi
