#include "rota/generators/global_masking.hpp"

#include "rota/generators/masking.hpp"

namespace rota {

Schedule global_masking(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  Random random(seed);
  return masked(pattern, rows_of(*pattern), random, [](std::vector<LeftMessage>& row, std::size_t position) {
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(position));
  });
}

}  // namespace rota
