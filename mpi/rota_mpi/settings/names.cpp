#include "rota_mpi/settings/names.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/joined.hpp"
#include "rota/generators/names.hpp"

namespace rota::mpi {

namespace {

/// The names of a collective's schedules, each at its position; empty at those of other collectives.
std::vector<std::string_view> algorithms_of(Collective collective) {
  std::vector<std::string_view> names;
  if (collective == Collective::all_to_many) {
    for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) names.push_back(algorithm.name);
    return names;
  }
  for (const Algorithm& algorithm : algorithms())
    names.push_back(algorithm.collective == collective ? algorithm.name : "");
  return names;
}

}  // namespace

Collective collective_called(const std::string& name) {
  const std::optional<Collective> found = collective_serving(name);
  if (found && *found != Collective::series) return *found;
  throw std::invalid_argument("unknown collective '" + name + "'; valid: " + served_names());
}

std::string served_names() {
  std::string names;
  for (const CollectiveNames& each : names_of_calls()) {
    names += (names.empty() ? "" : ", ") + std::string(each.call);
  }
  return names;
}

std::string algorithm_name(Collective collective, int position) {
  return std::string(algorithms_of(collective).at(static_cast<std::size_t>(position)));
}

std::optional<int> algorithm_called(Collective collective, const std::string& name) {
  const std::vector<std::string_view> names = algorithms_of(collective);
  const auto found = std::ranges::find(names, joined(name));
  if (name.empty() || found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

std::string algorithm_names(Collective collective) {
  std::string names;
  for (const std::string_view name : algorithms_of(collective)) {
    if (!name.empty()) names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return names;
}

}  // namespace rota::mpi
