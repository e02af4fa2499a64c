// Both schedules in O(log^3 p) steps a rank: the cost that the construction before Träff (2024) had, and which
// its Table 4 measures the new one against.
//
// Of that construction the paper tells the cost, and that it gives the same schedules. Here it is, written in
// the straightforward way: the block of each round is searched for anew, from rank 0 on, through the sums of
// skips that are left (Lemma 4 says which block it is; O(log p) steps a search and O(log^2 p) a receive
// schedule), and each entry of the send schedule is the one that the neighbour receives, from the neighbour's
// own receive schedule up to that round (Correctness Condition 2; O(log^3 p)).
#pragma once

#include <array>
#include <cstdint>

#include "rota/schedule/types.hpp"
#include "schedules_straightforward.hpp"
#include "skips_straightforward.hpp"

namespace rota::bench::older {

// The two schedules of single ranks among p of them, p >= 1.
class Schedule {
 public:
  explicit Schedule(Rank p) : skips_(p) {}

  straightforward::Schedules of(Rank r) const;
  int rounds() const { return skips_.q(); }

 private:
  using Blocks = std::array<int, straightforward::max_q>;

  Blocks receive(std::int64_t r, int rounds) const;

  straightforward::Skips skips_;
};

}  // namespace rota::bench::older
