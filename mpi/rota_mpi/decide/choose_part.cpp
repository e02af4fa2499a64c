#include "rota_mpi/decide/choose_part.hpp"

#include <algorithm>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/all_to_many/all_to_many_choice.hpp"
#include "rota/generators/all_to_many/everybody_on_hosts.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/over_links.hpp"
#include "rota/schedule/parcels.hpp"
#include "rota_mpi/decide/choose.hpp"

namespace rota::mpi {

namespace {

constexpr std::uint64_t seed = 0;  // schedules that differ by it are equally good

const Wish& wish_of(const Settings& settings) { return settings.wish(Collective::all_to_many); }

bool is_asked_for(const Settings& settings) { return wish_of(settings).algorithm >= 0; }

const AllToManyAlgorithm& asked_for(const Settings& settings) {
  return all_to_many_algorithms()[static_cast<std::size_t>(wish_of(settings).algorithm)];
}

int position_of(std::string_view name) {
  return static_cast<int>(find_all_to_many(name) - all_to_many_algorithms().data());
}

struct NamedSchedule {
  std::string_view name;
  Schedule schedule;
};

/// On hosts, if there are any that ranks share.
NamedSchedule schedule_of(const std::shared_ptr<const Pattern>& pattern,
                          const std::shared_ptr<const Hosts>& hosts, const Settings& settings) {
  if (is_asked_for(settings))
    return {asked_for(settings).name, asked_for(settings).schedule(pattern, hosts, seed)};
  AllToManyChoice best = best_all_to_many(pattern, hosts, network_of(settings), seed);
  return {best.algorithm, std::move(best.schedule)};
}

/// Hosts that share nothing to send to each other are none.
bool are_ports(const std::shared_ptr<const Hosts>& hosts) {
  return hosts != nullptr && !are_on_one(hosts.get());
}

std::int64_t most_parcels(const Parcels& parcels) {
  std::size_t most = 0;
  for (Rank sender = 0; sender < parcels.pattern().ranks(); ++sender)
    most = std::max(most, parcels.from(sender).size());
  return static_cast<std::int64_t>(most);
}

// Measured on the lab (docs/performance.md): what a message costs besides its bytes is more by a schedule, whose rounds wait for
// each other, than in the MPI library's collective.
std::int64_t least_mean_message_bytes(NativeLibrary library) {
  constexpr std::int64_t kibibyte = 1024;
  return (library == NativeLibrary::mpich ? 64 : 16) * kibibyte;
}

/// A schedule keeps messages apart that meet at a port. Where a few ports have most of the bytes, they hardly
/// meet.
bool is_even(const Pattern& pattern) {
  return 2 * pattern.total_bytes() >= pattern.ranks() * pattern.port_bytes();
}

/// By the pattern of ports.
const char* reason_of_pattern(const Pattern& ports, const Settings& settings) {
  return is_asked_for(settings) || is_even(ports) ? nullptr : "few ports are busy";
}

/// The bytes that pass each link of the busiest host, or its ranks where these are fewer, where everybody has
/// as many for everybody.
std::int64_t busiest_bytes(const Hosts& hosts, std::int64_t bytes) {
  const auto ranks = static_cast<std::int64_t>(hosts.of_rank.size());
  std::int64_t most = 0;
  for (const std::vector<Rank>& host : hosts.ranks) {
    const auto own = static_cast<std::int64_t>(host.size());
    const auto links = std::min<std::int64_t>(own, hosts.links);
    most = std::max(most, (own * (ranks - own) * bytes + links - 1) / links);
  }
  return most;
}

Plan left_to_native(const char* reason) {
  Plan plan;
  plan.reason = reason;
  return plan;
}

Pattern everybody(Rank ranks, std::int64_t bytes) {
  std::vector<Shipment> shipments;
  for (Rank from = 0; from < ranks; ++from) {
    for (Rank to = 0; to < ranks; ++to) {
      if (from != to) shipments.push_back({from, to, bytes});
    }
  }
  return {ranks, shipments};
}

}  // namespace

const char* reason_for_native_all_to_many(Rank ranks, const Settings& settings) {
  if (wish_of(settings).off) return "switched off";
  if (ranks == 1) return "one rank";
  return ranks == 2 && !is_asked_for(settings) ? "two ranks" : nullptr;
}

const char* reason_for_native_all_to_many(Rank ranks, std::int64_t port_bytes, const Settings& settings) {
  const char* const reason = reason_for_native_all_to_many(ranks, settings);
  if (reason != nullptr) return reason;
  if (port_bytes == 0) return "no data";
  return port_bytes < native_below(Collective::all_to_many, settings) ? "small" : nullptr;
}

const char* reason_of_messages(std::int64_t port_bytes, std::int64_t messages, const Settings& settings) {
  if (is_asked_for(settings)) return nullptr;
  return port_bytes < messages * least_mean_message_bytes(settings.native) ? "small messages" : nullptr;
}

const char* reason_of_hosts(const Hosts* hosts, const Settings& settings) {
  return are_on_one(hosts) && !is_asked_for(settings) ? "one host" : nullptr;
}

Plan plan_for(const std::shared_ptr<const Pattern>& pattern, const std::shared_ptr<const Hosts>& hosts,
              Rank rank, const Settings& settings, const Pieces& pieces) {
  const auto ports =
      are_ports(hosts) ? std::make_shared<const Pattern>(pattern_of_hosts(*pattern, *hosts)) : pattern;
  const char* const reason = reason_of_pattern(*ports, settings);
  if (reason != nullptr) return left_to_native(reason);
  const auto [name, schedule] = schedule_of(pattern, are_ports(hosts) ? hosts : nullptr, settings);
  Plan plan;
  plan.part = std::make_shared<const Part>(part_of(schedule, rank, pieces.bytes));
  plan.in_flight = pieces.in_flight;
  plan.algorithm = position_of(name);
  plan.port_bytes = are_ports(hosts) ? bytes_over_links(*pattern, *hosts) : pattern->port_bytes();
  plan.most_parcels = most_parcels(*schedule.problem.parcels);
  plan.rounds = schedule.rounds;
  plan.least_rounds = pattern->degree();
  return plan;
}

Plan plan_for_own(const std::vector<Shipment>& own, Rank rank, Rank ranks, std::int64_t port_bytes,
                  std::int64_t degree, const Pieces& pieces) {
  constexpr std::string_view pairwise = "lp";
  const Schedule schedule =
      find_all_to_many(pairwise)->schedule(std::make_shared<const Pattern>(ranks, own), nullptr, seed);
  Plan plan;
  plan.part = std::make_shared<const Part>(part_of(schedule, rank, pieces.bytes));
  plan.in_flight = pieces.in_flight;
  plan.algorithm = position_of(pairwise);
  plan.port_bytes = port_bytes;
  plan.most_parcels = plan.least_rounds = degree;
  plan.rounds = schedule.rounds;
  return plan;
}

std::int64_t port_bytes_of_everybody(Rank ranks, const std::shared_ptr<const Hosts>& hosts,
                                     std::int64_t bytes) {
  return are_ports(hosts) ? busiest_bytes(*hosts, bytes) : (ranks - 1) * bytes;
}

Plan plan_for_everybody(Rank rank, Rank ranks, const std::shared_ptr<const Hosts>& hosts, std::int64_t bytes,
                        const Settings& settings, const Pieces& pieces) {
  if (is_asked_for(settings) && asked_for(settings).name != "exact") {
    const auto pattern = std::make_shared<const Pattern>(everybody(ranks, bytes));
    return plan_for(pattern, hosts, rank, settings, pieces);
  }
  const char* const reason = reason_of_messages((ranks - 1) * bytes, ranks - 1, settings);
  if (reason != nullptr) return left_to_native(reason);
  Plan plan;
  plan.in_flight = pieces.in_flight;
  plan.algorithm = position_of("exact");
  plan.most_parcels = plan.least_rounds = ranks - 1;
  plan.port_bytes = port_bytes_of_everybody(ranks, hosts, bytes);
  const auto by = [&](const auto& everybody) {
    plan.rounds = everybody.rounds();
    plan.part = std::make_shared<const Part>(part_of_everybody(
        plan.rounds, [&](Round round) { return everybody.peers(rank, round); }, bytes, pieces.bytes));
    return plan;
  };
  return are_ports(hosts) ? by(EverybodyOnHosts(hosts)) : by(Everybody(ranks));
}

}  // namespace rota::mpi
