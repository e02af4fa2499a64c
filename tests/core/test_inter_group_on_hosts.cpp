// Between two groups whose ranks share hosts: schedules that mind it are correct for every placement and mind hosts' ports; where one
// group has data each byte enters a host once.
#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <tuple>

#include "extent.hpp"
#include "on_hosts.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/link_bound.hpp"
#include "rota/model/simulate.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"

namespace {

using namespace rota;

using SharedHosts = std::shared_ptr<const Hosts>;

std::string text(const Algorithm& algorithm, const Problem& problem) {
  std::string hosts;
  for (const Rank host : problem.hosts->of_rank) hosts.append(" ").append(std::to_string(host));
  return std::string(algorithm.name) + " " + std::string(name(problem.collective)) + ", first group " +
         std::to_string(problem.first_group) + ", root " + std::to_string(problem.root) +
         ", n = " + std::to_string(problem.blocks) + ", hosts" + hosts;
}

/// The most bytes that enter a host, or leave one.
std::int64_t busiest_link(const Schedule& schedule) {
  const BlockBytes bytes_of = inter_share_bytes(schedule.problem);
  std::map<Rank, std::int64_t> in;
  std::map<Rank, std::int64_t> out;
  over_links(schedule, [&](Round, Rank from, Rank to, const Blocks& blocks) {
    for (const Block block : blocks) {
      out[from] += bytes_of(block);
      in[to] += bytes_of(block);
    }
  });
  std::int64_t most = 0;
  for (const auto& [host, bytes] : in) most = std::max({most, bytes, out[host]});
  return most;
}

/// Of all schedules that mind its hosts; how many there were.
int check(const Problem& problem) {
  int count = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != problem.collective || !algorithm.solves(problem) ||
        !algorithm.minds(*problem.hosts))
      continue;
    ++count;
    const std::string what = text(algorithm, problem);
    const Schedule schedule = algorithm.schedule(problem);
    const std::vector<Violation> violations = verify(schedule);
    require(violations.empty(), what + ": " + (violations.empty() ? std::string() : violations[0].fault));
  }
  return count;
}

Problem between(Collective collective, Rank p, Rank q, BlockIndex blocks, const SharedHosts& hosts) {
  Problem problem{collective, p + q, 0, blocks};
  problem.first_group = p;
  problem.hosts = hosts;
  return problem;
}

Problem shared_out(Rank p, Rank q, BlockIndex blocks, const SharedHosts& hosts,
                   std::vector<std::int64_t> shares) {
  Problem problem = between(Collective::inter_allgather, p, q, blocks, hosts);
  problem.shares = std::move(shares);
  return problem;
}

std::vector<std::int64_t> shares_of(Rank p, Rank q, std::int64_t first, std::int64_t second) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(p), first);
  shares.insert(shares.end(), static_cast<std::size_t>(q), second);
  return shares;
}

void check_all(Rank p, Rank q, const SharedHosts& hosts, std::mt19937& random) {
  const auto blocks = static_cast<BlockIndex>(1 + random() % 6);
  for (const Rank root : {Rank{0}, p - 1, p, p + q - 1}) {
    for (const Collective collective : {Collective::inter_broadcast, Collective::inter_reduce}) {
      Problem problem = between(collective, p, q, blocks, hosts);
      problem.root = root;
      require(check(problem) > 0, "no schedule");
    }
  }
  std::vector<std::int64_t> unequal(static_cast<std::size_t>(p + q));
  for (std::int64_t& share : unequal) share = static_cast<std::int64_t>(random() % 50);
  for (const auto& shares :
       {shares_of(p, q, 60, 0), shares_of(p, q, 0, 60), shares_of(p, q, 60, 24), unequal})
    require(check(shared_out(p, q, blocks, hosts, shares)) > 0, "no schedule");
}

SharedHosts random_hosts(Rank ranks, std::mt19937& random) {
  const auto count = 1 + random() % static_cast<std::uint32_t>(ranks);
  std::vector<Rank> names(static_cast<std::size_t>(ranks));
  for (Rank& name : names) name = static_cast<Rank>(random() % count);
  return std::make_shared<const Hosts>(hosts_called(names));
}

void all_sizes() {
  std::mt19937 random(1);
  for (Rank ranks = 2; ranks <= ranks_up_to(16); ++ranks) {
    for (Rank p = 1; p < ranks; ++p) {
      for (Rank count = 1; count <= ranks; ++count)
        check_all(p, ranks - p, std::make_shared<const Hosts>(hosts_in_a_row(ranks, count)), random);
    }
  }
}

void random_placements() {
  std::mt19937 random(2);
  for (int i = 0; i < cases(200); ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 39);
    const auto p = static_cast<Rank>(1 + random() % static_cast<std::uint32_t>(ranks - 1));
    check_all(p, ranks - p, random_hosts(ranks, random), random);
  }
}

/// On hosts that either group has for itself.
void each_byte_enters_a_host_once() {
  for (const auto& [p, q] : {std::pair<Rank, Rank>{8, 8}, {4, 12}, {12, 4}}) {
    const Problem problem =
        shared_out(p, q, 12, std::make_shared<const Hosts>(hosts_in_a_row(16, 4)), shares_of(p, q, 120, 0));
    const Algorithm* const algorithm = find_algorithm(Collective::inter_allgather, "hierarchical");
    const std::int64_t bytes = busiest_link(algorithm->schedule(problem));
    const double bound = link_bytes_between(problem, 0);
    require(bound == 120.0 * p, "another bound");
    require(static_cast<double>(bytes) == bound,
            text(*algorithm, problem) + ": " + std::to_string(bytes) + " bytes");
  }
}

std::int64_t blocks_received(const Schedule& schedule, Rank rank) {
  std::int64_t received = 0;
  const RankSchedule steps = schedule.of_rank(rank);
  for (Round round = 0; round < schedule.rounds; ++round)
    received += static_cast<std::int64_t>(steps(round).receive.blocks.size());
  return received;
}

/// On a host of senders only the first one has any use for what others have: it sends it to other hosts.
void senders_receive_nothing() {
  for (const auto& [p, q, count] :
       {std::tuple<Rank, Rank, Rank>{8, 8, 4}, {4, 12, 4}, {12, 4, 4}, {6, 3, 3}}) {
    const auto hosts = std::make_shared<const Hosts>(hosts_in_a_row(p + q, count));
    const Problem problem = shared_out(p, q, 5, hosts, shares_of(p, q, 120, 0));
    const Algorithm* const algorithm = find_algorithm(Collective::inter_allgather, "hierarchical");
    const Schedule schedule = algorithm->schedule(problem);
    for (Rank rank = 0; rank < p + q; ++rank) {
      const std::int64_t received = blocks_received(schedule, rank);
      const bool is_leader = hosts->place_of(rank) == 0;
      if (rank >= p)
        require(received == 5 * p, text(*algorithm, problem) + ": a receiver lacks data, or gets some twice");
      if (rank < p && !is_leader) require(received == 0, text(*algorithm, problem) + ": a sender receives");
    }
  }
}

void the_bound_of_its_header() {
  Problem problem =
      shared_out(3, 2, 1, std::make_shared<const Hosts>(hosts_called({0, 0, 1, 1, 2})), {6, 6, 4, 0, 0});
  require(link_bytes_between(problem, 0) == 16, "16 bytes enter C");
  problem.hosts = std::make_shared<const Hosts>(hosts_called({0, 0, 0, 1, 1}));
  require(link_bytes_between(problem, 0) == 16, "16 bytes leave A");
  Problem rooted =
      between(Collective::inter_broadcast, 1, 2, 1, std::make_shared<const Hosts>(hosts_called({0, 0, 0})));
  require(link_bytes_between(rooted, 7) == 0, "all are on one host");
  rooted.hosts = std::make_shared<const Hosts>(hosts_called({0, 0, 1}));
  require(link_bytes_between(rooted, 7) == 7, "one is elsewhere");
}

}  // namespace

int main() try {
  all_sizes();
  random_placements();
  each_byte_enters_a_host_once();
  senders_receive_nothing();
  the_bound_of_its_header();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
