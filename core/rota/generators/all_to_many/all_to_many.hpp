// The generators of all-to-many schedules by name. A new one is a new file in this folder and one line in all_to_many.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

struct AllToManyAlgorithm {
  std::string_view name;
  std::string_view
      guarantee;  // in half a line; of ports, which are ranks', or those of hosts that they share
  // Without hosts each rank has one to itself. Throws std::invalid_argument for hosts of another number of ranks.
  Schedule (*schedule)(const std::shared_ptr<const Pattern>&, const std::shared_ptr<const Hosts>&,
                       std::uint64_t seed);
};

/// Every one.
std::span<const AllToManyAlgorithm> all_to_many_algorithms();

/// The one of that name, or nullptr.
const AllToManyAlgorithm* find_all_to_many(std::string_view name);

}  // namespace rota
