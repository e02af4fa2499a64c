// Ranks that share hosts: schedules that mind it are correct for every placement, and pass each host's link as often as they
// must; in_turns keeps both schedules' rounds in order.
#include <algorithm>
#include <iostream>
#include <map>
#include <random>

#include "extent.hpp"
#include "host_links.hpp"

namespace {

using namespace rota;

int all_that_mind(Problem problem, const Hosts& hosts) {
  problem.hosts = std::make_shared<const Hosts>(hosts);
  int held = 0;
  for (const Algorithm& algorithm : algorithms()) {
    problem.collective = algorithm.collective;
    if (!algorithm.minds(hosts) || !algorithm.solves(problem)) continue;
    checked(algorithm, problem);
    ++held;
  }
  return held;
}

void small_ones() {
  for (Rank ranks = 1; ranks <= ranks_up_to(16); ++ranks) {
    for (Rank count = 1; count <= ranks; ++count) {
      for (const BlockIndex blocks : {1, 2, 5}) {
        for (Rank root = 0; root < ranks; root += ranks / 3 + 1) {
          const int held = all_that_mind({{}, ranks, root, blocks}, hosts_in_a_row(ranks, count));
          require(held == 13, std::to_string(held) + " schedules mind hosts in a row");
          all_that_mind({{}, ranks, root, blocks}, dealt(ranks, count));
        }
        const int in_order =
            all_that_mind({{}, ranks, ranks - 1, blocks, {}, true}, hosts_in_a_row(ranks, count));
        require(in_order == 6, std::to_string(in_order) + " schedules mind hosts and order");
      }
    }
  }
}

void some_at_random() {
  std::mt19937 random(2026);
  for (int i = 0; i < cases(200); ++i) {
    const Placed placed = placed_at_random(random);
    all_that_mind(placed.problem, hosts_called(placed.host_names));
    std::vector<Rank> in_a_row = placed.host_names;
    std::ranges::sort(in_a_row);
    all_that_mind(placed.problem, hosts_called(in_a_row));
  }
}

/// The bytes that pass links in each round, the most out of a host, or into one, over all rounds.
std::int64_t longest_over_links(const Schedule& schedule, const std::vector<std::int64_t>& block_bytes) {
  std::map<std::pair<Round, Rank>, std::int64_t> out;
  std::map<std::pair<Round, Rank>, std::int64_t> in;
  std::map<Round, std::int64_t> most;
  over_links(schedule, [&](Round round, Rank from, Rank to, const Blocks& blocks) {
    for (const Block& block : blocks) {
      const std::int64_t bytes = block_bytes[static_cast<std::size_t>(block.owner)];
      most[round] = std::max({most[round], out[{round, from}] += bytes, in[{round, to}] += bytes});
    }
  });
  std::int64_t all = 0;
  for (const auto& [round, bytes] : most) all += bytes;
  return all;
}

/// Whatever shares are: where owners go abreast, all rounds over links together are as long as what the
/// busiest host must receive, and what its n-th takes until it has reached all hosts.
void rounds_are_even() {
  std::mt19937 random(3);
  const auto up_to = [&](Rank most) { return std::uniform_int_distribution<Rank>(1, most)(random); };
  const Algorithm& abreast = *find_algorithm(Collective::allgather, "hierarchical_abreast");
  for (int i = 0; i < cases(100); ++i) {
    const Rank ranks = 1 + up_to(20);
    Problem problem{Collective::allgather, ranks, 0, up_to(30)};
    problem.hosts = std::make_shared<const Hosts>(dealt(ranks, up_to(ranks)));
    std::vector<std::int64_t> block_bytes;
    std::map<Rank, std::int64_t> of_host;
    for (Rank rank = 0; rank < ranks; ++rank) {
      block_bytes.push_back(up_to(1000));
      of_host[problem.hosts->of_rank[static_cast<std::size_t>(rank)]] += block_bytes.back();
    }
    std::int64_t all = 0;
    std::int64_t least = of_host.begin()->second;
    for (const auto& [host, bytes] : of_host) all += bytes, least = std::min(least, bytes);
    const Schedule schedule = abreast.schedule(problem);
    const std::int64_t times = problem.blocks - 1 + ceil_log2(static_cast<Rank>(of_host.size()));
    require(longest_over_links(schedule, block_bytes) <= times * (all - least),
            text(schedule.problem) + ": rounds are too long");
  }
}

/// Rank 0 sends its n blocks to rank 1 in the one schedule, rank 1 to rank 2 in the other.
void turns_keep_their_order() {
  for (const BlockIndex blocks : {1, 2, 3, 7}) {
    for (const Round lead : {1, 2, 3, 9}) {
      const Problem problem{Collective::broadcast, 3, 0, blocks};
      const auto hop = [&](Rank from) -> Embedded {
        const Problem pair{Collective::broadcast, 2, 0, blocks};
        return {find_algorithm(Collective::broadcast, "chain")->schedule(pair),
                {from, from + 1},
                [](Block block) { return Blocks(Block{0, block.index}); }};
      };
      const Schedule schedule =
          in_turns(problem, side_by_side(problem, {hop(0)}), side_by_side(problem, {hop(1)}), lead);
      require(verify(schedule).empty(), "in turns, lead " + std::to_string(lead));
      require(schedule.rounds == 2 * blocks, "in turns: as many rounds as both have");
    }
  }
}

void what_is_wrong_is_refused() {
  const auto refuses = [](const auto& action) {
    try {
      action();
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  require(refuses([] { hosts_in_a_row(4, 0); }), "no hosts");
  require(refuses([] { hosts_in_a_row(4, 5); }), "more hosts than ranks");
  require(refuses([] { with_links(hosts_in_a_row(4, 2), 0); }), "no links");
  require(refuses([] {
            Problem problem{Collective::broadcast, 4};
            problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(5, 2));
            require_valid(problem);
          }),
          "hosts of other ranks");
  require(refuses([] {
            find_algorithm(Collective::broadcast, "hierarchical")->schedule({Collective::broadcast, 4});
          }),
          "hierarchical without hosts");
}

}  // namespace

int main() try {
  turns_keep_their_order();
  small_ones();
  some_at_random();
  rounds_are_even();
  what_is_wrong_is_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
