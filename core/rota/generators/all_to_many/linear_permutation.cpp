#include "rota/generators/all_to_many/linear_permutation.hpp"

#include <algorithm>
#include <bit>

#include "rota/schedule/parcels.hpp"

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
  std::vector<Round> rounds;
  rounds.reserve(static_cast<std::size_t>(pattern->messages()));
  for (Rank from = 0; from < pattern->ranks(); ++from) {
    for (const Rank to : pattern->row(from).to) rounds.push_back(tournament.meeting(from, to));
  }
  return whole_schedule(pattern, rounds, tournament.rounds());
}

}  // namespace rota
