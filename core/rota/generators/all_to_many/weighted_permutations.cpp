#include "rota/generators/all_to_many/weighted_permutations.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/matchings/weighted_matchings.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

bool are_equal(std::span<const Shipment> shipments) {
  return std::ranges::adjacent_find(shipments, std::ranges::not_equal_to{}, &Shipment::bytes) ==
         shipments.end();
}

/// How much of a message goes on with its next piece.
struct Remainder {
  std::int64_t offset_bytes = 0;
  std::int64_t bytes = 0;
};

}  // namespace

Schedule grained_permutations(const std::shared_ptr<const Pattern>& pattern, std::int64_t grain_bytes) {
  if (grain_bytes < 1)
    throw std::invalid_argument("a grain of " + std::to_string(grain_bytes) + " bytes; give at least 1");
  const std::vector<Shipment> shipments = pattern->shipments();
  std::vector<WeightedEdge> edges;
  std::vector<Remainder> left;
  for (const Shipment& each : shipments) {
    edges.push_back({each.from, each.to, (each.bytes - 1) / grain_bytes + 1});
    left.push_back({0, each.bytes});
  }
  std::vector<TimedParcel> parcels;
  Round round = 0;
  for (const WeightedMatching& matching :
       weighted_matchings(static_cast<std::size_t>(pattern->ranks()), edges)) {
    for (const EdgePart& part : matching.parts) {
      const Shipment& shipment = shipments[static_cast<std::size_t>(part.edge)];
      Remainder& rest = left[static_cast<std::size_t>(part.edge)];
      // The last grain may be a broken one; grains before it are whole, so that this does not overflow.
      const std::int64_t bytes =
          part.weight > (rest.bytes - 1) / grain_bytes ? rest.bytes : part.weight * grain_bytes;
      parcels.push_back({shipment.from, {shipment.to, rest.offset_bytes, bytes}, round});
      rest = {rest.offset_bytes + bytes, rest.bytes - bytes};
    }
    ++round;
  }
  return timed_schedule(pattern, parcels, round);
}

Schedule weighted_permutations(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  if (are_equal(pattern->shipments())) return exact_permutations(pattern, seed);
  return grained_permutations(pattern, 1);
}

}  // namespace rota
