// Ranks that share hosts, simulated: with one rank a host all is as without hosts; schedules that say that they rotate by hosts do, and
// one host's play is all hosts', to the bit; and what links carry at the same time adds up.
#include "rota/model/simulate_on_hosts.hpp"

#include <cmath>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "require.hpp"
#include "rota/generators/all_to_many/everybody_on_hosts.hpp"
#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/schedule/host_rotation.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"

namespace {

using namespace rota;

constexpr HostNetwork network{
    {.latency_s = 1.7e-6, .seconds_per_byte = 3.1e-10, .seconds_per_combined_byte = 1.3e-10},
    4.1e-7,
    0.7e-10};

using SharedHosts = std::shared_ptr<const Hosts>;

SharedHosts in_a_row(Rank hosts, Rank per_host) {
  return std::make_shared<const Hosts>(hosts_in_a_row(hosts * per_host, hosts));
}

SharedHosts in_turn(Rank hosts, Rank per_host) {
  std::vector<Rank> names;
  for (Rank rank = 0; rank < hosts * per_host; ++rank) names.push_back(rank % hosts);
  return std::make_shared<const Hosts>(hosts_called(names));
}

std::string words(const Algorithm& algorithm, const Problem& problem) {
  return std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) + ", " +
         std::to_string(problem.ranks) + " ranks on " + std::to_string(problem.hosts->count()) +
         " hosts, n = " + std::to_string(problem.blocks);
}

/// Of all algorithms that serve these ranks.
template <typename Check>
void of_all(const SharedHosts& hosts, BlockIndex blocks, const Check& check) {
  for (const Algorithm& algorithm : algorithms()) {
    Problem problem{algorithm.collective, static_cast<Rank>(hosts->of_rank.size()), 0, blocks};
    problem.hosts = hosts;
    if (is_inter_group(problem.collective) || !algorithm.solves(problem)) continue;
    check(algorithm.schedule(problem), words(algorithm, problem), algorithm);
  }
}

bool is_near(double one, double other) { return std::abs(one - other) <= 1e-12 * (one + other); }

/// Whatever the schedule: links are never waited for.
void one_rank_a_host() {
  for (const Rank ranks : {1, 2, 3, 7, 8, 13, 24}) {
    for (const BlockIndex blocks : {1, 3, 8}) {
      of_all(in_a_row(ranks, 1), blocks,
             [](const Schedule& schedule, const std::string& what, const Algorithm&) {
               const BlockBytes bytes = equal_cuts(schedule.problem, 100003);
               const Simulation with = simulate_all_hosts(schedule, network, bytes);
               const Simulation without = simulate(schedule, network.links, bytes);
               for (std::size_t rank = 0; rank < with.finish_s.size(); ++rank)
                 require(is_near(with.finish_s[rank], without.finish_s[rank]), what + ": another end");
               require(with.port_bytes == without.port_bytes, what + ": other bytes");
             });
    }
  }
}

void require_alike(const Schedule& schedule, const BlockBytes& bytes, const std::string& what) {
  const auto fault = host_rotation_fault(schedule);
  require(!fault.has_value(), what + ": " + fault.value_or(""));
  const Simulation one = simulate_on_hosts(schedule, network, bytes);
  const Simulation all = simulate_all_hosts(schedule, network, bytes);
  require(one.basis == Basis::one_host_for_all, what + ": all hosts were asked");
  require(one.seconds == all.seconds && one.port_bytes == all.port_bytes && one.finish_s == all.finish_s,
          what + ": one host's play is not all hosts'");
}

void one_host_for_all() {
  std::set<std::string> rotating;
  for (const Rank hosts : {1, 2, 3, 4, 7, 8, 9}) {
    for (const Rank per_host : {1, 2, 3, 5}) {
      for (const Rank links : {1, 2}) {
        for (const SharedHosts& row : {in_a_row(hosts, per_host), in_turn(hosts, per_host)}) {
          const auto placed = std::make_shared<const Hosts>(with_links(*row, links));
          for (const BlockIndex blocks : {1, 2, 5}) {
            of_all(placed, blocks,
                   [&](const Schedule& schedule, const std::string& what, const Algorithm& algorithm) {
                     if (schedule.symmetry != Symmetry::rotation_of_hosts) return;
                     rotating.insert(std::string(name(algorithm.collective)));
                     const std::int64_t bytes = std::int64_t{1000} * hosts * per_host * 2;
                     require_alike(schedule, equal_cuts(schedule.problem, bytes), what);
                   });
          }
        }
      }
    }
  }
  // A broadcast to one rank, or host, rotates too.
  rotating.erase("broadcast");
  rotating.erase("reduce");
  require(rotating == std::set<std::string>{"allgather", "reduce_scatter", "allreduce"},
          "other schedules rotate by hosts than were thought to");
}

/// Data of other sizes: every rank is asked.
void shares_that_differ() {
  of_all(in_a_row(3, 2), 2,
         [](const Schedule& schedule, const std::string& what, const Algorithm& algorithm) {
           if (algorithm.name != "hierarchical" || algorithm.collective != Collective::allgather) return;
           const std::vector<std::int64_t> shares{1, 2, 3, 4, 5, 6};
           const Simulation simulation =
               simulate_on_hosts(schedule, network, cuts_of_shares(schedule.problem, shares));
           require(simulation.basis == Basis::every_rank, what + ": one host was asked");
           require(simulation.port_bytes == 1 + 2 + 3 + 4 + 5 + 6 - 3, what + ": other bytes");
         });
}

/// What the rounds say, as one list: the schedule that on_hosts makes of the same exchange takes as many
/// bytes over links.
void everybody() {
  for (const Rank hosts : {2, 3, 5, 8}) {
    for (const Rank per_host : {1, 2, 3, 4}) {
      for (const SharedHosts& placed : {in_a_row(hosts, per_host), in_turn(hosts, per_host)}) {
        const auto rounds = std::make_shared<const EverybodyOnHosts>(placed);
        const std::string what = std::to_string(hosts) + " hosts of " + std::to_string(per_host);
        require(rounds->rounds() == hosts * per_host - 1, what + ": other rounds");
        const BlockBytes bytes = [](Block) { return 1000; };
        const Schedule schedule = everybody_to_everybody(rounds);
        require_alike(schedule, bytes, what);
        const Simulation found = simulate_on_hosts(schedule, network, bytes);
        require(found.port_bytes == 1000 * per_host * per_host * (hosts - 1), what + ": other bytes");
      }
    }
  }
}

/// 0 -> 2 and 1 -> 3 over one link take twice the bytes and one latency; over two links, once.
void links_carry_one_message_at_a_time() {
  const std::vector<Shipment> shipments{{0, 2, 1000}, {1, 3, 1000}};
  const auto pattern = std::make_shared<const Pattern>(4, shipments);
  for (const Rank links : {1, 2}) {
    const auto hosts = std::make_shared<const Hosts>(with_links(hosts_in_a_row(4, 2), links));
    const auto of_hosts = std::make_shared<const Pattern>(pattern_of_hosts(*pattern, *hosts));
    const Schedule schedule = all_to_many_on_hosts(pattern, hosts, exact_permutations(of_hosts, 1), 1);
    const double seconds = simulate_on_hosts(schedule, network, parcel_bytes(schedule.problem)).seconds;
    const double bytes = links == 1 ? 2000 : 1000;
    require(is_near(seconds, network.links.latency_s + bytes * network.links.seconds_per_byte),
            std::to_string(seconds) + " s over " + std::to_string(links) + " links");
  }
}

/// Of an allreduce over hosts of many ranks the model takes about as many blocks as are best.
void blocks_by_the_model() {
  for (const Rank per_host : {1, 4, 16, 64}) {
    Problem problem{Collective::allreduce, 100 * per_host};
    problem.hosts = in_a_row(100, per_host);
    const Algorithm& algorithm = *find_algorithm(Collective::allreduce, "hierarchical");
    const auto seconds = [&](BlockIndex blocks) {
      problem.blocks = blocks;
      const Schedule schedule = algorithm.schedule(problem);
      return simulate_on_hosts(schedule, network, equal_cuts(schedule.problem, 64000000)).seconds;
    };
    double least = seconds(1);
    for (BlockIndex blocks = 2; blocks <= 256; blocks *= 2) least = std::min(least, seconds(blocks));
    const BlockIndex chosen =
        best_blocks(algorithm.pipeline(load_of(problem, 64000000)), network.links, 64000000);
    require(seconds(chosen) < 1.05 * least, std::to_string(chosen) + " blocks for hosts of " +
                                                std::to_string(per_host) + " ranks are not the best");
  }
}

}  // namespace

int main() {
  try {
    one_rank_a_host();
    one_host_for_all();
    shares_that_differ();
    everybody();
    links_carry_one_message_at_a_time();
    blocks_by_the_model();
    std::cout << "ok\n";
  } catch (const std::exception& fault) {
    std::cerr << fault.what() << '\n';
    return 1;
  }
}
