// Collectives between two groups: every receiver complete, one port, links only, rounds and bytes beside the bound.
#include <algorithm>
#include <iostream>
#include <random>

#include "extent.hpp"
#include "require.hpp"
#include "rota/generators/between_groups/inter_join.hpp"
#include "rota/generators/between_groups/inter_ring.hpp"
#include "rota/generators/between_groups/inter_spread.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"
#include "rota/model/simulate.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/message_list.hpp"

namespace {

using namespace rota;

std::string text(std::string_view algorithm, const Problem& problem) {
  return std::string(algorithm) + " " + std::string(name(problem.collective)) +
         ", p = " + std::to_string(problem.first_group) +
         ", q = " + std::to_string(problem.ranks - problem.first_group) +
         ", n = " + std::to_string(problem.blocks) + ", root " + std::to_string(problem.root);
}

void require_correct(const Schedule& schedule, const std::string& what, const Links& links) {
  const std::vector<Violation> violations = verify(schedule, links);
  if (violations.empty()) return;
  const Violation& first = violations[0];
  require(false, what + ": round " + std::to_string(first.round) + ", rank " + std::to_string(first.rank) +
                     ": " + first.fault);
}

void require_correct(const Schedule& schedule, const std::string& what) {
  require_correct(schedule, what, [](Rank, Rank) { return true; });
  const Effort least = lower_bound(schedule.problem);
  require(schedule.rounds >= least.rounds, what + ": fewer rounds than the bound");
  require(effort(schedule).port_blocks >= least.port_blocks, what + ": fewer blocks than the bound");
}

Problem one_way(Rank p, Rank q, BlockIndex blocks) {
  return inter_allgather_problem({p, q}, {blocks, 0}, blocks);
}

std::int64_t most_received(const Schedule& schedule, const Group& group) {
  std::int64_t most = 0;
  for (Rank rank = group.first; rank < group.end; ++rank) {
    std::int64_t received = 0;
    const RankSchedule steps = schedule.of_rank(rank);
    for (Round round = 0; round < schedule.rounds; ++round)
      received += static_cast<std::int64_t>(steps(round).receive.blocks.size());
    most = std::max(most, received);
  }
  return most;
}

/// 1 + ceil(log2 p) rounds with one block each for p >= q, and never a block twice.
void teams(Rank p, Rank q) {
  const Schedule whole = inter_join(one_way(p, q, 1));
  const std::string what = text("join", whole.problem);
  require_correct(whole, what);
  const Round in_broadcast = ceil_log2(1 + (q + p - 1) / p);
  require(whole.rounds == in_broadcast + ceil_log2(p), what + ": rounds");
  if (p >= q) require(whole.rounds == 1 + ceil_log2(p), what + ": 1 + ceil(log2 p) rounds");
  require(most_received(whole, groups_of(whole.problem)[1]) == std::int64_t{p}, what + ": every block once");
}

void pipelined_teams(Rank p, Rank q) {
  const Schedule schedule = inter_join(one_way(p, q, 5));
  const std::string what = text("join", schedule.problem);
  require_correct(schedule, what);
  require(most_received(schedule, groups_of(schedule.problem)[1]) == std::int64_t{5} * p,
          what + ": every block once");
}

void on_ring(Rank p, Rank q) {
  const Schedule schedule = inter_ring(one_way(p, q, 1));
  const std::string what = text("ring", schedule.problem);
  require_correct(schedule, what, ring_links(p + q));
  const Round stated = p + (q == 1 ? 0 : (q + 1) / 2);
  require(schedule.rounds == stated, what + ": " + std::to_string(schedule.rounds) + " rounds");
  if (p % 2 == 0 && q % 2 == 0) require(schedule.rounds == p + q / 2, what + ": p + q / 2 rounds");
  require(schedule.rounds - inter_ring_least_rounds(p, q) <= 1, what + ": near the bound");
  const Schedule back = inter_ring(inter_allgather_problem({q, p}, {0, 1}, 1));
  require(back.rounds == stated, what + ": the other way");
}

void both_ways(Rank p, Rank q) {
  for (const BlockIndex blocks : {1, 3}) {
    const Problem problem = inter_allgather_problem({p, q}, {blocks, blocks}, blocks);
    const Schedule schedule = inter_spread(problem);
    const std::string what = text("spread, both ways", problem);
    require_correct(schedule, what);
    for (const Group& group : groups_of(problem)) {
      const std::int64_t others = (problem.ranks - group.size()) * blocks;
      require(most_received(schedule, group) == others, what + ": every block once");
    }
    if (p == q && blocks == 1) require(schedule.rounds == 1 + ceil_log2(p), what + ": rounds");
  }
}

void all_pairs_of_groups() {
  for (Rank p = 1; p <= ranks_up_to(40); ++p) {
    for (Rank q = 1; q <= ranks_up_to(40); ++q) {
      teams(p, q);
      on_ring(p, q);
      if (p > 17 || q > 17) continue;
      pipelined_teams(p, q);
      both_ways(p, q);
    }
  }
  for (const Rank p : {41, 57, 64}) {
    for (const Rank q : {2, 63, 64}) on_ring(p, q);
  }
}

/// Every algorithm that solves the problem.
int every_algorithm_on(const Problem& problem) {
  int solved = 0;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != problem.collective || !algorithm.solves(problem)) continue;
    require_correct(algorithm.schedule(problem), text(algorithm.name, problem));
    ++solved;
  }
  return solved;
}

std::vector<std::int64_t> random_shares(Rank ranks, std::mt19937& random) {
  std::uniform_int_distribution<std::int64_t> share(-15, 50);
  std::vector<std::int64_t> shares(static_cast<std::size_t>(ranks));
  for (std::int64_t& each : shares) each = std::max<std::int64_t>(0, share(random));
  return shares;
}

void unequal_shares_at_random() {
  std::mt19937 random(2026);
  for (int i = 0; i < cases(150); ++i) {
    const Rank p = std::uniform_int_distribution<Rank>(1, 20)(random);
    const Rank q = std::uniform_int_distribution<Rank>(1, 20)(random);
    const auto blocks = std::uniform_int_distribution<BlockIndex>(1, 9)(random);
    Problem problem = inter_allgather_problem({p, q}, {1, 0}, blocks);
    problem.shares = random_shares(p + q, random);
    if (i % 3 == 0) std::fill(problem.shares.begin(), problem.shares.begin() + p, 0);
    if (i % 3 == 1) std::fill(problem.shares.begin() + p, problem.shares.end(), 0);
    const int solved = every_algorithm_on(problem);
    require(i % 3 == 2 || solved == 7, "all seven algorithms go one way");
    require(solved >= 4, "four algorithms go both ways");
  }
}

void rooted_and_reduced() {
  std::mt19937 random(2027);
  for (int i = 0; i < cases(200); ++i) {
    const Rank p = std::uniform_int_distribution<Rank>(1, 20)(random);
    const Rank q = std::uniform_int_distribution<Rank>(1, 20)(random);
    Problem problem{Collective::inter_broadcast, p + q};
    problem.first_group = p;
    problem.root = std::uniform_int_distribution<Rank>(0, p + q - 1)(random);
    problem.blocks = std::uniform_int_distribution<BlockIndex>(1, 7)(random);
    require(every_algorithm_on(problem) == 2, "broadcasts");
    problem.collective = Collective::inter_reduce;
    require(every_algorithm_on(problem) == 4, "reductions");
    problem.in_order = true;
    require(every_algorithm_on(problem) == 3, "reductions in order");
    problem.collective = Collective::inter_allreduce;
    require(every_algorithm_on(problem) == 0, "no allreduce in order");
    problem.in_order = false;
    problem.root = 0;
    require(every_algorithm_on(problem) == 1, "allreduce");
  }
}

/// In the simulator, without latency and in many blocks: how near p k bytes' time an algorithm comes.
double times_bound(const Algorithm& algorithm, const Problem& problem) {
  const Network no_latency{0, 1, 0};
  const Simulation played = simulate(algorithm.schedule(problem), no_latency, inter_share_bytes(problem));
  return played.seconds / least_seconds(load_of(problem, 0), no_latency);
}

void require_near_bound(const char* algorithm, const Problem& problem, double most) {
  const double times = times_bound(*find_algorithm(Collective::inter_allgather, algorithm), problem);
  require(times <= most, text(algorithm, problem) + ": " + std::to_string(times) + " times the bound");
}

void bytes_take_the_bounds_time() {
  constexpr std::int64_t mebibyte = 1 << 20;
  struct Sizes {
    Rank p;
    Rank q;
  };
  for (const auto [p, q] :
       {Sizes{8, 8}, Sizes{4, 12}, Sizes{12, 4}, Sizes{5, 11}, Sizes{1, 15}, Sizes{15, 1}}) {
    require_near_bound("join", inter_allgather_problem({p, q}, {mebibyte, 0}, 128), 1.05);
    require_near_bound("circulant", inter_allgather_problem({p, q}, {0, mebibyte}, 128), 1.05);
    // A rank that is alone in its group is busy all the time while the others still have to gather.
    const double most = std::min(p, q) == 1 ? 1.13 : 1.06;
    require_near_bound("spread", inter_allgather_problem({p, q}, {mebibyte, mebibyte}, 128), most);
  }
  require_near_bound("spread", inter_allgather_problem({8, 8}, {mebibyte, mebibyte}, 1), 1.0000001);
}

/// The closed forms are what the simulator finds, within a fifth.
void as_predicted() {
  const Network network{1e-5, 1e-9, 0};
  for (const Rank p : {2, 7, 16}) {
    for (const Rank q : {1, 6, 16, 40}) {
      for (const std::int64_t back : {0, 1 << 20}) {
        Problem problem = inter_allgather_problem({p, q}, {1 << 20, back}, 1);
        for (const Algorithm& algorithm : algorithms()) {
          if (algorithm.collective != problem.collective || !algorithm.solves(problem)) continue;
          const Pipeline pipeline = algorithm.pipeline(load_of(problem, 0));
          problem.blocks = best_blocks(pipeline, network, 1 << 20);
          const Schedule schedule = algorithm.schedule(problem);
          const double simulated_s = simulate(schedule, network, inter_share_bytes(schedule.problem)).seconds;
          const double ratio = predicted_seconds(pipeline, network, problem.blocks) / simulated_s;
          require(ratio > 0.8 && ratio < 1.25,
                  text(algorithm.name, problem) + ": predicted " + std::to_string(ratio) + " times");
        }
      }
    }
  }
}

/// A schedule that uses a link across the ring is refused, by round, rank and link.
void links_are_checked() {
  const Problem problem = one_way(2, 2, 1);
  const std::vector<TimedMessage> across{
      {0, 0, 3, Block{0, 0}}, {0, 1, 2, Block{1, 0}}, {1, 3, 2, Block{0, 0}}, {1, 1, 3, Block{1, 0}}};
  const Schedule schedule = schedule_of_messages(problem, across);
  require(verify(schedule).empty(), "fully connected, it is correct");
  const std::vector<Violation> found = verify(schedule, ring_links(4));
  require(found.size() == 1 && found[0].round == 1 && found[0].rank == 1, "one message has no link");
  require(found[0].fault.find("rank 3") != std::string::npos, "the link is named");
  require(!verify(inter_spread(one_way(4, 4, 1)), ring_links(8)).empty(), "others need all links");
}

template <class Action>
bool refuses(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void what_is_no_problem_is_refused() {
  Problem problem = one_way(2, 3, 1);
  problem.first_group = 5;
  require(refuses([&] { inter_join(problem); }), "an empty group");
  problem = one_way(2, 3, 1);
  problem.shares.pop_back();
  require(refuses([&] { inter_spread(problem); }), "a share for each rank");
  require(refuses([] { inter_ring(inter_allgather_problem({2, 2}, {1, 1}, 1)); }), "a ring has one way");
  require(refuses([] { inter_allgather_problem({0, 2}, {1, 1}, 1); }), "no senders");
  const Problem four{Collective::broadcast, 4};
  const auto nothing_for = [](std::vector<Rank> ranks) {
    return Embedded{nothing({Collective::broadcast, static_cast<Rank>(ranks.size())}), std::move(ranks), {}};
  };
  require(refuses([&] { side_by_side(four, {nothing_for({0, 1}), nothing_for({1})}); }),
          "parts share no rank");
  require(refuses([&] { side_by_side(four, {nothing_for({4})}); }), "parts have ranks");
}

}  // namespace

int main() try {
  all_pairs_of_groups();
  unequal_shares_at_random();
  rooted_and_reduced();
  bytes_take_the_bounds_time();
  as_predicted();
  links_are_checked();
  what_is_no_problem_is_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
