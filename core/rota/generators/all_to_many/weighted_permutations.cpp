#include "rota/generators/all_to_many/weighted_permutations.hpp"

#include <algorithm>

#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/generators/all_to_many/timed.hpp"
#include "rota/matchings/weighted_matchings.hpp"

namespace rota {

namespace {

bool are_equal(std::span<const Shipment> shipments) {
  return std::ranges::adjacent_find(shipments, std::ranges::not_equal_to{}, &Shipment::bytes) ==
         shipments.end();
}

}  // namespace

Schedule grained_permutations(const std::shared_ptr<const Pattern>& pattern, std::int64_t grain_bytes) {
  const std::vector<Shipment> shipments = pattern->shipments();
  const auto matchings =
      weighted_matchings(static_cast<std::size_t>(pattern->ranks()), edges_in_grains(shipments, grain_bytes));
  const Timed timed = in_grains(shipments, matchings, grain_bytes);
  return timed_schedule(pattern, timed.parcels, timed.rounds);
}

Schedule weighted_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  if (are_equal(pattern->shipments())) return exact_permutations(pattern, seed);
  return grained_permutations(pattern, 1);
}

}  // namespace rota
