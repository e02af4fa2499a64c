#include "rota_mpi/communicators/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "rota_mpi/library/device.hpp"
#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

namespace {

int largest_tag(MPI_Comm comm) {
  void* value = nullptr;
  int is_there = 0;
  check_own(pmpi.Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&value), &is_there));
  constexpr int least_that_mpi_promises = 32767;
  return is_there != 0 ? *static_cast<const int*>(value) : least_that_mpi_promises;
}

Rank rank_in(MPI_Comm own) {
  Rank rank = 0;
  check_own(pmpi.Comm_rank(own, &rank));
  return rank;
}

Rank ranks_in(MPI_Comm own) {
  Rank ranks = 0;
  check_own(pmpi.Comm_size(own, &ranks));
  return ranks;
}

/// A new communicator with the same ranks. Not a duplicate: that would run the program's attribute copying
/// functions.
MPI_Comm twin(MPI_Comm comm) {
  const MpiGroup group = MpiGroup::of(comm);
  MPI_Comm result = MPI_COMM_NULL;
  check(pmpi.Comm_create(comm, group.get(), &result));
  check_own(pmpi.Comm_set_errhandler(result, MPI_ERRORS_RETURN));
  return result;
}

/// Each rank has here the number of its place. How many of those at this rank's are there to each of its
/// processors, rounded up, whether bound to some of them or not?
template <class Number>
Rank ranks_a_processor(const std::vector<Number>& places, Rank rank) {
  const auto ranks = std::ranges::count(places, places[static_cast<std::size_t>(rank)]);
  const auto processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  return static_cast<Rank>((ranks + processors - 1) / processors);
}

/// Alike for all that one kernel runs, in whichever containers; 0: it does not tell.
std::uint64_t machine_number() {
  std::string told;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::getline(file, told);
  std::uint64_t number = 0;
  for (const char each : told) number = number * 31 + static_cast<unsigned char>(each);
  return number;
}

/// Of all ranks.
std::vector<std::uint64_t> machine_numbers(MPI_Comm own) {
  const std::uint64_t mine = machine_number();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks_in(own)));
  check_own(pmpi.Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, own));
  return all;
}

/// The lowest of the ranks on this rank's host.
int lowest_rank_on_host(MPI_Comm own) {
  int lowest = rank_in(own);
  MPI_Comm host = MPI_COMM_NULL;
  check_own(pmpi.Comm_split_type(own, MPI_COMM_TYPE_SHARED, lowest, MPI_INFO_NULL, &host));
  check_own(pmpi.Bcast(&lowest, 1, MPI_INT, 0, host));
  check_own(pmpi.Comm_free(&host));
  return lowest;
}

/// Never destroyed: programs may end MPI in their last destructor, and free communicators, whose tags are
/// given back, after the world.
struct State {
  std::unique_ptr<World> made;
  std::atomic<World*> world{nullptr};
  std::atomic<bool> has_ended{false};
};

State& state() {
  static auto* const the_state = new State;
  return *the_state;
}

}  // namespace

int Tags::take() {
  const std::scoped_lock lock(mutex_);
  for (std::int64_t tried = 0; tried < count_; ++tried) {
    const int tag = numbered(next_);
    next_ = (next_ + 1) % count_;
    if (in_use_.insert(tag).second) return tag;
  }
  return none;
}

void Tags::give_back(int tag) {
  const std::scoped_lock lock(mutex_);
  in_use_.erase(tag);
}

template <class Found>
std::optional<Found> KnownByHosts<Found>::between(const std::vector<int>& hosts) const {
  const std::scoped_lock lock(mutex_);
  std::optional<Found> best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& [known_hosts, found] : known_) {
    if (known_hosts.size() >= fewest || !std::ranges::includes(known_hosts, hosts)) continue;
    fewest = known_hosts.size();
    best = found;
  }
  return best;
}

template <class Found>
void KnownByHosts<Found>::learn(const std::vector<int>& hosts, const Found& found) {
  const std::scoped_lock lock(mutex_);
  known_[hosts] = found;
}

template <class Found>
std::map<std::vector<int>, Found> KnownByHosts<Found>::all() const {
  const std::scoped_lock lock(mutex_);
  return known_;
}

template class KnownByHosts<Pace>;
template class KnownByHosts<RoundTimes>;

Completing::Completing(MPI_Comm own) : comm(own), tags(0, 1, largest_tag(own)) {}

World::World(MPI_Comm all, MPI_Comm one, MPI_Comm one_more)
    : comm(all),
      self(one),
      completing(one_more),
      rank(rank_in(all)),
      ranks(ranks_in(all)),
      tags(rank, ranks, largest_tag(all)) {}

std::shared_ptr<Completing> completing_of(World& world) {
  return {std::shared_ptr<Completing>{}, &world.completing};
}

World* world() { return state().world.load(std::memory_order_acquire); }

void begin_world() {
  auto made = std::make_unique<World>(twin(MPI_COMM_WORLD), twin(MPI_COMM_SELF), twin(MPI_COMM_SELF));
  made->hosts = detected_hosts(made->comm);
  made->is_crowded = ranks_a_processor(made->hosts, made->rank) > 1;
  made->ranks_a_processor = ranks_a_processor(machine_numbers(made->comm), made->rank);
  const std::array mine{is_mpi_device_aware() ? 1 : 0, has_progress_hook() ? 0 : 1, made->is_crowded ? 1 : 0,
                        made->ranks_a_processor};
  std::array most{0, 0, 0, 0};
  check_own(
      pmpi.Allreduce(mine.data(), most.data(), static_cast<int>(most.size()), MPI_INT, MPI_MAX, made->comm));
  made->is_device_aware = most[0] > 0;
  made->is_carried_on = most[1] == 0;
  made->has_crowded_hosts = most[2] > 0;
  made->most_ranks_a_processor = most[3];
  state().made = std::move(made);
  state().world.store(state().made.get(), std::memory_order_release);
}

bool do_all_say(bool mine, const World& here) {
  const int own = mine ? 1 : 0;
  int least = 0;
  check_own(pmpi.Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, here.comm));
  return least > 0;
}

void end_world() {
  World* const ended = state().world.exchange(nullptr);
  state().has_ended = true;
  if (ended == nullptr) return;
  pmpi.Comm_free(&ended->completing.comm);
  pmpi.Comm_free(&ended->self);
  pmpi.Comm_free(&ended->comm);
}

void give_up_world() {
  state().world = nullptr;
  state().has_ended = true;
}

bool has_world_ended() { return state().has_ended.load(std::memory_order_relaxed); }

std::optional<std::vector<Rank>> ranks_in_world(const MpiGroup& group) {
  const MpiGroup world_group = MpiGroup::of(MPI_COMM_WORLD);
  std::vector<Rank> ranks(static_cast<std::size_t>(group.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Rank> result(ranks.size());
  check(pmpi.Group_translate_ranks(group.get(), static_cast<int>(ranks.size()), ranks.data(),
                                   world_group.get(), result.data()));
  if (std::ranges::find(result, MPI_UNDEFINED) != result.end()) return {};
  return result;
}

bool has_comm_world() {
  int is_there = 0;
  check(pmpi.Initialized(&is_there));
  return is_there != 0;
}

std::vector<int> detected_hosts(MPI_Comm own) {
  const int mine = lowest_rank_on_host(own);
  std::vector<int> names(static_cast<std::size_t>(ranks_in(own)));
  check_own(pmpi.Allgather(&mine, 1, MPI_INT, names.data(), 1, MPI_INT, own));
  return names;
}

std::vector<int> pretended_hosts(const std::vector<Rank>& world_ranks, Rank ranks_of_world,
                                 std::int64_t hosts) {
  std::vector<int> names;
  names.reserve(world_ranks.size());
  for (const Rank rank : world_ranks) {
    const std::int64_t host = rank * std::min<std::int64_t>(hosts, ranks_of_world) / ranks_of_world;
    names.push_back(static_cast<int>(host));
  }
  return names;
}

}  // namespace rota::mpi
