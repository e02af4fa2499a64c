#include "rota/generators/all_to_many/global_masking.hpp"

#include <algorithm>

#include "rota/generators/all_to_many/masking.hpp"

namespace rota {

Schedule global_masking(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  Random random(seed);
  const auto columns = static_cast<std::uint32_t>(pattern->ranks());
  return masked(pattern, rows_of(*pattern), random,
                [&](std::vector<LeftMessage>& row, const auto& is_free) -> std::optional<LeftMessage> {
                  const auto column = static_cast<Rank>(random.below(columns));
                  const auto first = std::ranges::lower_bound(row, column, {}, &LeftMessage::to);
                  auto found = std::find_if(first, row.end(), is_free);
                  if (found == row.end()) found = std::find_if(row.begin(), first, is_free);
                  if (found == row.end() || !is_free(*found)) return std::nullopt;
                  const LeftMessage taken = *found;
                  row.erase(found);
                  return taken;
                });
}

}  // namespace rota
