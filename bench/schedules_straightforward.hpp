// Algorithms 3 to 6 of Träff (2024) exactly as they are printed: the baseline that `rota bench schedules`
// measures.
//
// The doubly linked list of skips, the recursive search and the violations that compute a whole receive
// schedule are the paper's own; only two things that the page leaves open are settled here, as they must be
// for a correct result: s is one variable shared by all levels of the recursion, and the search stops as soon
// as k = q.
#pragma once

#include <array>
#include <cstdint>

#include "rota/schedule/types.hpp"

namespace rota::bench::straightforward {

inline constexpr int max_q = 31;

struct Schedules {
  std::array<int, max_q> receive;
  std::array<int, max_q> send;
};

// The two schedules of single ranks among p of them, p >= 1.
class Schedule {
 public:
  explicit Schedule(Rank p);

  Schedules of(Rank r) const;
  int rounds() const { return q_; }

 private:
  struct Search;

  int baseblock(std::int64_t r) const;
  std::array<int, max_q> receive(std::int64_t r) const;
  std::array<int, max_q> send(std::int64_t r) const;

  int q_ = 0;
  std::int64_t p_;
  std::array<std::int64_t, max_q + 1> skip_{};
};

}  // namespace rota::bench::straightforward
