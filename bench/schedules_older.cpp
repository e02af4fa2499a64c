#include "schedules_older.hpp"

#include <cstddef>

namespace rota::bench::older {
namespace {

using straightforward::max_q;

constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

// What one round's search looks for: a sum of skips that are left, none larger than the one before it, in
// [least, most].
struct Search {
  const std::array<std::int64_t, max_q + 1>& skip;
  const std::array<bool, max_q + 1>& is_left;
  std::int64_t least = 0;
  std::int64_t most = 0;

  // The last skip of the first such sum, largest skips first, that begins with the skips that make `reached`
  // and goes on with no larger one than `e`.
  struct Found {
    int last = -1;  // none
    std::int64_t sum = 0;
  };

  Found from(std::int64_t reached, int e) const {
    for (; e >= 0; --e) {
      const std::int64_t sum = reached + skip[index(e)];
      if (!is_left[index(e)] || sum > most) continue;
      if (sum <= least) {
        const Found found = from(sum, e);
        if (found.last >= 0) return found;
      }
      if (sum >= least) return {.last = e, .sum = sum};
    }
    return {};
  }
};

}  // namespace

Schedule::Schedule(Rank p) : p_(p) {
  while ((std::int64_t{1} << q_) < p) ++q_;
  skip_[index(q_)] = p;
  for (int k = q_; k > 0; --k) skip_[index(k - 1)] = skip_[index(k)] - skip_[index(k)] / 2;
}

int Schedule::baseblock(std::int64_t r) const {
  std::int64_t reached = 0;
  for (int k = q_ - 1; k >= 0; --k) {
    if (reached + skip_[index(k)] == r) return k;
    if (reached + skip_[index(k)] < r) reached += skip_[index(k)];
  }
  return q_;
}

Schedule::Blocks Schedule::receive(std::int64_t r, int rounds) const {
  const int b = baseblock(r);
  const std::int64_t target = p_ + r;
  std::array<bool, max_q + 1> is_left{};
  for (int e = 0; e <= q_; ++e) is_left[index(e)] = e != b;
  Blocks block{};
  std::int64_t before = 2 * p_;
  for (int k = 0; k < rounds; ++k) {
    const std::int64_t most = target - skip_[index(k)];
    const Search search{.skip = skip_,
                        .is_left = is_left,
                        .least = target - skip_[index(k + 1)],
                        .most = most < before ? most : before - 1};
    const Search::Found found = search.from(0, q_);
    is_left[index(found.last)] = false;
    before = found.sum;
    block[index(k)] = found.last == q_ ? b : found.last - q_;
  }
  return block;
}

straightforward::Schedules Schedule::of(Rank r) const {
  straightforward::Schedules both{.receive = receive(r, q_), .send = {}};
  for (int k = 0; k < q_; ++k) {
    const std::int64_t to = (r + skip_[index(k)]) % p_;
    both.send[index(k)] = r == 0 ? k : receive(to, k + 1)[index(k)];
  }
  return both;
}

}  // namespace rota::bench::older
