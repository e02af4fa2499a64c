// Every algorithm's schedules as the executor plays them: the bound on drift, the cost of naps, nobody waits forever, and with one
// round in flight the model's own times.
#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "machines.hpp"
#include "patterns.hpp"
#include "require.hpp"
#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/schedule/groups.hpp"

namespace {

using namespace rota;

struct Case {
  std::string what;
  Schedule schedule;
  BlockBytes bytes;
};

void add_within_a_group(std::vector<Case>& cases, const Algorithm& algorithm, Rank ranks, BlockIndex blocks) {
  Problem problem{algorithm.collective, ranks, ranks / 2, blocks};
  if (is_inter_group(problem.collective)) problem.first_group = (ranks + 1) / 2;
  if (problem.collective == Collective::inter_allgather && ranks > 1) {
    problem.shares.assign(static_cast<std::size_t>(ranks), 0);
    std::fill_n(problem.shares.begin(), problem.first_group, 1000);
  }
  if (problem.first_group == ranks || !algorithm.solves(problem)) return;
  const Schedule schedule = algorithm.schedule(problem);
  const std::string what = std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
                           ", p = " + std::to_string(ranks) + ", n = " + std::to_string(blocks);
  // 26 bytes leave some blocks without any.
  for (const std::int64_t bytes : {26, 5000}) {
    const bool has_shares = !schedule.problem.shares.empty();
    cases.push_back({what + ", " + std::to_string(bytes) + " bytes", schedule,
                     has_shares ? inter_share_bytes(schedule.problem) : equal_cuts(schedule.problem, bytes)});
  }
}

void add_all_to_many(std::vector<Case>& cases, Rank ranks) {
  std::mt19937 random(static_cast<std::uint32_t>(ranks));
  const SharedPattern pattern = random_pattern(ranks, 0.4, 3000, random);
  for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) {
    const Schedule schedule = algorithm.schedule(pattern, nullptr, 1);
    cases.push_back({std::string(algorithm.name) + ", p = " + std::to_string(ranks), schedule,
                     parcel_bytes(schedule.problem)});
  }
}

std::vector<Case> every_algorithm() {
  std::vector<Case> cases;
  for (const Rank ranks : {1, 2, 3, 5, 8, 13, 17}) {
    for (const Algorithm& algorithm : algorithms()) {
      for (const BlockIndex blocks : {1, 7}) add_within_a_group(cases, algorithm, ranks, blocks);
    }
    if (ranks > 1) add_all_to_many(cases, ranks);
  }
  require(cases.size() > 500, "there are cases");
  return cases;
}

/// A network, an MPI library, processors and lateness of all kinds.
Machines drawn(std::mt19937& random) {
  const auto one_of = [&](const auto&... values) {
    return std::vector<double>{
        values...}[std::uniform_int_distribution<std::size_t>(0, sizeof...(values) - 1)(random)];
  };
  Machines machines{{.latency_s = one_of(0.0, 1e-3, 1e-6),
                     .seconds_per_byte = one_of(0.0, 1e-6, 1e-8),
                     .seconds_per_combined_byte = one_of(0.0, 1e-6)}};
  machines.overhead_s = one_of(0.0, 1e-6, 1e-3);
  machines.rendezvous_from = static_cast<std::int64_t>(one_of(0.0, 300.0, 1e9));
  machines.handshake_s = one_of(0.0, 1e-5, 1e-3);
  if (random() % 3 > 0) machines.pauses = RandomPauses{one_of(1e-4, 4e-3, 0.5), one_of(0.6, 1.0), random()};
  machines.waits = random() % 2 == 0 ? Waits::for_oldest : Waits::for_any;
  return machines;
}

void drift_has_a_bound_and_nobody_waits_forever(const std::vector<Case>& cases) {
  std::mt19937 random(4);
  Round most = 0;
  for (const Case& each : cases) {
    for (const Round in_flight : {1, 2, 4, 8}) {
      const InFlightSimulation played =
          simulate_in_flight(each.schedule, in_flight, drawn(random), each.bytes);
      const std::string what = each.what + ", W = " + std::to_string(in_flight);
      require(played.drift <= in_flight, what + ": drift " + std::to_string(played.drift));
      require(played.unasked <= in_flight, what + ": unasked " + std::to_string(played.unasked));
      require(played.port_bytes == simulate(each.schedule, network, each.bytes).port_bytes,
              what + ": bytes through a port");
      require(played.seconds == *std::ranges::max_element(played.finish_s), what + ": the last one's time");
      most = std::max(most, played.drift);
    }
  }
  require(most == 8, "as far as W, but no farther: " + std::to_string(most));
}

void one_round_in_flight_is_the_model(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    const auto not_empty = [&](Block block) { return std::max<std::int64_t>(1, each.bytes(block)); };
    const Simulation model = simulate(each.schedule, network, not_empty);
    require(simulate_in_flight(each.schedule, 1, asked_for(), not_empty).finish_s == model.finish_s,
            each.what + ": all ranks finish as the model says");
  }
}

/// The most that a rank combines in a round.
std::int64_t most_combined_bytes(const Case& each) {
  std::int64_t most = 0;
  for (Rank rank = 0; rank < each.schedule.problem.ranks; ++rank) {
    const RankSchedule steps = each.schedule.of_rank(rank);
    for (Round round = 0; round < each.schedule.rounds; ++round) {
      const Step step = steps(round);
      std::int64_t combined = 0;
      if (step.on_receive != OnReceive::store) {
        for (const Block block : step.receive.blocks) combined += each.bytes(block);
      }
      for (const Combination& combination : step.combinations) combined += each.bytes(combination.from);
      most = std::max(most, combined);
    }
  }
  return most;
}

// Who sleeps while it waits begins the next round a few naps later, and maybe what it was combining meanwhile. With more rounds in flight a
// late message may find one of a later round in its way, so that there is no such bound, as there is none for ranks that are late for other
// reasons.
void naps_cost_three_a_round_at_the_most(const std::vector<Case>& cases) {
  std::mt19937 random(9);
  for (const Case& each : cases) {
    Machines machines = drawn(random);
    machines.pauses = {};
    machines.rendezvous_from = 0;
    const double combining_s =
        static_cast<double>(most_combined_bytes(each)) * machines.network.seconds_per_combined_byte;
    const double awake_s = simulate_in_flight(each.schedule, 1, machines, each.bytes).seconds;
    for (const double nap_s : {1e-5, 1e-3, 0.1}) {
      machines.nap_s = nap_s;
      const InFlightSimulation played = simulate_in_flight(each.schedule, 1, machines, each.bytes);
      const double most_s = awake_s + static_cast<double>(each.schedule.rounds) * (3 * nap_s + combining_s);
      require(played.drift <= 1, each.what + ": drift " + std::to_string(played.drift));
      require(played.seconds <= most_s * (1 + 1e-9), each.what + ", naps of " + std::to_string(nap_s) +
                                                         " s: " + std::to_string(played.seconds) + " s, " +
                                                         std::to_string(awake_s) + " s without");
    }
  }
}

}  // namespace

int main() try {
  const std::vector<Case> cases = every_algorithm();
  drift_has_a_bound_and_nobody_waits_forever(cases);
  one_round_in_flight_is_the_model(cases);
  naps_cost_three_a_round_at_the_most(cases);
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
