// Scans through ranks on hosts in any order: their hops take turns at the links, and rounds are as many as predicted.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <random>

#include "loads.hpp"
#include "on_hosts.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/hosts.hpp"

namespace {

using namespace rota;

/// No host's ranks send to others, or receive from them, more messages in a round than it has links to carry;
/// and a block takes no more rounds than the busiest link has messages of it.
void chains_take_turns_at_links(const Hosts& hosts, BlockIndex blocks) {
  const Algorithm& chain = *find_algorithm(Collective::scan, "chain_on_hosts");
  Problem problem{Collective::scan, static_cast<Rank>(hosts.of_rank.size()), 0, blocks};
  problem.hosts = std::make_shared<const Hosts>(hosts);
  const Schedule schedule = chain.schedule(problem);
  require(verify(schedule).empty(), text(problem) + ": wrong");
  std::map<std::pair<Round, Rank>, Rank> messages;
  const auto has_a_link = [&](Round round, Rank host, Rank end) {
    return ++messages[{2 * round + end, host}] <= hosts.links_of(host);
  };
  over_links(schedule, [&](Round round, Rank from, Rank to, const Blocks&) {
    require(has_a_link(round, from, 0) && has_a_link(round, to, 1),
            text(problem) + ": more messages than links in round " + std::to_string(round));
  });
  const Pipeline pipeline = chain.pipeline(load_of(schedule));
  const double least = chain_over_links(hosts).of_a_link;
  require(pipeline.per_block < least + 1 || pipeline.per_block == 1,
          text(problem) + ": a block takes more rounds than the busiest host's messages");
  problem.blocks = 2 * blocks;
  require(chain.schedule(problem).rounds - schedule.rounds == std::llround(pipeline.per_block) * blocks,
          text(problem) + ": rounds that a block takes");
}

/// Where hosts are in a row or dealt ranks in turn, rounds are as predicted, but for less than a block's.
void chains_agree(const Hosts& hosts) {
  Problem problem{Collective::exscan, static_cast<Rank>(hosts.of_rank.size()), 0, 3};
  problem.hosts = std::make_shared<const Hosts>(hosts);
  const Algorithm& chain = *find_algorithm(Collective::exscan, "chain_on_hosts");
  const Schedule schedule = chain.schedule(problem);
  const Pipeline pipeline = chain.pipeline(load_of(schedule));
  const Round predicted = std::llround(pipeline.per_block * 3 + pipeline.fixed + pipeline.silent_fixed);
  require(schedule.rounds <= predicted && predicted < schedule.rounds + std::llround(pipeline.per_block),
          text(problem) + ": " + std::to_string(predicted) + " rounds predicted, " +
              std::to_string(schedule.rounds) + " taken");
}

void chains_on_hosts() {
  std::mt19937 random(14);
  const auto up_to = [&](Rank most) { return std::uniform_int_distribution<Rank>(1, most)(random); };
  for (int i = 0; i < 300; ++i) {
    std::vector<Rank> names(static_cast<std::size_t>(1 + up_to(40)));
    const Rank count = up_to(8);
    for (Rank& name : names) name = up_to(count);
    chains_take_turns_at_links(with_links(hosts_called(names), up_to(3)), up_to(4));
  }
  for (Rank count = 2; count <= 9; ++count) {
    for (Rank each = 1; each <= 9; ++each) {
      chains_take_turns_at_links(dealt(count * each, count), 3);
      chains_agree(dealt(count * each, count));
      chains_agree(hosts_in_a_row(count * each, count));
    }
  }
}

}  // namespace

int main() try {
  chains_on_hosts();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
