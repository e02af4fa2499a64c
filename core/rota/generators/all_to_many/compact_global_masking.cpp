#include "rota/generators/all_to_many/compact_global_masking.hpp"

#include <algorithm>

#include "rota/generators/all_to_many/masking.hpp"

namespace rota {

Schedule compact_global_masking(const std::shared_ptr<const Pattern>& pattern, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<LeftMessage>> rows = rows_of(*pattern);
  for (std::vector<LeftMessage>& row : rows) random.shuffle(row);
  return masked(pattern, std::move(rows), random,
                [](std::vector<LeftMessage>& row, const auto& is_free) -> std::optional<LeftMessage> {
                  const auto found = std::ranges::find_if(row, is_free);
                  if (found == row.end()) return std::nullopt;
                  const LeftMessage taken = std::exchange(*found, row.back());
                  row.pop_back();
                  return taken;
                });
}

}  // namespace rota
