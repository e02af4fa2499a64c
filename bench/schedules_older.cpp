#include "schedules_older.hpp"

#include <cstddef>

namespace rota::bench::older {
namespace {

using straightforward::max_q;
using straightforward::Skips;

constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

// What one round's search looks for: a sum of skips that are left, none larger than the one before it, in
// [least, most].
struct Search {
  const Skips& skip;
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
      const std::int64_t sum = reached + skip[e];
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

Schedule::Blocks Schedule::receive(std::int64_t r, int rounds) const {
  const int b = skips_.baseblock(r);
  const std::int64_t target = skips_.p() + r;
  std::array<bool, max_q + 1> is_left{};
  for (int e = 0; e <= skips_.q(); ++e) is_left[index(e)] = e != b;
  Blocks block{};
  std::int64_t before = 2 * skips_.p();
  for (int k = 0; k < rounds; ++k) {
    const std::int64_t most = target - skips_[k];
    const Search search{.skip = skips_,
                        .is_left = is_left,
                        .least = target - skips_[k + 1],
                        .most = most < before ? most : before - 1};
    const Search::Found found = search.from(0, skips_.q());
    is_left[index(found.last)] = false;
    before = found.sum;
    block[index(k)] = found.last == skips_.q() ? b : found.last - skips_.q();
  }
  return block;
}

straightforward::Schedules Schedule::of(Rank r) const {
  straightforward::Schedules both{.receive = receive(r, skips_.q()), .send = {}};
  for (int k = 0; k < skips_.q(); ++k) {
    const std::int64_t to = (r + skips_[k]) % skips_.p();
    both.send[index(k)] = r == 0 ? k : receive(to, k + 1)[index(k)];
  }
  return both;
}

}  // namespace rota::bench::older
