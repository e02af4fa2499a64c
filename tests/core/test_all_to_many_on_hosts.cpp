// All-to-many where ranks share hosts: schedules are correct for every placement, mind hosts' ports, and are as long as the busiest
// host's bytes; others are found out.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "extent.hpp"
#include "patterns.hpp"
#include "require.hpp"
#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/all_to_many/all_to_many_choice.hpp"
#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/over_links.hpp"
#include "rota/generators/all_to_many/unsplit_messages.hpp"
#include "rota/generators/all_to_many/weighted_permutations.hpp"
#include "rota/model/all_to_many_bound.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/parcels.hpp"

namespace {

using namespace rota;

using Shared = SharedPattern;
using SharedHosts = std::shared_ptr<const Hosts>;
using OfHosts = Schedule (*)(const Shared&, std::uint64_t);

SharedHosts random_hosts(Rank ranks, std::mt19937& random) {
  const auto count = static_cast<Rank>(1 + random() % static_cast<std::uint32_t>(ranks));
  std::vector<Rank> names(static_cast<std::size_t>(ranks));
  for (Rank& name : names) name = static_cast<Rank>(random() % static_cast<std::uint32_t>(count));
  return std::make_shared<const Hosts>(hosts_called(names));
}

SharedHosts in_a_row(Rank ranks, Rank count) {
  return std::make_shared<const Hosts>(hosts_in_a_row(ranks, count));
}

SharedHosts in_turn(Rank ranks, Rank count) {
  std::vector<Rank> names(static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < names.size(); ++rank) names[rank] = static_cast<Rank>(rank) % count;
  return std::make_shared<const Hosts>(hosts_called(names));
}

Schedule scheduled(const Shared& pattern, const SharedHosts& hosts, OfHosts of_hosts, std::uint64_t seed) {
  const auto all = std::make_shared<const Pattern>(pattern_of_hosts(*pattern, *hosts));
  return all_to_many_on_hosts(pattern, hosts, of_hosts(all, seed), seed);
}

/// By any schedule of hosts: correct; by the shortest: to the byte as long as the busiest host's bytes.
void check(const Shared& pattern, const SharedHosts& hosts, std::uint64_t seed) {
  const std::string what =
      std::to_string(pattern->ranks()) + " ranks on " + std::to_string(hosts->count()) + " hosts";
  const std::int64_t bound = pattern_of_hosts(*pattern, *hosts).port_bytes();
  for (const OfHosts of_hosts : {exact_permutations, unsplit_messages, weighted_permutations}) {
    const Schedule schedule = scheduled(pattern, hosts, of_hosts, seed);
    require_correct(schedule, what);
    require(length_bytes(schedule) >= bound, what + ": shorter than possible");
    require(schedule.rounds >= pattern->degree(), what + ": fewer rounds than possible");
    if (of_hosts == weighted_permutations)
      require(length_bytes(schedule) == bound, what + ": longer than the busiest host's bytes");
  }
}

void every_placement_of_few_ranks() {
  std::mt19937 random(1);
  for (Rank ranks = 1; ranks <= ranks_up_to(16); ++ranks) {
    for (Rank count = 1; count <= ranks; ++count) {
      for (const SharedHosts& hosts : {in_a_row(ranks, count), in_turn(ranks, count)}) {
        check(random_pattern(ranks, 1, 1, random), hosts, random());
        check(random_pattern(ranks, 0.4, 1e5, random), hosts, random());
      }
    }
  }
}

void random_placements() {
  std::mt19937 random(2);
  for (int i = 0; i < cases(200); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 40);
    check(random_pattern(ranks, 0.3, 1e5, random), random_hosts(ranks, random), random());
  }
}

/// A thousand patterns: exactly the bound.
void as_short_as_possible() {
  std::mt19937 random(3);
  for (int i = 0; i < cases(1000); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 30);
    const SharedHosts hosts = random_hosts(ranks, random);
    const Shared pattern =
        random_pattern(ranks, std::uniform_real_distribution(0.05, 1.0)(random), 1e6, random);
    const Schedule schedule = scheduled(pattern, hosts, weighted_permutations, random());
    require(length_bytes(schedule) == pattern_of_hosts(*pattern, *hosts).port_bytes(),
            "longer than the bound");
  }
}

/// Everybody to everybody, whole messages: as long as the bound, and in the fewest rounds between hosts.
void everybody() {
  std::mt19937 random(4);
  for (const Rank per_host : {1, 2, 4, 8}) {
    for (const Rank count : {2, 3, 8}) {
      const Rank ranks = per_host * count;
      const Shared pattern = random_pattern(ranks, 1, 1, random);
      for (const SharedHosts& hosts : {in_a_row(ranks, count), in_turn(ranks, count)}) {
        const Schedule schedule = scheduled(pattern, hosts, exact_permutations, 1);
        require_correct(schedule, "everybody");
        require(length_bytes(schedule) == pattern_of_hosts(*pattern, *hosts).port_bytes(), "too long");
        require(schedule.rounds == ranks - 1, "too many rounds");
        require(std::cmp_equal(listed(schedule).size(), pattern->messages()), "a message is cut");
      }
    }
  }
}

/// Over several links: correct, and to the byte as long as the busiest host, or rank, must be.
void check_over_links(const Shared& pattern, const SharedHosts& placed, Rank links, std::uint64_t seed) {
  const auto hosts = std::make_shared<const Hosts>(with_links(*placed, links));
  const std::string what = std::to_string(pattern->ranks()) + " ranks on " + std::to_string(hosts->count()) +
                           " hosts of " + std::to_string(links) + " links";
  const Schedule schedule = all_to_many_over_links(pattern, hosts, 1, seed);
  require_correct(schedule, what);
  require(length_bytes(schedule) == bytes_over_links(*pattern, *hosts), what + ": not as long as it must be");
  const Schedule grained = all_to_many_over_links(pattern, hosts, 1000, seed);
  require_correct(grained, what + ", in grains");
  require(length_bytes(grained) >= bytes_over_links(*pattern, *hosts), what + ": shorter than possible");
}

void over_several_links() {
  std::mt19937 random(6);
  for (Rank ranks = 1; ranks <= ranks_up_to(16); ++ranks) {
    for (Rank count = 1; count <= ranks; ++count) {
      for (const SharedHosts& hosts : {in_a_row(ranks, count), in_turn(ranks, count)}) {
        for (const Rank links : {1, 2, 3})
          check_over_links(random_pattern(ranks, 0.4, 1e5, random), hosts, links, random());
      }
    }
  }
  for (int i = 0; i < cases(1000); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 24);
    const double density = std::uniform_real_distribution(0.05, 0.6)(random);
    check_over_links(random_pattern(ranks, density, 1e6, random), random_hosts(ranks, random),
                     static_cast<Rank>(2 + random() % 3), random());
  }
}

/// By its name each is the same over links as any other way: correct, no shorter than possible, and the
/// shortest exactly as long; the best takes a hundredth more than them at most.
void by_name_over_links() {
  std::mt19937 random(8);
  for (int i = 0; i < cases(100); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 24);
    const auto links = static_cast<Rank>(1 + random() % 4);
    const auto hosts = std::make_shared<const Hosts>(with_links(*random_hosts(ranks, random), links));
    const Shared pattern = random_pattern(ranks, 0.4, 1e5, random);
    const Network network{i % 2 == 0 ? 0.0 : 3000.0, 1, 0};
    const AllToManyChoice best = best_all_to_many(pattern, hosts, network, 1);
    require_correct(best.schedule, "the best");
    require(best.seconds == unsynchronised_seconds(best.schedule, network), "other seconds");
    require(best.seconds >= best.least_seconds, "faster than possible");
    if (network.latency_s == 0) require(best.seconds <= 1.01 * best.least_seconds + 1, "starts for nothing");
    for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) {
      const std::string what(algorithm.name);
      const Schedule schedule = algorithm.schedule(pattern, hosts, 1);
      require_correct(schedule, what);
      const std::int64_t least = bytes_over_links(*pattern, *hosts);
      require(length_bytes(schedule) >= least, what + ": shorter than possible");
      if (what == "weighted") require(length_bytes(schedule) == least, what + ": not as long as it must be");
      if (what == "unsplit")
        require(std::cmp_equal(listed(schedule).size(), pattern->messages()), "a message is cut");
      if (what == "exact" || what == "weighted")
        require(best.seconds <= 1.01 * unsynchronised_seconds(schedule, network),
                what + " is better than the best");
    }
  }
}

/// One link is as it was.
void one_link_is_the_hosts_port() {
  std::mt19937 random(7);
  for (int i = 0; i < cases(200); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 30);
    const SharedHosts hosts = random_hosts(ranks, random);
    const Shared pattern = random_pattern(ranks, 0.3, 1e6, random);
    require(bytes_over_links(*pattern, *hosts) == pattern_of_hosts(*pattern, *hosts).port_bytes(),
            "one link is not the host's port");
  }
}

/// What does not mind hosts is no schedule on them.
void others_are_found_out() {
  std::mt19937 random(5);
  Schedule schedule = exact_permutations(random_pattern(8, 1, 1, random), 1);
  schedule.problem.hosts = in_a_row(8, 4);
  const std::vector<Violation> violations = verify(schedule);
  const auto says = [&](const char* what) {
    return std::ranges::any_of(
        violations, [&](const Violation& each) { return each.fault.find(what) != std::string::npos; });
  };
  require(says("sends to another host") && says("receives from another host"), "a flat schedule is accepted");
}

}  // namespace

int main() try {
  every_placement_of_few_ranks();
  random_placements();
  as_short_as_possible();
  everybody();
  over_several_links();
  by_name_over_links();
  one_link_is_the_hosts_port();
  others_are_found_out();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
