#pragma once

#include <algorithm>
#include <vector>

namespace rota::bench {

/// The median, of an even number the upper one; there must be one.
inline double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

}  // namespace rota::bench
