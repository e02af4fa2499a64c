#include "schedules_straightforward.hpp"

#include <cstddef>

namespace rota::bench::straightforward {
namespace {

constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Algorithm 4: the skips that are left, largest first, in a list whose head and tail both are -1.
struct Schedule::Search {
  const Skips& skip;
  int q = 0;
  std::int64_t r = 0;
  std::int64_t s = 0;
  std::array<int, max_q> block{};
  std::array<int, max_q + 2> next_of{};  // next_of[e + 1] is the paper's next[e]
  std::array<int, max_q + 2> prev_of{};

  int& next(int e) { return next_of[index(e + 1)]; }
  int& prev(int e) { return prev_of[index(e + 1)]; }

  void link_all() {
    for (int e = 0; e <= q; ++e) {
      next(e) = e - 1;
      prev(e) = e + 1;
    }
    prev(q) = -1;
    next(-1) = q;
    prev(-1) = 0;
  }

  void unlink(int e) {
    next(prev(e)) = next(e);
    prev(next(e)) = prev(e);
  }

  int all_blocks(std::int64_t r_found, int e, int k) {
    while (e != -1) {
      const std::int64_t found = r_found + skip[e];
      if (found <= r - skip[k] && found < s) {
        if (found <= r - skip[k + 1]) {
          k = all_blocks(found, e, k);
          if (k == q) return k;
        }
        if (r_found > r - skip[k + 1]) return k;
        s = found;
        block[index(k)] = e;
        if (++k == q) return k;
        unlink(e);
      }
      e = next(e);
    }
    return k;
  }
};

// Algorithm 5.
std::array<int, max_q> Schedule::receive(std::int64_t r) const {
  const int b = skips_.baseblock(r);
  Search search{.skip = skips_, .q = skips_.q(), .r = skips_.p() + r, .s = skips_.p() + skips_.p()};
  search.link_all();
  search.unlink(b);
  if (skips_.q() > 0) search.all_blocks(0, skips_.q(), 0);
  for (int k = 0; k < skips_.q(); ++k) {
    int& block = search.block[index(k)];
    block = block == skips_.q() ? b : block - skips_.q();
  }
  return search.block;
}

// Algorithm 6.
std::array<int, max_q> Schedule::send(std::int64_t r) const {
  std::array<int, max_q> block{};
  if (r == 0) {
    for (int k = 0; k < skips_.q(); ++k) block[index(k)] = k;
    return block;
  }
  const int b = skips_.baseblock(r);
  std::int64_t r_virtual = r;
  std::int64_t e = skips_.p();
  int c = b;
  for (int k = skips_.q() - 1; k >= 1; --k) {
    const std::int64_t skip = skips_[k];
    const std::int64_t smaller = skips_[k - 1];
    if (r_virtual < skip) {
      const bool sends_c = r_virtual + skip < e || e < smaller || (k == 1 && b > 0);
      block[index(k)] = sends_c ? c : receive((r + skip) % skips_.p())[index(k)];
      if (e > skip) e = skip;
    } else {
      c = k - skips_.q();
      const bool sends_c = k == 1 || r_virtual > skip || e - skip < smaller || r_virtual + skip <= e;
      block[index(k)] = sends_c ? c : receive((r + skip) % skips_.p())[index(k)];
      r_virtual -= skip;
      e -= skip;
    }
  }
  block[0] = b - skips_.q();
  return block;
}

Schedules Schedule::of(Rank r) const { return {.receive = receive(r), .send = send(r)}; }

}  // namespace rota::bench::straightforward
