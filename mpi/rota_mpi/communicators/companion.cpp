#include "rota_mpi/communicators/companion.hpp"

#include <algorithm>
#include <utility>

#include "rota_mpi/communicators/attached.hpp"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/communicators/pausing.hpp"
#include "rota_mpi/library/device.hpp"
#include "rota_mpi/library/progress.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

namespace {

constexpr const char* no_world = "MPI has ended";
constexpr const char* none_left = "MPI has no communicator left";

Attached<Companion>& companions() {
  static auto* const the_companions = new Attached<Companion>(AttachedKind::companion);
  return *the_companions;
}

/// Nothing if no two ranks share a host.
std::shared_ptr<const Hosts> shared_hosts(const std::vector<int>& names) {
  Hosts hosts = with_links(hosts_called(names), lanes_of(settings()));
  return hosts.most_ranks() > 1 ? std::make_shared<const Hosts>(std::move(hosts)) : nullptr;
}

std::vector<int> hosts_of(const std::vector<Rank>& world_ranks, const World& here) {
  if (settings().hosts > 0) return pretended_hosts(world_ranks, here.ranks, settings().hosts);
  std::vector<int> names;
  names.reserve(world_ranks.size());
  for (const Rank rank : world_ranks) names.push_back(here.hosts[static_cast<std::size_t>(rank)]);
  return names;
}

/// Each once, in increasing order.
std::vector<int> distinct(std::vector<int> names) {
  std::ranges::sort(names);
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
  return names;
}

/// The first rank's ticket, on all ranks.
Ticket ticket_told(const Talk& talk, Rank rank) {
  std::vector<std::int64_t> ticket{rank == 0 ? new_ticket() : 0};
  talk.tell(ticket);
  return ticket.front();
}

/// Nothing if MPI has no communicator left to tell.
std::optional<std::vector<int>> hosts_if_detected(MPI_Comm own) {
  try {
    return detected_hosts(own);
  } catch (const MpiError&) {
    return {};
  }
}

/// The same where there is no world but MPI_COMM_WORLD; nothing if MPI cannot tell.
std::optional<std::vector<int>> hosts_of(const MpiGroup& group, MPI_Comm own) {
  if (settings().hosts == 0 || !has_comm_world()) return hosts_if_detected(own);
  const Rank ranks_of_world = MpiGroup::of(MPI_COMM_WORLD).size();
  return pretended_hosts(ranks_in_world(group).value_or(std::vector<Rank>{}), ranks_of_world,
                         settings().hosts);
}

/// On a communicator made from this rank of the program's; nullptr where MPI makes none.
std::shared_ptr<Completing> completing_beside(MPI_Comm comm) {
  const MpiGroup all = MpiGroup::of(comm);
  Rank rank = 0;
  check(pmpi.Comm_rank(comm, &rank));
  MPI_Comm own = communicator_of_one(MpiGroup(all, {rank}));
  if (own == MPI_COMM_NULL) return nullptr;
  const auto given_up = [](Completing* over) {
    pmpi.Comm_free(&over->comm);
    delete over;
  };
  return {new Completing(own), given_up};
}

Talk talk_on(MPI_Comm comm) {
  return {[comm](std::vector<std::int64_t>& numbers) {
            bcast_pausing(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, comm);
          },
          [comm](std::vector<std::int64_t>& numbers) {
            std::vector<std::int64_t> most(numbers.size());
            allreduce_pausing(numbers.data(), most.data(), static_cast<int>(numbers.size()), MPI_INT64_T,
                              MPI_MAX, comm);
            numbers = std::move(most);
          },
          [comm](std::int64_t& number) {
            MPI_Request request = MPI_REQUEST_NULL;
            check(pmpi.Ibcast(&number, 1, MPI_INT64_T, 0, comm, &request));
            return request;
          }};
}

Companion made_for(MPI_Comm comm) {
  if (has_world_ended()) return companion_of_fault(no_world);
  const MpiGroup group = MpiGroup::of(comm);
  const Rank rank = place_in(comm).rank;
  const Talk talk = talk_on(comm);
  if (!has_comm_world()) return companion_of_group(group, rank, talk);
  auto world_ranks = ranks_in_world(group);
  if (!world_ranks) return companion_of_fault(started_apart);
  return world() != nullptr ? companion_in_world(std::move(*world_ranks), rank, talk)
                            : companion_of_group(group, rank, talk);
}

}  // namespace

const char* Companion::open() {
  queue_->wait();
  if (channel_ == nullptr && fault == nullptr) open_by(ticket_told(talk_, rank));
  if (fault == nullptr && !std::exchange(has_made_boxes_, true)) make_boxes();
  return fault;
}

/// Not where ranks are one process, as in simulated time: there MPI hands messages over by itself.
void Companion::make_boxes() {
  if (hosts == nullptr || !settings().shares_memory || is_time_simulated) return;
  boxes_ = boxes_on(*hosts, rank, *channel_, [this](std::int64_t mine) { return most(mine); });
  network.is_one_memory = are_on_one(hosts.get()) && boxes_ != nullptr;
}

void Companion::open_by(Ticket ticket) {
  if (ticket < 0) {
    fault = "all tags are in use";
    return;
  }
  channel_ = std::make_unique<Channel>(*world(), std::exchange(world_ranks_, {}), static_cast<int>(ticket),
                                       rank == 0);
}

bool Companion::begin_to_open() {
  if (has_begun_to_open_ || channel_ != nullptr || fault != nullptr) return true;
  if (talk_.begin_to_tell == nullptr) return false;
  has_begun_to_open_ = true;
  told_ = std::make_unique<Told>(Told{rank == 0 ? new_ticket() : 0, MPI_REQUEST_NULL});
  told_->request = talk_.begin_to_tell(told_->ticket);
  return true;
}

bool Companion::has_opened() {
  if (told_ == nullptr) return true;
  if (!is_over(told_->request)) return false;
  open_by(told_->ticket);
  told_ = nullptr;
  return true;
}

std::shared_ptr<Lane> Companion::new_lane() {
  if (channel_->is_own()) return nullptr;  // made before there was a world, in which lanes are
  const Ticket ticket = ticket_told(talk_, rank);
  if (ticket < 0) return nullptr;
  auto lane = std::make_shared<Lane>(*channel_, *world(), static_cast<int>(ticket), rank == 0);
  std::erase_if(lanes_, [](const std::weak_ptr<Lane>& other) { return other.expired(); });
  lanes_.push_back(lane);
  return lane;
}

std::shared_ptr<Completing> Companion::completing(MPI_Comm comm) {
  if (completing_ == nullptr && is_in_session()) completing_ = completing_beside(comm);
  return completing_ != nullptr ? completing_ : completing_of(*world());
}

void Companion::wait() {
  queue_->wait();
  for (const std::weak_ptr<Lane>& each : lanes_) {
    if (const std::shared_ptr<Lane> lane = each.lock()) lane->queue.wait();
  }
}

void Companion::know(const RoundTimes& times) {
  network.round_times = std::make_shared<const RoundTimes>(times);
  measuring.end();
  choices.forget();
  cells.renew_schedules();
  World* const here = world();
  if (here != nullptr && !host_names_.empty()) here->round_times.learn(host_names_, times);
}

void Companion::know(Pace pace) {
  network.pace = pace;
  choices.forget();
  World* const here = world();
  if (here != nullptr && !host_names_.empty()) here->paces.learn(host_names_, pace);
}

Pace Companion::hears_pace() const {
  const World* const here = rank == 0 ? world() : nullptr;
  const auto known = here != nullptr ? here->paces.between(host_names_) : std::nullopt;
  return static_cast<Pace>(told_by_first(static_cast<std::int64_t>(known.value_or(Pace::unknown))));
}

bool Companion::hears_round_times() {
  const World* const here = rank == 0 ? world() : nullptr;
  std::vector<std::int64_t> numbers =
      told(here != nullptr ? here->round_times.between(host_names_) : std::nullopt);
  talk_.tell(numbers);
  const auto times = heard(numbers);
  if (times) know(*times);
  return times.has_value();
}

bool Companion::is_on_device(const std::vector<Data>& data) const {
  if (!is_device_aware) return false;
  const bool mine = std::ranges::any_of(data, [](const Data& each) { return mpi::is_on_device(each); });
  return most(mine ? 1 : 0) > 0;
}

Companion companion_of_fault(const char* fault) {
  Companion companion;
  companion.fault = fault;
  return companion;
}

Companion companion_in_world(std::vector<Rank> world_ranks, Rank rank, Talk talk) {
  const World& here = *world();
  Companion companion;
  companion.rank = rank;
  companion.ranks = static_cast<Rank>(world_ranks.size());
  const std::vector<int> names = hosts_of(world_ranks, here);
  companion.hosts = shared_hosts(names);
  companion.host_names_ = distinct(names);
  companion.world_ranks_ = std::move(world_ranks);
  companion.talk_ = std::move(talk);
  companion.is_device_aware = here.is_device_aware;
  companion.network.ranks_a_processor = here.most_ranks_a_processor;
  return companion;
}

Companion companion_of_group(const MpiGroup& group, Rank rank, const Talk& talk) {
  MPI_Comm own = communicator_of(group, ticket_told(talk, rank));
  if (own == MPI_COMM_NULL) return companion_of_fault(none_left);
  Companion companion;
  companion.channel_ = std::make_unique<Channel>(own);
  const auto names = hosts_of(group, own);
  if (!names) return companion_of_fault(none_left);
  companion.rank = rank;
  companion.ranks = group.size();
  companion.hosts = shared_hosts(*names);
  companion.talk_ = talk;
  companion.is_device_aware = companion.most(is_mpi_device_aware() ? 1 : 0) > 0;
  return companion;
}

Companion& companion_of(MPI_Comm comm) {
  if (Companion* const found = companions().find(comm)) return *found;
  return companions().attach(comm, std::make_unique<Companion>(made_for(comm)));
}

std::shared_ptr<const Hosts> hosts_known_of(MPI_Comm comm) {
  if (Companion* const found = companions().find(comm)) return found->hosts;
  const bool is_local = world() != nullptr && has_comm_world();
  return is_local && !is_inter(comm) ? companion_of(comm).hosts : nullptr;
}

void wait_within(MPI_Comm comm) {
  if (Companion* const found = companions().find(comm)) found->wait();
}

void wait_for_turn_within(MPI_Comm comm) {
  if (!is_any_outstanding()) return;
  if (Companion* const found = companions().find(comm)) found->queue().wait();
}

bool is_any_due_on(MPI_Comm comm) {
  const Companion* const found = companions().find(comm);
  return found != nullptr && found->try_outs.is_any_due();
}

bool is_device_aware() {
  const World* const here = world();
  return here != nullptr ? here->is_device_aware : is_mpi_device_aware();
}

bool is_on_device(const Data& data) {
  if (packed_bytes(data) == 0) return false;
  MPI_Aint true_lower_bound = 0;
  MPI_Aint true_extent = 0;
  check(pmpi.Type_get_true_extent(data.type, &true_lower_bound, &true_extent));
  return is_device_memory(static_cast<const std::byte*>(data.buffer) + true_lower_bound);
}

MPI_Comm asking_comm(MPI_Comm comm) {
  if (const World* const here = world()) return here->self;
  const Companion* const found = companions().find(comm);
  return found == nullptr || found->fault != nullptr ? MPI_COMM_NULL : found->channel().comm();
}

}  // namespace rota::mpi
