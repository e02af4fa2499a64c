#include "amounts.hpp"

#include <algorithm>
#include <numeric>

#include "../check/random.hpp"
#include "odd.hpp"

namespace rota::programs {

namespace {

std::uint64_t drawn(const Step& step, int from, int to) {
  const int low = step.in_place != 0 ? std::min(from, to) : from;
  const int high = step.in_place != 0 ? std::max(from, to) : to;
  return check::random_of(static_cast<std::uint64_t>(step.data),
                          static_cast<std::uint64_t>(std::int64_t{64} * low + high))
      .next();
}

/// By the pattern alone.
std::int64_t patterned(const Step& step, int from, int to, int size) {
  const bool is_symmetric = step.in_place != 0;
  const std::int64_t count = step.count;
  switch (step.pattern % 5) {
    case 1:
      return static_cast<std::int64_t>(drawn(step, from, to) % static_cast<std::uint64_t>(2 * count + 1));
    case 2:
      return drawn(step, from, to) % 2 == 0 ? count : 0;
    case 3:
      return from == step.data % size || (is_symmetric && to == step.data % size) ? count : 0;
    case 4:
      return count * ((is_symmetric ? from + to : from) % 3);
    default:
      return count;
  }
}

}  // namespace

std::int64_t amount(const Step& step, int from, int to, int size) {
  if (has_nothing(step, from, size) || has_nothing(step, to, size)) return 0;
  return patterned(step, from, to, size);
}

std::int64_t share(const Step& step, int from, int size) {
  return has_nothing(step, from, size) ? 0 : patterned(step, from, from, size);
}

std::vector<std::int64_t> places(const Step& step, const std::vector<std::int64_t>& counts) {
  constexpr std::int64_t anywhere = 12345678;
  const int way = step.displs % 4;
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (way == 2) std::ranges::reverse(order);
  std::vector<std::int64_t> result(counts.size());
  std::int64_t next = way == 1 ? 1 : 0;
  for (const std::size_t i : order) {
    result[i] = way == 3 && counts[i] == 0 ? anywhere : next;
    next += counts[i] + (way == 1 ? 1 : 0);
  }
  return result;
}

}  // namespace rota::programs
