// Ranks that share hosts: schedules that mind it are correct for every placement, and pass each host's link as often as they
// must; in_turns keeps both schedules' rounds in order.
#include <cmath>
#include <iostream>
#include <map>
#include <random>

#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/bound.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/hosts.hpp"

namespace {

using namespace rota;

std::string text(const Problem& problem) {
  std::string hosts;
  for (const Rank host : problem.hosts->of_rank) hosts.append(" ").append(std::to_string(host));
  return std::string(name(problem.collective)) + ", root " + std::to_string(problem.root) +
         ", n = " + std::to_string(problem.blocks) + ", owners " + std::to_string(owners_of(problem).size()) +
         ", hosts" + hosts;
}

/// The most blocks that leave a host, and that come to one.
struct LinkBlocks {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

LinkBlocks link_blocks(const Schedule& schedule) {
  const std::vector<Rank>& host_of = schedule.problem.hosts->of_rank;
  std::map<Rank, LinkBlocks> links;
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round) {
      const Step step = steps(round);
      if (step.send.blocks.empty()) continue;
      const Rank from = host_of[static_cast<std::size_t>(rank)];
      const Rank to = host_of[static_cast<std::size_t>(step.send.peer)];
      if (from == to) continue;
      links[from].sent += static_cast<std::int64_t>(step.send.blocks.size());
      links[to].received += static_cast<std::int64_t>(step.send.blocks.size());
    }
  }
  LinkBlocks most;
  for (const auto& [host, blocks] : links) {
    most.sent = std::max(most.sent, blocks.sent);
    most.received = std::max(most.received, blocks.received);
  }
  return most;
}

/// What must pass the link of the busiest host one way.
std::int64_t least_link_blocks(const Problem& problem) {
  const Rank hosts = problem.hosts->count();
  if (hosts == 1) return 0;
  const std::vector<Rank> owners = owners_of(problem);
  std::map<Rank, std::int64_t> owned;
  for (const Rank owner : owners) owned[problem.hosts->of_rank[static_cast<std::size_t>(owner)]] += 1;
  std::int64_t least =
      static_cast<std::int64_t>(owned.size()) < hosts ? 0 : static_cast<std::int64_t>(owners.size());
  for (const auto& [host, count] : owned) least = std::min(least, count);
  switch (problem.collective) {
    case Collective::allgather:
    case Collective::reduce_scatter:
      return problem.blocks * (static_cast<std::int64_t>(owners.size()) - least);
    case Collective::allreduce:
      return 2 * problem.blocks * (hosts - 1);
    default:
      return problem.blocks;
  }
}

/// Who has much sends it oftener than others receive it, as a broadcast's root does; in reductions the other
/// way round.
std::int64_t busiest_link(const Algorithm& algorithm, const LinkBlocks& blocks) {
  const bool is_evened_out =
      algorithm.name != "hierarchical" || algorithm.collective == Collective::allreduce;
  if (is_evened_out) return std::max(blocks.sent, blocks.received);
  const bool reduces =
      algorithm.collective == Collective::reduce || algorithm.collective == Collective::reduce_scatter;
  return reduces ? blocks.sent : blocks.received;
}

void holds(const Algorithm& algorithm, const Problem& problem) {
  const Schedule schedule = algorithm.schedule(problem);
  const std::vector<Violation> violations = verify(schedule);
  const std::string where = std::string(algorithm.name) + " " + text(schedule.problem) + ": ";
  require(violations.empty(), where + (violations.empty() ? std::string() : violations[0].fault));
  const std::int64_t blocks = busiest_link(algorithm, link_blocks(schedule));
  const std::int64_t most = least_link_blocks(schedule.problem) * (problem.in_order ? 2 : 1);
  require(blocks <= most, where + std::to_string(blocks) + " blocks over a link");
}

int all_that_mind(Problem problem, const Hosts& hosts) {
  problem.hosts = std::make_shared<const Hosts>(hosts);
  int held = 0;
  for (const Algorithm& algorithm : algorithms()) {
    problem.collective = algorithm.collective;
    if (!algorithm.minds(hosts) || !algorithm.solves(problem)) continue;
    holds(algorithm, problem);
    ++held;
  }
  return held;
}

Hosts dealt(Rank ranks, Rank count) {
  std::vector<Rank> names(static_cast<std::size_t>(ranks));
  for (std::size_t rank = 0; rank < names.size(); ++rank) names[rank] = static_cast<Rank>(rank) % count;
  return hosts_called(names);
}

void small_ones() {
  for (Rank ranks = 1; ranks <= 14; ++ranks) {
    for (Rank count = 1; count <= ranks; ++count) {
      for (const BlockIndex blocks : {1, 2, 5}) {
        for (Rank root = 0; root < ranks; root += ranks / 3 + 1) {
          const int held = all_that_mind({{}, ranks, root, blocks}, hosts_in_a_row(ranks, count));
          require(held == 9, std::to_string(held) + " schedules mind hosts in a row");
          all_that_mind({{}, ranks, root, blocks}, dealt(ranks, count));
        }
        const int in_order =
            all_that_mind({{}, ranks, ranks - 1, blocks, {}, true}, hosts_in_a_row(ranks, count));
        require(in_order == 4, std::to_string(in_order) + " schedules mind hosts and order");
      }
    }
  }
}

void some_at_random() {
  std::mt19937 random(2026);
  const auto up_to = [&](Rank most) { return std::uniform_int_distribution<Rank>(1, most)(random); };
  for (int i = 0; i < 150; ++i) {
    const Rank ranks = up_to(40);
    const Rank most_hosts = up_to(ranks);
    std::vector<Rank> names;
    std::vector<Rank> owners;
    for (Rank rank = 0; rank < ranks; ++rank) {
      names.push_back(10 * up_to(most_hosts));
      if (up_to(3) == 1) owners.push_back(rank);
    }
    all_that_mind({{}, ranks, up_to(ranks) - 1, up_to(9), owners}, hosts_called(names));
  }
}

/// As many bytes as there are blocks, so that bytes are blocks.
Load load_of(const Schedule& schedule) {
  const Problem& problem = schedule.problem;
  const auto n = static_cast<double>(problem.blocks);
  const auto owners = static_cast<double>(owners_of(problem).size());
  Load load{problem.collective, problem.ranks, owners * n, n, n};
  load.placement = placement_of(problem);
  return load;
}

/// What the cost model says is what hierarchical schedules do on hosts that are equally full.
void pipelines_agree() {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name != "hierarchical" || is_inter_group(algorithm.collective)) continue;
    for (Rank count = 2; count <= 9; ++count) {
      for (Rank each = 2; each <= 5; ++each) {
        for (const BlockIndex blocks : {1, 2, 7}) {
          Problem problem{algorithm.collective, count * each, 0, blocks};
          problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(count * each, count));
          const Schedule schedule = algorithm.schedule(problem);
          const Pipeline pipeline = algorithm.pipeline(load_of(schedule));
          const auto n = static_cast<double>(blocks);
          const double rounds =
              (pipeline.per_block + pipeline.silent_per_block) * n + pipeline.fixed + pipeline.silent_fixed;
          const LinkBlocks over_links = link_blocks(schedule);
          const auto most = static_cast<double>(std::max(over_links.sent, over_links.received));
          require(std::llround(rounds) == schedule.rounds, text(problem) + ": rounds predicted");
          require(most <= pipeline.bytes + pipeline.spread_bytes / n + 1,
                  text(problem) + ": bytes predicted");
        }
      }
    }
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
  pipelines_agree();
  what_is_wrong_is_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
