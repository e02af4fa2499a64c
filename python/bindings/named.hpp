// Collectives and algorithms, asked for by their names.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"

namespace rota {

/// Python's `Collective.broadcast`, "broadcast" or "bcast".
using CollectiveOrName = std::variant<Collective, std::string>;

inline constexpr std::array within_a_group{
    Collective::broadcast, Collective::reduce, Collective::allgather, Collective::reduce_scatter,
    Collective::allreduce, Collective::scan,   Collective::exscan};
inline constexpr std::array between_groups{Collective::inter_allgather, Collective::inter_broadcast,
                                           Collective::inter_reduce, Collective::inter_allreduce};
/// Those whose algorithms have names in the index.
inline constexpr std::array of_either_kind{within_a_group[0], within_a_group[1], within_a_group[2],
                                           within_a_group[3], within_a_group[4], within_a_group[5],
                                           within_a_group[6], between_groups[0], between_groups[1],
                                           between_groups[2], between_groups[3]};

/// The collective that is asked for. Throws std::invalid_argument with the valid names if it is none of
/// those.
inline Collective one_of(std::span<const Collective> valid, const CollectiveOrName& asked) {
  const auto* const itself = std::get_if<Collective>(&asked);
  const std::optional<Collective> found =
      itself != nullptr ? *itself : collective_named(std::get<std::string>(asked));
  if (found && std::ranges::find(valid, *found) != valid.end()) return *found;
  std::string names;
  for (const Collective each : valid) names.append(names.empty() ? "" : ", ").append(name(each));
  const std::string word = itself != nullptr ? std::string(name(*itself)) : std::get<std::string>(asked);
  throw std::invalid_argument("no collective '" + word + "' here; valid: " + names);
}

[[noreturn]] inline void refuse_algorithm(Collective collective, const std::string& algorithm,
                                          std::span<const std::string_view> valid) {
  std::string names;
  for (const std::string_view each : valid) names.append(names.empty() ? "" : ", ").append(each);
  throw std::invalid_argument("unknown algorithm '" + algorithm + "' for " + std::string(name(collective)) +
                              "; valid: " + names);
}

inline std::vector<std::string_view> algorithm_names(Collective collective) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == collective) names.push_back(algorithm.name);
  }
  return names;
}

/// The collective's algorithm of that name. Throws std::invalid_argument with the valid names if there is
/// none.
inline const Algorithm& algorithm_called(Collective collective, const std::string& algorithm) {
  const Algorithm* const found = find_algorithm(collective, algorithm);
  if (found == nullptr) refuse_algorithm(collective, algorithm, algorithm_names(collective));
  return *found;
}

/// Throws std::invalid_argument: the algorithm is there, and does not solve the problem.
[[noreturn]] inline void refuse_problem(Collective collective, const std::string& algorithm,
                                        const std::string& why) {
  throw std::invalid_argument("'" + algorithm + "' for " + std::string(name(collective)) + " " + why);
}

}  // namespace rota
