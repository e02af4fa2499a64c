// Periodic schedules of small plans, and what the verifier says of broken ones. Larger plans:
// tests/python/test_steady_carried_out.py.
#include <iostream>
#include <memory>
#include <string>

#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/generators/steady/periodic.hpp"
#include "rota/matchings/weighted_matchings.hpp"
#include "rota/proof/verify.hpp"

namespace {

using namespace rota;

/// A scatter to one node over a relay, 0 -> 1 -> 2: a block of 3 time units, two blocks a period.
Period relay() {
  Series series{{{0, 0}}, {{2, 0, 0, 0}}, [](Round, Rank, Rank, Block) { return std::int64_t{3}; }};
  return {3, 2, std::make_shared<const Series>(series), {6}, {{0, 0, 1, 0, 0, 0, 2}, {0, 1, 2, 0, 1, 0, 2}},
          {}};
}

/// v0 of rank 0, v1 of rank 1, v2 of rank 2 to rank 0: 1 combines [1,2] of its own and 2's, 0 the rest.
Period reduction() {
  const Series series{{{0, 0}, {1, 1}, {2, 2}}, {{0, 2, 0, 2}}, {}};
  return {3,
          1,
          std::make_shared<const Series>(series),
          {1, 1},
          {{0, 2, 1, 2, 0, 0, 1}, {1, 1, 0, 2, 2, 0, 1}},
          {{1, 1, 2, 1, 0, 1}, {0, 0, 2, 3, 0, 1}}};
}

std::vector<Violation> violations(const Period& period, Round periods, const Links& links) {
  return verify(periodic(std::make_shared<const Period>(period), periods), links);
}

bool all_links(Rank, Rank) { return true; }

void right_plans_are_right() {
  for (const Round periods : {1, 2, 7}) {
    for (const Period& period : {relay(), reduction()}) {
      const std::vector<Violation> found = violations(period, periods, all_links);
      require(found.empty(), found.empty() ? "" : found[0].fault);
      const auto shared = std::make_shared<const Period>(period);
      require(periodic(shared, periods).rounds ==
                  (periods + period.depth() - 1) * std::ssize(period.matching_lengths),
              "rounds");
    }
  }
  require(relay().depth() == 2 && reduction().depth() == 4, "depth");
  require(name(Collective::series) == "series", "the name of a series");
}

void broken_plans_are_found_out() {
  const auto is_wrong = [](const Period& period, const std::string& what) {
    require(!violations(period, 3, all_links).empty(), what);
  };
  require(!violations(relay(), 1, [](Rank from, Rank) { return from == 0; }).empty(), "a missing link");
  Period period = relay();
  period.matching_lengths[0] = 5;
  is_wrong(period, "a matching too short for its blocks");
  period = relay();
  period.transfers[1].stage = 0;
  is_wrong(period, "sent on before it has arrived");
  period = relay();
  period.transfers[1].count = 1;
  is_wrong(period, "a block that is left behind");
  period = relay();
  period.transfers[1].from = 0;
  is_wrong(period, "two sends at once");
  period = reduction();
  std::swap(period.tasks[1].left, period.tasks[1].right);
  is_wrong(period, "combined in the wrong order");
  period = reduction();
  period.tasks.pop_back();
  is_wrong(period, "a contribution missing");
  period = reduction();
  period.tasks.push_back(period.tasks.back());
  is_wrong(period, "a contribution twice");
}

template <class Call>
void is_refused(const Call& call, const std::string& what) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return;
  }
  require(false, what + " was not refused");
}

void what_is_no_period_is_refused() {
  Period period = relay();
  is_refused([&] { periodic(std::make_shared<const Period>(period), 0); }, "no period");
  period.transfers[0].to = 3;
  is_refused([&] { periodic(std::make_shared<const Period>(period), 1); }, "a rank that is none");
  period = relay();
  period.transfers[0].matching = 1;
  is_refused([&] { periodic(std::make_shared<const Period>(period), 1); }, "a matching that is none");
  period = relay();
  period.transfers[0].first = 1;
  is_refused([&] { periodic(std::make_shared<const Period>(period), 1); }, "blocks of the next period");
  Problem problem{Collective::series, 2};
  is_refused([&] { require_valid(problem); }, "a series without messages");
}

/// The same graph in 64 bits and in 2048, where all weights are 2^1000 times as large, or as small.
void wide_matchings_are_the_same() {
  const std::vector<WeightedEdge> edges{{0, 1, 3}, {0, 2, 9}, {1, 3, 2}, {2, 3, 4}, {2, 4, 8}};
  std::vector<BasicWeightedEdge<Wide>> wide;
  for (const WeightedEdge& edge : edges) {
    Wide weight(static_cast<std::uint64_t>(edge.weight));
    for (int doubling = 0; doubling < 1000; ++doubling) weight += weight;
    wide.push_back({edge.left, edge.right, weight});
  }
  const std::vector<WeightedMatching> narrow = weighted_matchings(5, edges);
  const std::vector<BasicWeightedMatching<Wide>> found = weighted_matchings(5, wide);
  require(narrow.size() == found.size(), "as many matchings");
  Wide sum;
  for (std::size_t i = 0; i < found.size(); ++i) {
    sum += found[i].duration;
    require(narrow[i].parts.size() == found[i].parts.size(), "as many parts");
  }
  Wide whole(12U);
  for (int doubling = 0; doubling < 1000; ++doubling) whole += whole;
  require(sum == whole, "durations of all together");
}

void wide_numbers_end_somewhere() {
  Wide number(1U);
  for (int doubling = 0; doubling < 2047; ++doubling) number += number;
  require(number - Wide(1U) < number && number > Wide(~std::uint64_t{0}), "order");
  bool overflowed = false;
  try {
    number += number;
  } catch (const std::overflow_error&) {
    overflowed = true;
  }
  require(overflowed, "2^2048 is too large");
  bool is_below = false;
  try {
    Wide(1U) - Wide(2U);
  } catch (const std::overflow_error&) {
    is_below = true;
  }
  require(is_below, "1 - 2 is too small");
}

}  // namespace

int main() try {
  right_plans_are_right();
  broken_plans_are_found_out();
  what_is_no_period_is_refused();
  wide_matchings_are_the_same();
  wide_numbers_end_somewhere();
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
