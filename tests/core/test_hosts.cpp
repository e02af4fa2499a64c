// Ranks that share hosts: schedules that mind it are correct for every placement, and pass each host's link as often as they
// must; in_turns keeps both schedules' rounds in order.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <random>

#include "loads.hpp"
#include "on_hosts.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/bound.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/hosts.hpp"

namespace {

using namespace rota;

/// The most blocks that leave a host, and that come to one.
struct LinkBlocks {
  std::int64_t sent = 0;
  std::int64_t received = 0;
};

LinkBlocks link_blocks(const Schedule& schedule) {
  std::map<Rank, LinkBlocks> links;
  over_links(schedule, [&](Round, Rank from, Rank to, const Blocks& blocks) {
    links[from].sent += static_cast<std::int64_t>(blocks.size());
    links[to].received += static_cast<std::int64_t>(blocks.size());
  });
  LinkBlocks most;
  for (const auto& [host, blocks] : links) {
    most.sent = std::max(most.sent, blocks.sent);
    most.received = std::max(most.received, blocks.received);
  }
  return most;
}

/// How often a host's ranks are followed by others', or follow them.
std::int64_t most_runs(const Hosts& hosts) {
  std::map<Rank, std::int64_t> runs;
  for (std::size_t rank = 1; rank < hosts.of_rank.size(); ++rank) {
    if (hosts.of_rank[rank - 1] == hosts.of_rank[rank]) continue;
    ++runs[2 * hosts.of_rank[rank - 1]];
    ++runs[2 * hosts.of_rank[rank] + 1];
  }
  std::int64_t most = 0;
  for (const auto& [end, count] : runs) most = std::max(most, count);
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
      return 2 * problem.blocks * problem.hosts->lanes() * (hosts - 1);
    case Collective::scan:
    case Collective::exscan:
      return problem.blocks * most_runs(*problem.hosts);
    default:
      return problem.blocks;
  }
}

/// Who has much sends it oftener than others receive it, as a broadcast's root does; in reductions the other
/// way round.
std::int64_t busiest_link(const Algorithm& algorithm, const LinkBlocks& blocks) {
  const bool is_evened_out =
      !algorithm.name.starts_with("hierarchical") || algorithm.collective == Collective::allreduce;
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

void small_ones() {
  for (Rank ranks = 1; ranks <= 16; ++ranks) {
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

/// The most blocks that one rank sends to other hosts, and that one receives from them.
LinkBlocks lane_blocks(const Schedule& schedule) {
  const std::vector<Rank>& host_of = schedule.problem.hosts->of_rank;
  LinkBlocks most;
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const auto to_others = [&](const Message& message) -> std::int64_t {
      if (message.blocks.empty()) return 0;
      const bool is_within =
          host_of[static_cast<std::size_t>(rank)] == host_of[static_cast<std::size_t>(message.peer)];
      return is_within ? 0 : static_cast<std::int64_t>(message.blocks.size());
    };
    LinkBlocks own;
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round) {
      const Step step = steps(round);
      own.sent += to_others(step.send);
      own.received += to_others(step.receive);
    }
    most = {std::max(most.sent, own.sent), std::max(most.received, own.received)};
  }
  return most;
}

bool is_abreast(const Algorithm& algorithm) { return algorithm.name == "hierarchical_abreast"; }

/// Does it put a leader on each lane?
bool has_leaders(const Algorithm& algorithm) {
  return (algorithm.name == "hierarchical" || is_abreast(algorithm)) && !is_inter_group(algorithm.collective);
}

/// What comes in by one of `lanes` lanes from all other hosts at the most: of each of them its part, rounded
/// up to whole blocks, or where owners go abreast, to one of each of them.
std::int64_t most_of_a_lane(const Algorithm& algorithm, const Problem& problem, Rank lanes) {
  std::map<Rank, std::int64_t> owned;
  for (const Rank owner : owners_of(problem))
    owned[problem.hosts->of_rank[static_cast<std::size_t>(owner)]] += 1;
  std::int64_t all = 0;
  std::int64_t least =
      static_cast<Rank>(owned.size()) < problem.hosts->count() ? 0 : problem.ranks * problem.blocks;
  for (const auto& [host, count] : owned) {
    const std::int64_t unit = is_abreast(algorithm) ? count : 1;
    const std::int64_t part = (count / unit * problem.blocks + lanes - 1) / lanes * unit;
    all += part;
    least = std::min(least, part);
  }
  return problem.hosts->count() == 1 ? 0 : all - least;
}

/// Each of a host's links carries its part, and no more.
void shares_its_links(const Algorithm& algorithm, Problem problem, const Hosts& hosts) {
  problem.hosts = std::make_shared<const Hosts>(hosts);
  problem.collective = algorithm.collective;
  if (!has_leaders(algorithm) || !algorithm.solves(problem)) return;
  holds(algorithm, problem);
  const Schedule schedule = algorithm.schedule(problem);
  const std::int64_t blocks = busiest_link(algorithm, lane_blocks(schedule));
  const std::int64_t times = problem.collective == Collective::allreduce ? 2 : 1;
  const std::int64_t most = times * most_of_a_lane(algorithm, schedule.problem, hosts.lanes());
  require(blocks <= most, text(schedule.problem) + ", links " + std::to_string(hosts.links) + ": " +
                              std::to_string(blocks) + " blocks over one of them");
}

/// In a row, dealt in turn, and uneven: the first host has the ranks that the others leave.
std::vector<Hosts> placements(Rank ranks, Rank count) {
  std::vector<Rank> uneven(static_cast<std::size_t>(ranks), 0);
  for (Rank host = 1; host < count; ++host) uneven[static_cast<std::size_t>(ranks - host)] = host;
  return {hosts_in_a_row(ranks, count), dealt(ranks, count), hosts_called(uneven)};
}

void several_links() {
  for (Rank ranks = 2; ranks <= 16; ++ranks) {
    // On more hosts some have one rank, and all one lane.
    for (Rank count = 1; count <= ranks / 2; ++count) {
      for (const Hosts& placed : placements(ranks, count)) {
        for (const Rank links : {2, 3, 4}) {
          const Hosts hosts = with_links(placed, links);
          // As many lanes as with fewer links: the same schedules, which more links allow all the more.
          if (links > 2 && hosts.lanes() < links) break;
          for (const BlockIndex blocks : {1, 2, 5, 8}) {
            const Rank root = (ranks / 3 * links + 1) % ranks;
            for (const Algorithm& algorithm : algorithms())
              shares_its_links(algorithm, {{}, ranks, root, blocks}, hosts);
          }
        }
      }
    }
  }
}

void some_at_random() {
  std::mt19937 random(2026);
  const auto up_to = [&](Rank most) { return std::uniform_int_distribution<Rank>(1, most)(random); };
  for (int i = 0; i < 200; ++i) {
    const Rank ranks = up_to(40);
    const Rank most_hosts = up_to(ranks);
    std::vector<Rank> names;
    std::vector<Rank> owners;
    for (Rank rank = 0; rank < ranks; ++rank) {
      names.push_back(10 * up_to(most_hosts));
      if (up_to(3) == 1) owners.push_back(rank);
    }
    const Problem problem{{}, ranks, up_to(ranks) - 1, up_to(9), owners};
    all_that_mind(problem, hosts_called(names));
    std::vector<Rank> in_a_row = names;
    std::ranges::sort(in_a_row);
    all_that_mind(problem, hosts_called(in_a_row));
    const Hosts with_several = with_links(hosts_called(names), up_to(5));
    for (const Algorithm& algorithm : algorithms()) shares_its_links(algorithm, problem, with_several);
  }
}

/// Where lanes do not come out even, some round has less to send; nor, where owners go abreast, what they
/// gather.
void pipeline_agrees(const Algorithm& algorithm, Rank ranks, Rank count, BlockIndex blocks, Rank links) {
  Problem problem{algorithm.collective, ranks, 0, blocks};
  problem.hosts = std::make_shared<const Hosts>(with_links(hosts_in_a_row(ranks, count), links));
  const Schedule schedule = algorithm.schedule(problem);
  const Pipeline pipeline = algorithm.pipeline(load_of(schedule));
  const auto n = static_cast<double>(blocks);
  const double rounds =
      (pipeline.per_block + pipeline.silent_per_block) * n + pipeline.fixed + pipeline.silent_fixed;
  const bool has_lanes = problem.hosts->lanes() > 1;
  const LinkBlocks over_links = has_lanes ? lane_blocks(schedule) : link_blocks(schedule);
  const auto most = static_cast<double>(std::max(over_links.sent, over_links.received));
  const std::string where = text(problem) + ", links " + std::to_string(links);
  const auto beyond = static_cast<double>(schedule.rounds) - rounds;
  const double most_beyond = has_lanes ? 3 : is_abreast(algorithm) ? 1 : 1e-9;
  require(-1e-9 < beyond && beyond < most_beyond, where + ": rounds predicted");
  const Rank unit = is_abreast(algorithm) ? ranks / count : 1;
  require(most <= pipeline.bytes + pipeline.spread_bytes / n + (has_lanes ? count * unit : 1),
          where + ": bytes predicted");
}

/// What the cost model says is what hierarchical schedules do on hosts that are equally full.
void pipelines_agree() {
  for (const Algorithm& algorithm : algorithms()) {
    if (!has_leaders(algorithm)) continue;
    for (Rank count = 2; count <= 9; ++count) {
      for (Rank each = 2; each <= 5; ++each) {
        for (const BlockIndex blocks : {1, 2, 7}) {
          for (const Rank links : {1, 2, 3}) pipeline_agrees(algorithm, count * each, count, blocks, links);
        }
      }
    }
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
  for (int i = 0; i < 100; ++i) {
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
  several_links();
  some_at_random();
  pipelines_agree();
  rounds_are_even();
  what_is_wrong_is_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
