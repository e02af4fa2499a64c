#include "rota/generators/linear_permutation.hpp"

#include <algorithm>
#include <bit>

#include "rota/parcels.hpp"

namespace rota {

namespace {

/// In which rounds ranks meet.
class Tournament {
 public:
  explicit Tournament(Rank ranks) : ranks_(ranks), odd_(ranks - (ranks % 2 == 0 ? 1 : 0)) {}

  Round rounds() const { return ranks_ == 1 ? 0 : odd_; }

  Round meeting(Rank one, Rank other) const {
    if (std::has_single_bit(static_cast<std::uint32_t>(ranks_))) return (one ^ other) - 1;
    const std::int64_t smaller = std::min(one, other);
    const std::int64_t larger = std::max(one, other);
    return (smaller + (larger == odd_ ? smaller : larger)) % odd_;
  }

 private:
  Rank ranks_;
  Rank odd_;
};

}  // namespace

Schedule linear_permutation(const std::shared_ptr<const Pattern>& pattern, std::uint64_t /*seed*/) {
  const Tournament tournament(pattern->ranks());
  std::vector<TimedParcel> parcels;
  for (const Shipment& each : pattern->shipments())
    parcels.push_back({each.from, {each.to, 0, each.bytes}, tournament.meeting(each.from, each.to)});
  return timed_schedule(pattern, parcels, tournament.rounds());
}

}  // namespace rota
