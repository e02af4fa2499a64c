#include "rota/circulant/circulant.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>

// The law of the receive schedule
//
// Algorithm 4 finds the blocks of rounds 0 … k from the baseblocks of the skip[k+1] ranks before its own
// (Lemma 4). Listing all baseblocks (proof of Lemma 3) repeats what precedes skip[m] behind it, and skip[0] …
// skip[m] are also the skips of a graph of skip[m] ranks. So behind the seam at skip[m], up to skip[m+1],
// rounds below m are as in that graph, whose wrap-around the seam looks like: rank skip[m] + x does as rank x
// of skip[m] ranks, its place (m, x). For p ranks themselves the place is (q, r). Algorithm 6, read by the
// receiver, says the rest; in round k < m at place (m, x):
//
//   0      seam_width       skip[k]                     skip[k+1]
//   |------|----------------|---------------------------|---------------------→ x
//    search   k - q           m - q                       goes on at (j, x - skip[j]),
//                             (baseblock b if m = q)      skip[j] the largest skip within x
//
//   [0, skip[k]): the sender x - skip[k] is before the seam, in the last upper part, which sends k - q.
//   [skip[k], skip[k+1]): the sender is in the first lower part behind the seam, which passes on the block of
//   the rank at the seam: m, counted from below; the root sends each rank there its baseblock.
//
// The seam's width is what Algorithm 6 calls violations. The part before the seam lacks d ranks, one for each
// odd skip among skip[k+1] … skip[m]. Its last d lower ranks and its first upper one violate, unless d = 0;
// they send to x <= d.
//
// This says why, but is no full proof. check() in circulant_conditions.hpp compares with Algorithm 4's whole
// search, and has done so for all ranks of every p up to 16384 and of many larger ones.

namespace rota::circulant {
namespace {

// bit_width's type differs between standard libraries.
constexpr int width(std::uint64_t bits) { return static_cast<int>(std::bit_width(bits)); }

constexpr std::int8_t as_block(int block) { return static_cast<std::int8_t>(block); }

// A set of skip indices, one bit each.
using Indices = std::uint64_t;

constexpr Indices only(int e) { return Indices{1} << e; }
constexpr Indices below(int e) { return only(e) - 1; }
constexpr int largest(Indices indices) { return width(indices) - 1; }
constexpr int smallest(Indices indices) { return std::countr_zero(indices); }

// The indices of all skips that are at most `distance`. As p lies in (2^(q-1), 2^q], halving with rounding up
// keeps skip[e] in (2^(e-1), 2^e]: only one skip has to be looked at.
Indices within(const Skips& skips, std::int64_t distance) {
  if (distance <= 0) return 0;
  const int e = width(static_cast<std::uint64_t>(distance));
  return below(e + (skips[e] <= distance));
}

// What a search may count: nothing, or what Lemmas 5 and 6 bound.
struct NoCount {
  void recursive_call() {}
  void iterations(int) {}
};
struct Count {
  int recursive_calls = 0;
  int iterated = 0;
  void recursive_call() { ++recursive_calls; }
  void iterations(int n) { iterated += n; }
};

// Rank x of a graph of skip[m] ranks, whose skips are skip[0] … skip[m].
struct Place {
  int m;
  std::int64_t x;
};

// Takes skip[k] off a place with x < skip[k+1] if it fits.
Place step(const Skips& skips, Place place, int k) {
  return place.x < skips[k] ? place : Place{.m = k, .x = place.x - skips[k]};
}

Place descended(const Skips& skips, Place place, int from, int to) {
  for (int k = from; k >= to; --k) place = step(skips, place, k);
  return place;
}

// Algorithm 3, for a place with x < skip[k].
int baseblock_below(const Skips& skips, Place place, int k) { return descended(skips, place, k - 1, 0).m; }

// Algorithm 4 for the first `rounds` rounds of a rank with baseblock b: the depth-first search through the
// sums of skips, each smaller than the one before, for the ranks r'_0 > r'_1 > … with
//
//   target - skip[k+1] <= r'_k <= target - skip[k],
//
// none using a skip that was the last of a sum accepted earlier. block[k] is the last skip of the sum for
// r'_k.
//
// The paper's list of skips that are left is a bit set here, and a step goes to the next skip that is near
// enough at once. The recursion's levels are the skips on the path from 0 to `at`; returning from one takes
// the smallest off.
template <class Counter>
Schedule search(const Skips& skips, Place place, int b, int rounds, Counter& count) {
  Schedule found{.q = skips.q, .block = {}};
  const std::int64_t target = skips[place.m] + place.x;
  std::int64_t accepted = 2 * skips[place.m];
  std::int64_t at = 0;
  Indices left = below(place.m + 1) & ~only(b);
  Indices path = 0;
  Indices ahead = below(place.m + 1);
  for (int k = 0; k < rounds;) {
    const Indices near = ahead & within(skips, std::min(target - skips[k], accepted - 1) - at);
    int e = largest(near);
    count.iterations(std::popcount(near != 0 ? ahead & ~below(e) : ahead));
    if (near != 0 && at + skips[e] <= target - skips[k + 1]) {
      count.recursive_call();
      path |= only(e);
      at += skips[e];
      ahead = left & below(e + 1);
      continue;
    }
    // Return from a level that has nothing near, then from all that the last round's step has left too near.
    for (bool returns = near == 0; returns || at > target - skips[k + 1]; returns = false) {
      e = smallest(path);
      path &= ~only(e);
      at -= skips[e];
    }
    found[k++] = as_block(e);
    accepted = at + skips[e];
    left &= ~only(e);
    ahead = left & below(e);
  }
  return found;
}

// A schedule is found as indices of skips, where q stands for the baseblock b. Algorithm 5 ends by numbering
// them: all blocks but the baseblock count from below zero.
constexpr std::int8_t numbered(int e, int q, int b) { return as_block(e == q ? b : e - q); }

Schedule numbered(Schedule schedule, int b) {
  for (std::int8_t& block : schedule.block) block = numbered(block, schedule.q, b);
  return schedule;
}

// The indices of rounds 0 … k at a place with x < skip[k+1].
struct Found {
  Schedule schedule;
  int baseblock;
};

Found searched(const Skips& skips, Place place, int k) {
  NoCount none;
  const int b = baseblock_below(skips, place, k + 1);
  return {.schedule = search(skips, place, b, k + 1, none), .baseblock = b};
}

// What rank r receives in round k.
std::int8_t received_block(const Skips& skips, Rank r, int k) {
  const Found found = searched(skips, descended(skips, {.m = skips.q, .x = r}, skips.q - 1, k + 1), k);
  return numbered(found.schedule[k], skips.q, found.baseblock);
}

// What Algorithm 6 takes a rank other than the root to send, and the rounds in which that is a violation. The
// blocks are right in all other rounds. No branch of it depends on r: such branches would be guessed wrong
// half of the time.
struct Expected {
  Schedule schedule;
  Indices violations;
};

Expected expected_send_schedule(const Skips& skips, Rank r) {
  const int q = skips.q;
  Schedule schedule{.q = q, .block = {}};
  Indices violations = 0;
  int c = q;
  std::int64_t x = r;
  std::int64_t size = skips[q];
  for (int k = q - 1; k >= 1; --k) {
    const std::int64_t skip = skips[k];
    const bool upper = x >= skip;
    const bool lower_known = (x + skip < size) | (size < skips[k - 1]) | ((k == 1) & (x == 0));
    const bool upper_known = (k == 1) | (x > skip) | (size - skip < skips[k - 1]) | (x + skip <= size);
    violations |= (upper ? upper_known : lower_known) ? 0 : only(k);
    c = upper ? k : c;
    schedule[k] = as_block(c);
    x -= upper ? skip : 0;
    size = upper ? size - skip : std::min(size, skip);
  }
  const int b = x == 0 ? c : 0;
  schedule[0] = as_block(b);
  return {.schedule = numbered(schedule, b), .violations = violations};
}

Schedule root_send_schedule(int q) {
  Schedule schedule{.q = q, .block = {}};
  std::iota(schedule.block.begin(), schedule.block.begin() + q, std::int8_t{0});
  return schedule;
}

}  // namespace

Skips skips(Rank p) {
  if (p < 1) throw std::invalid_argument("the number of ranks is " + std::to_string(p) + ": give at least 1");
  Skips skips{.q = width(static_cast<std::uint64_t>(p - 1)), .at = {}, .odd = {}};
  skips.at.fill(Skips::unreachable);
  std::int64_t skip = p;
  for (int k = skips.q; k >= 0; --k) {
    skips.at[static_cast<std::size_t>(k)] = skip;
    skip -= skip / 2;
  }
  std::transform_inclusive_scan(skips.at.begin(), skips.at.begin() + skips.q + 1, skips.odd.begin(),
                                std::plus<>(), [](std::int64_t each) { return static_cast<int>(each % 2); });
  return skips;
}

int baseblock(const Skips& skips, Rank r) { return baseblock_below(skips, {.m = skips.q, .x = r}, skips.q); }

Schedule receive_schedule(const Skips& skips, Rank r) {
  Schedule schedule{.q = skips.q, .block = {}};
  Place place{.m = skips.q, .x = r};
  for (int k = skips.q - 1; k >= 0; --k) {
    if (place.x < skips.seam_width(place.m, k)) {
      const Found found = searched(skips, place, k);
      std::copy_n(found.schedule.begin(), k + 1, schedule.block.begin());
      return numbered(schedule, found.baseblock);
    }
    schedule[k] = as_block(place.x < skips[k] ? k : place.m);
    place = step(skips, place, k);
  }
  return numbered(schedule, place.m);
}

Schedule send_schedule(const Skips& skips, Rank r) { return counted_send_schedule(skips, r).schedule; }

CountedReceive counted_receive_schedule(const Skips& skips, Rank r) {
  Count count;
  const int b = baseblock(skips, r);
  const Schedule found = search(skips, {.m = skips.q, .x = r}, b, skips.q, count);
  return {
      .schedule = numbered(found, b), .recursive_calls = count.recursive_calls, .iterations = count.iterated};
}

CountedSend counted_send_schedule(const Skips& skips, Rank r) {
  if (r == 0) return {.schedule = root_send_schedule(skips.q), .violations = 0};
  Expected expected = expected_send_schedule(skips, r);
  for (Indices rounds = expected.violations; rounds != 0; rounds &= rounds - 1) {
    const int k = smallest(rounds);
    expected.schedule[k] = received_block(skips, skips.to(r, k), k);
  }
  return {.schedule = expected.schedule, .violations = std::popcount(expected.violations)};
}

}  // namespace rota::circulant
