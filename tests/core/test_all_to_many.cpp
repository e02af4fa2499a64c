// All-to-many: every algorithm's schedules of many patterns are correct and keep their promises; the colouring is exact; faulty
// schedules are found out.
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <utility>

#include "extent.hpp"
#include "patterns.hpp"
#include "require.hpp"
#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/all_to_many/all_to_many_choice.hpp"
#include "rota/generators/all_to_many/unsplit_messages.hpp"
#include "rota/generators/all_to_many/weighted_permutations.hpp"
#include "rota/matchings/edge_colouring.hpp"
#include "rota/matchings/weighted_matchings.hpp"
#include "rota/model/all_to_many_bound.hpp"
#include "rota/model/bound.hpp"
#include "rota/model/simulate.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/parcels.hpp"

namespace {

using namespace rota;

using Shared = SharedPattern;

Shared shared(Rank ranks, const std::vector<Shipment>& shipments) {
  return std::make_shared<const Pattern>(ranks, shipments);
}

void keeps_its_promise(const AllToManyAlgorithm& algorithm, const Schedule& schedule,
                       const Pattern& pattern) {
  const Rank p = pattern.ranks();
  const Rank degree = pattern.degree();
  const std::string what(algorithm.name);
  const Effort least = lower_bound(schedule.problem);
  require(least == Effort{p == 1 ? 0 : degree, p == 1 ? 0 : degree}, what + ": bound");
  require(schedule.rounds >= degree, what + ": fewer rounds than possible");
  require(length_bytes(schedule) >= pattern.port_bytes(), what + ": shorter than possible");
  if (what == "lp") require(schedule.rounds == (p == 1 ? 0 : p - 1 + p % 2), "lp: rounds");
  if (what == "gm" || what == "cgm")
    require(schedule.rounds <= std::max(0, 2 * degree - 1), what + ": rounds");
  if (what == "exact") require(schedule.rounds == degree, "exact: rounds");
  if (what == "weighted") require(length_bytes(schedule) == pattern.port_bytes(), "weighted: length");
  const std::size_t pieces = listed(schedule).size();
  if (what != "weighted") require(std::cmp_equal(pieces, pattern.messages()), what + ": splits a message");
}

void every_algorithm_on(const Shared& pattern, std::uint64_t seed) {
  for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) {
    const Schedule schedule = algorithm.schedule(pattern, nullptr, seed);
    require_correct(schedule, std::string(algorithm.name) + ", p = " + std::to_string(pattern->ranks()));
    keeps_its_promise(algorithm, schedule, *pattern);
  }
}

void many_patterns() {
  std::mt19937 random(1);
  for (Rank ranks = 1; ranks <= ranks_up_to(40); ++ranks) {
    for (const double density : {0.0, 0.05, 0.3, 1.0}) {
      every_algorithm_on(random_pattern(ranks, density, 1, random), random());
      every_algorithm_on(random_pattern(ranks, density, 1e5, random), random());
    }
  }
}

/// Sizes over five orders of magnitude: to the byte as long as the bound says.
void weighted_is_as_short_as_possible() {
  std::mt19937 random(4);
  for (int i = 0; i < cases(1000); ++i) {
    const auto ranks = static_cast<Rank>(1 + random() % 64);
    const double density = std::uniform_real_distribution<double>(0.02, 0.5)(random);
    const Shared pattern = random_pattern(ranks, density, 1e5, random);
    const Schedule schedule = weighted_permutations(pattern, 0);
    require(length_bytes(schedule) == pattern->port_bytes(), "longer than the bound");
    require(schedule.rounds <= pattern->messages() + ranks + ranks, "too many rounds");
    if (i % 10 == 0) require_correct(schedule, "weighted");
  }
}

/// With a grain: at most D grains longer, and pieces of whole grains.
void grains() {
  std::mt19937 random(5);
  for (const std::int64_t grain : {1, 7, 1000, 1000000}) {
    const Shared pattern = random_pattern(30, 0.4, 1e5, random);
    const Schedule schedule = grained_permutations(pattern, grain);
    require_correct(schedule, "in grains of " + std::to_string(grain));
    require(length_bytes(schedule) <= pattern->port_bytes() + pattern->degree() * grain, "too long");
    require(schedule.rounds <= pattern->port_bytes() / grain + pattern->degree(), "too many rounds");
  }
}

/// The last message of i to j, of w bytes, ends at most at sent(i) + received(j) - w.
void unsplit_is_within_its_bound() {
  std::mt19937 random(6);
  for (Rank ranks = 2; ranks <= 50; ++ranks) {
    const Shared pattern = random_pattern(ranks, 0.3, 1e5, random);
    const PortLoads loads = port_loads(*pattern);
    std::int64_t most = 0;
    for (const Shipment& each : pattern->shipments()) {
      const PortLoad& sent = loads.sent[static_cast<std::size_t>(each.from)];
      const PortLoad& received = loads.received[static_cast<std::size_t>(each.to)];
      most = std::max(most, sent.bytes + received.bytes - each.bytes);
    }
    require(length_bytes(unsplit_messages(pattern, 0)) <= most, "an idle port");
  }
}

/// What its header says of random patterns, and of equal messages.
void unsplit_is_near_the_bound() {
  std::mt19937 random(7);
  double ratios = 0;
  constexpr int count = 60;
  for (int i = 0; i < count; ++i) {
    const auto ranks = static_cast<Rank>(16 + random() % 49);
    const Shared pattern = random_pattern(ranks, i % 2 == 0 ? 0.2 : 1, 1e5, random);
    ratios += static_cast<double>(length_bytes(unsplit_messages(pattern, 0))) /
              static_cast<double>(pattern->port_bytes());
    const Shared equal = random_pattern(ranks, 0.2, 1, random);
    require(length_bytes(unsplit_messages(equal, 0)) == equal->port_bytes(), "equal messages");
  }
  require(ratios / count < 1.015, "far from the bound: " + std::to_string(ratios / count));
}

/// Never slower than the exact schedule, never faster than possible; starts for nothing: as short as
/// possible but for a hundredth.
void the_best_is_chosen() {
  std::mt19937 random(8);
  for (const double latency_s : {0.0, 1.0, 1e3, 1e9}) {
    const Network network{latency_s, 1, 0};
    const Shared pattern = random_pattern(30, 0.4, 1e5, random);
    const AllToManyChoice choice = best_all_to_many(pattern, nullptr, network, 1);
    require_correct(choice.schedule, "the best");
    require(choice.seconds >= choice.least_seconds, "faster than possible");
    require(choice.seconds <=
                unsynchronised_seconds(find_all_to_many("exact")->schedule(pattern, nullptr, 1), network),
            "slower than the exact one");
    require(choice.seconds == unsynchronised_seconds(choice.schedule, network), "other seconds");
    if (latency_s == 0) require(choice.seconds <= 1.01 * choice.least_seconds, "starts for nothing");
    if (latency_s > 0) require(choice.seconds < 1.2 * choice.least_seconds, "far from the bound");
  }
}

/// Stars have the largest ratio of D to messages; one message, no message.
void odd_patterns() {
  every_algorithm_on(shared(3, {}), 0);
  every_algorithm_on(shared(2, {{1, 0, std::int64_t{1} << 62}}), 0);
  std::vector<Shipment> star;
  for (Rank other = 1; other < 100; ++other) {
    star.push_back({0, other, other});
    star.push_back({other, 50, 200 - other});
  }
  every_algorithm_on(shared(100, star), 7);
}

bool is_proper(const EdgeColouring& colouring, std::size_t vertices, std::span<const BipartiteEdge> edges) {
  const auto colours = static_cast<std::size_t>(colouring.colours);
  std::vector<char> left(vertices * colours);
  std::vector<char> right(vertices * colours);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto colour = static_cast<std::size_t>(colouring.of_edges[i]);
    if (colour >= colours) return false;
    if (left[static_cast<std::size_t>(edges[i].left) * colours + colour]++ != 0) return false;
    if (right[static_cast<std::size_t>(edges[i].right) * colours + colour]++ != 0) return false;
  }
  return true;
}

/// Multigraphs too: parallel edges need colours of their own.
void colourings_are_exact() {
  std::mt19937 random(2);
  for (std::size_t vertices = 1; vertices <= 60; ++vertices) {
    for (std::size_t count = 0; count <= 40 * vertices; count = 2 * count + 1) {
      std::vector<BipartiteEdge> edges(count);
      const std::size_t skew = 1 + random() % vertices;
      for (BipartiteEdge& edge : edges) {
        edge.left = static_cast<std::int32_t>(random() % vertices);
        edge.right = static_cast<std::int32_t>(random() % skew);
      }
      const EdgeColouring colouring = edge_colouring(vertices, edges, random());
      require(static_cast<std::size_t>(colouring.colours) == largest_degree(vertices, edges), "D colours");
      require(is_proper(colouring, vertices, edges), "two edges of a colour at a vertex");
    }
  }
}

void require_found_out(const Schedule& schedule, const std::string& what) {
  require(!verify(schedule).empty(), what + " is not found out");
}

void faults_are_found_out() {
  const Shared pattern = shared(3, {{0, 1, 10}, {0, 2, 5}, {1, 0, 8}});
  const std::vector<TimedParcel> good{{0, {1, 0, 10}, 0}, {0, {2, 0, 5}, 1}, {1, {0, 0, 8}, 0}};
  require_correct(timed_schedule(pattern, good, 2), "two rounds");
  const auto altered = [&](std::size_t which, const TimedParcel& parcel) {
    std::vector<TimedParcel> parcels = good;
    parcels[which] = parcel;
    return timed_schedule(pattern, parcels, 2);
  };
  require_found_out(altered(1, {0, {2, 0, 5}, 0}), "two messages from one port");
  require_found_out(altered(2, {1, {2, 0, 8}, 1}), "a message to the wrong rank, and two into one port");
  require_found_out(altered(0, {0, {1, 0, 9}, 0}), "a message without its end");
  require_found_out(altered(0, {0, {1, 1, 9}, 0}), "a message without its beginning");
  require_found_out(altered(0, {0, {1, 0, 11}, 0}), "a message that is too long");
  require_found_out(timed_schedule(pattern, std::span(good).first(2), 2), "a missing message");
  Schedule hasty = timed_schedule(pattern, good, 2);
  hasty.round_bytes = [](Round) { return 9; };
  require_found_out(hasty, "a message longer than its round");
}

template <class Work>
void require_refused(const Work& work, const std::string& part) {
  try {
    work();
  } catch (const std::invalid_argument& fault) {
    require(std::string(fault.what()).find(part) != std::string::npos, fault.what());
    return;
  }
  require(false, "not refused: " + part);
}

void patterns_that_are_none() {
  require_refused([] { shared(0, {}); }, "at least 1");
  require_refused([] { shared(2, {{0, 2, 1}}); }, "from rank 0 to rank 2");
  require_refused([] { shared(2, {{0, 1, -1}}); }, "-1 bytes");
  require_refused([] { shared(2, {{0, 1, 1}, {0, 1, 1}}); }, "twice");
  require_refused([] { shared(3, {{0, 1, std::int64_t{1} << 62}, {0, 2, 1}}); }, "2^62");
  const Shared two = shared(3, {{0, 1, 1}, {0, 2, 1}});
  require_refused([&] { whole_schedule(two, std::vector<Round>{0}, 2); }, "one for each message");
  require_refused([&] { whole_schedule(two, std::vector<Round>{1, 1}, 2); }, "sends twice in round 1");
  require_refused([&] { whole_schedule(two, std::vector<Round>{1, 2}, 2); }, "in round 2");
  require_refused([&] { timed_schedule(two, std::vector<TimedParcel>{{0, {1, 0, 1}, 2}}, 2); }, "in round 2");
  require_refused([&] { timed_schedule(two, std::vector<TimedParcel>{{3, {1, 0, 1}, 0}}, 2); },
                  "from rank 3");
  Problem without;
  without.collective = Collective::all_to_many;
  require_refused([&] { require_valid(without); }, "without parcels");
}

void own_messages_are_not_sent() {
  const Shared pattern = shared(2, {{0, 0, 100}, {0, 1, 3}, {1, 0, 0}});
  require(pattern->messages() == 1 && pattern->port_bytes() == 3 && pattern->degree() == 1, "one message");
  require(pattern->local_bytes() == 100, "local bytes");
}

/// With every round as long as its longest message.
std::int64_t synchronised_bytes(const Schedule& schedule) {
  std::vector<std::int64_t> rounds(static_cast<std::size_t>(schedule.rounds));
  for (const TimedParcel& each : listed(schedule)) {
    std::int64_t& length = rounds[static_cast<std::size_t>(each.round)];
    length = std::max(length, each.parcel.bytes);
  }
  return std::accumulate(rounds.begin(), rounds.end(), std::int64_t{0});
}

/// On a network without latencies a schedule takes what its rounds take, or less.
void simulated() {
  std::mt19937 random(3);
  const Shared pattern = random_pattern(20, 0.3, 1e5, random);
  for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) {
    const Schedule schedule = algorithm.schedule(pattern, nullptr, 5);
    const Simulation simulation = simulate(schedule, {0, 1, 0}, parcel_bytes(schedule.problem));
    require(simulation.port_bytes == pattern->port_bytes(), "bytes through the busiest port");
    require(simulation.seconds >= static_cast<double>(pattern->port_bytes()), "faster than possible");
    require(simulation.seconds <= static_cast<double>(synchronised_bytes(schedule)),
            "slower than its rounds");
    require(unsynchronised_bytes(schedule) <= synchronised_bytes(schedule), "unsynchronised is slower");
  }
}

}  // namespace

int main() {
  try {
    many_patterns();
    weighted_is_as_short_as_possible();
    grains();
    unsplit_is_within_its_bound();
    unsplit_is_near_the_bound();
    the_best_is_chosen();
    odd_patterns();
    colourings_are_exact();
    faults_are_found_out();
    patterns_that_are_none();
    own_messages_are_not_sent();
    simulated();
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
  return 0;
}
