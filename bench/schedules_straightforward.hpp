// Algorithms 4 to 6 of Träff (2024) exactly as they are printed (2 and 3: skips_straightforward): the baseline that
// `rota bench schedules` measures.
//
// The doubly linked list of skips, the recursive search and the violations that compute a whole receive
// schedule are the paper's own; only two things that the page leaves open are settled here, as they must be
// for a correct result: s is one variable shared by all levels of the recursion, and the search stops as soon
// as k = q.
#pragma once

#include <array>
#include <cstdint>

#include "rota/schedule/types.hpp"
#include "skips_straightforward.hpp"

namespace rota::bench::straightforward {

struct Schedules {
  std::array<int, max_q> receive;
  std::array<int, max_q> send;
};

// The two schedules of single ranks among p of them, p >= 1.
class Schedule {
 public:
  explicit Schedule(Rank p) : skips_(p) {}

  Schedules of(Rank r) const;
  int rounds() const { return skips_.q(); }

 private:
  struct Search;

  std::array<int, max_q> receive(std::int64_t r) const;
  std::array<int, max_q> send(std::int64_t r) const;

  Skips skips_;
};

}  // namespace rota::bench::straightforward
