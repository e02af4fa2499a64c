#include "rota/generators/all_to_many/all_to_many_choice.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/ports.hpp"
#include "rota/model/all_to_many_bound.hpp"

namespace rota {

namespace {

// So much more than the least is as good.
constexpr double enough = 1.01;

// Work that grows with the square of messages: of so many it takes some milliseconds, to gain the few hundredths that whole messages leave.
constexpr std::int64_t most_in_pieces_over_links = 1000;

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

AllToManyChoice best_all_to_many(const std::shared_ptr<const Pattern>& pattern,
                                 const std::shared_ptr<const Hosts>& hosts, const Network& network,
                                 std::uint64_t seed) {
  const Pattern ports = hosts == nullptr ? *pattern : pattern_of_hosts(*pattern, *hosts);
  const std::int64_t start = start_bytes(ports, network);
  AllToManyChoice best;
  best.least_seconds = least_seconds(*pattern, hosts.get(), network);
  const auto consider = [&](std::string_view algorithm, std::int64_t grain, Schedule schedule) {
    const double seconds = unsynchronised_seconds(schedule, network);
    if (best.algorithm.empty() || seconds < best.seconds)
      best = {algorithm, grain, std::move(schedule), seconds, best.least_seconds};
  };
  consider("exact", 0, find_all_to_many("exact")->schedule(pattern, hosts, seed));
  consider("unsplit", 0, unsplit_by_links(pattern, hosts, seed, start));
  if (hosts != nullptr && hosts->links > 1 && pattern->messages() > most_in_pieces_over_links) return best;
  // Nothing is to be gained by pieces, which take longer to work out, where whole messages leave no port idle.
  for (const std::int64_t grain : grains(start, largest_message(ports))) {
    if (best.seconds <= enough * best.least_seconds) break;
    consider("weighted", grain, weighted_by_links(pattern, hosts, seed, grain));
  }
  return best;
}

}  // namespace rota
