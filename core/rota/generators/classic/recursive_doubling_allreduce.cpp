#include "rota/generators/classic/recursive_doubling_allreduce.hpp"

#include <bit>

namespace rota {

namespace {

constexpr Block all_data{0, 0};

/// p ranks folded into 2^exchanges places: the first `pairs` places are those of two ranks each.
struct Folding {
  int exchanges;
  Rank pairs;

  bool folds() const { return pairs > 0; }
  Round rounds() const { return exchanges + (folds() ? 2 : 0); }
  Rank place_of(Rank rank) const { return rank < 2 * std::int64_t{pairs} ? rank / 2 : rank - pairs; }
  /// The rank that acts for the place: of two, the lower.
  Rank rank_at(Rank place) const { return place < pairs ? 2 * place : place + pairs; }
  bool in_pair(Rank rank) const { return rank < 2 * std::int64_t{pairs}; }
};

Folding folding(Rank ranks) {
  const auto places = static_cast<Rank>(std::bit_floor(static_cast<std::uint32_t>(ranks)));
  return {std::countr_zero(static_cast<std::uint32_t>(places)), ranks - places};
}

/// The higher rank of a pair gives its contribution to the lower one.
Step fold(const Folding& folding, Rank rank) {
  if (!folding.in_pair(rank)) return {};
  Step step;
  if (rank % 2 == 1) {
    step.send = {rank - 1, all_data};
  } else {
    step.receive = {rank + 1, all_data};
    step.on_receive = OnReceive::combine_right;
  }
  return step;
}

/// And gets the result from it.
Step unfold(const Folding& folding, Rank rank) {
  if (!folding.in_pair(rank)) return {};
  Step step;
  Message& message = rank % 2 == 1 ? step.receive : step.send;
  message = {rank ^ 1, all_data};
  return step;
}

Step exchange(const Folding& folding, Rank rank, Round index) {
  const Rank place = folding.place_of(rank);
  if (folding.rank_at(place) != rank) return {};
  const Rank peer = folding.rank_at(place ^ (Rank{1} << index));
  const OnReceive side = peer < rank ? OnReceive::combine_left : OnReceive::combine_right;
  return {{peer, all_data}, {peer, all_data}, side, {}};
}

Step step(const Folding& folding, Rank rank, Round round) {
  if (folding.folds() && round == 0) return fold(folding, rank);
  if (folding.folds() && round == folding.rounds() - 1) return unfold(folding, rank);
  return exchange(folding, rank, folding.folds() ? round - 1 : round);
}

}  // namespace

Schedule recursive_doubling_allreduce(const Problem& problem) {
  require_valid(problem);
  Problem whole = problem;
  whole.owners = {all_data.owner};
  whole.blocks = 1;
  const Folding folded = folding(problem.ranks);
  return {whole, folded.rounds(), [folded](Rank rank) -> RankSchedule {
            return [=](Round round) { return step(folded, rank, round); };
          }};
}

Pipeline recursive_doubling_allreduce_pipeline(const Load& load) {
  const Folding folded = folding(load.ranks);
  const auto rounds = static_cast<double>(folded.rounds());
  if (rounds == 0) return {0, 0, 0, 0, 0};
  return {0, rounds, rounds * load.bytes, 0, folded.folds() ? (rounds - 1) / rounds : 1};
}

}  // namespace rota
