#include "skips_straightforward.hpp"

namespace rota::bench::straightforward {

// Algorithm 2.
Skips::Skips(Rank p) {
  while ((std::int64_t{1} << q_) < p) ++q_;
  std::int64_t skip = p;
  for (int k = q_; k >= 0; --k) {
    skip_[static_cast<std::size_t>(k)] = skip;
    skip -= skip / 2;
  }
}

// Algorithm 3.
int Skips::baseblock(std::int64_t r) const {
  std::int64_t reached = 0;
  for (int k = q_ - 1; k >= 0; --k) {
    const std::int64_t next = reached + (*this)[k];
    if (next == r) return k;
    if (next < r) reached = next;
  }
  return q_;
}

}  // namespace rota::bench::straightforward
