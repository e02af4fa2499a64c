#include "schedules_straightforward.hpp"

#include <cstddef>

namespace rota::bench::straightforward {
namespace {

constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Algorithm 4: the skips that are left, largest first, in a list whose head and tail both are -1.
struct Schedule::Search {
  const std::array<std::int64_t, max_q + 1>& skip;
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
      const std::int64_t found = r_found + skip[index(e)];
      if (found <= r - skip[index(k)] && found < s) {
        if (found <= r - skip[index(k + 1)]) {
          k = all_blocks(found, e, k);
          if (k == q) return k;
        }
        if (r_found > r - skip[index(k + 1)]) return k;
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

// Algorithm 2.
Schedule::Schedule(Rank p) : p_(p) {
  while ((std::int64_t{1} << q_) < p) ++q_;
  skip_[index(q_)] = p;
  for (int k = q_; k > 0; --k) skip_[index(k - 1)] = skip_[index(k)] - skip_[index(k)] / 2;
}

// Algorithm 3.
int Schedule::baseblock(std::int64_t r) const {
  std::int64_t reached = 0;
  for (int k = q_ - 1; k >= 0; --k) {
    if (reached + skip_[index(k)] == r) return k;
    if (reached + skip_[index(k)] < r) reached += skip_[index(k)];
  }
  return q_;
}

// Algorithm 5.
std::array<int, max_q> Schedule::receive(std::int64_t r) const {
  const int b = baseblock(r);
  Search search{.skip = skip_, .q = q_, .r = p_ + r, .s = p_ + p_};
  search.link_all();
  search.unlink(b);
  if (q_ > 0) search.all_blocks(0, q_, 0);
  for (int k = 0; k < q_; ++k) {
    int& block = search.block[index(k)];
    block = block == q_ ? b : block - q_;
  }
  return search.block;
}

// Algorithm 6.
std::array<int, max_q> Schedule::send(std::int64_t r) const {
  std::array<int, max_q> block{};
  if (r == 0) {
    for (int k = 0; k < q_; ++k) block[index(k)] = k;
    return block;
  }
  const int b = baseblock(r);
  std::int64_t r_virtual = r;
  std::int64_t e = p_;
  int c = b;
  for (int k = q_ - 1; k >= 1; --k) {
    const std::int64_t skip = skip_[index(k)];
    const std::int64_t smaller = skip_[index(k - 1)];
    if (r_virtual < skip) {
      const bool sends_c = r_virtual + skip < e || e < smaller || (k == 1 && b > 0);
      block[index(k)] = sends_c ? c : receive((r + skip) % p_)[index(k)];
      if (e > skip) e = skip;
    } else {
      c = k - q_;
      const bool sends_c = k == 1 || r_virtual > skip || e - skip < smaller || r_virtual + skip <= e;
      block[index(k)] = sends_c ? c : receive((r + skip) % p_)[index(k)];
      r_virtual -= skip;
      e -= skip;
    }
  }
  block[0] = b - q_;
  return block;
}

Schedules Schedule::of(Rank r) const { return {.receive = receive(r), .send = send(r)}; }

}  // namespace rota::bench::straightforward
