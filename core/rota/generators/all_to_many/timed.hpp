// Rounds of parcels as schedules of all-to-many are put together from them.
#pragma once

#include <vector>

#include "rota/matchings/weighted_matchings.hpp"
#include "rota/schedule/parcels.hpp"
#include "rota/schedule/pattern.hpp"

namespace rota {

/// Parcels, in rounds that are counted from 0 on.
struct Timed {
  std::vector<TimedParcel> parcels;
  Round rounds = 0;
};

/// A round for each of the matchings of shipments, whose weights count grains; the last grain of a shipment
/// may be a broken one.
Timed in_grains(const std::vector<Shipment>& shipments, const std::vector<WeightedMatching>& matchings,
                std::int64_t grain_bytes);

/// Shipments as edges from senders to receivers, whose weights count grains, also broken ones. Throws
/// std::invalid_argument unless grain_bytes >= 1.
std::vector<WeightedEdge> edges_in_grains(const std::vector<Shipment>& shipments, std::int64_t grain_bytes);

/// The rounds of both, those of `few` spread evenly over those of `many`.
Timed spread(Timed few, Timed many);

}  // namespace rota
