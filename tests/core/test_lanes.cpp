// Hosts of several links: each of them carries its part of what leaves a host and comes to it, and no more; and the cost model says what
// schedules with leaders do.
#include <iostream>
#include <map>
#include <random>

#include "extent.hpp"
#include "host_links.hpp"
#include "loads.hpp"

namespace {

using namespace rota;

bool is_abreast(const Algorithm& algorithm) { return algorithm.name == "hierarchical_abreast"; }

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
  const Schedule schedule = checked(algorithm, problem);
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
  for (Rank ranks = 2; ranks <= ranks_up_to(16); ++ranks) {
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
  for (int i = 0; i < cases(200); ++i) {
    const Placed placed = placed_at_random(random);
    const Hosts with_several = with_links(hosts_called(placed.host_names), up_to(5, random));
    for (const Algorithm& algorithm : algorithms()) shares_its_links(algorithm, placed.problem, with_several);
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
    for (Rank count = 2; count <= ranks_up_to(9); ++count) {
      for (Rank each = 2; each <= 5; ++each) {
        for (const BlockIndex blocks : {1, 2, 7}) {
          for (const Rank links : {1, 2, 3}) pipeline_agrees(algorithm, count * each, count, blocks, links);
        }
      }
    }
  }
}

}  // namespace

int main() try {
  several_links();
  some_at_random();
  pipelines_agree();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
