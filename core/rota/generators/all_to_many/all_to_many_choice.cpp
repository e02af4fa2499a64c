#include "rota/generators/all_to_many/all_to_many_choice.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/unsplit_messages.hpp"
#include "rota/generators/all_to_many/weighted_permutations.hpp"
#include "rota/model/all_to_many_bound.hpp"

namespace rota {

namespace {

/// How many bytes take as long as a start does; no more than there are.
std::int64_t start_bytes(const Pattern& pattern, const Network& network) {
  const auto most = static_cast<double>(pattern.port_bytes());
  if (network.latency_s >= most * network.seconds_per_byte) return pattern.port_bytes();
  return static_cast<std::int64_t>(network.latency_s / network.seconds_per_byte);
}

std::int64_t largest_message(const Pattern& pattern) {
  std::int64_t largest = 0;
  for (const Shipment& each : pattern.shipments()) largest = std::max(largest, each.bytes);
  return largest;
}

/// 1, and start, 4 start, 16 start, 64 start as far as they cut anything.
std::vector<std::int64_t> grains(std::int64_t start, std::int64_t largest) {
  std::vector<std::int64_t> result{1};
  for (std::int64_t factor = 1; factor <= 64 && start > 0; factor *= 4) {
    if (start <= largest / factor && start * factor > result.back()) result.push_back(start * factor);
  }
  return result;
}

}  // namespace

AllToManyChoice best_all_to_many(const std::shared_ptr<const Pattern>& pattern, const Network& network,
                                 std::uint64_t seed) {
  const std::int64_t start = start_bytes(*pattern, network);
  AllToManyChoice best{"exact", 0, exact_permutations(pattern, seed), 0, least_seconds(*pattern, network)};
  best.seconds = unsynchronised_seconds(best.schedule, network);
  const auto consider = [&](std::string_view algorithm, std::int64_t grain, Schedule schedule) {
    const double seconds = unsynchronised_seconds(schedule, network);
    if (seconds < best.seconds) best = {algorithm, grain, std::move(schedule), seconds, best.least_seconds};
  };
  consider("unsplit", 0, unsplit_messages_with_start(pattern, start));
  for (const std::int64_t grain : grains(start, largest_message(*pattern)))
    consider("weighted", grain, grained_permutations(pattern, grain));
  return best;
}

}  // namespace rota
