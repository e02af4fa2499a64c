#include "rota_mpi/settings/names.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/joined.hpp"

namespace rota::mpi {

namespace {

/// The collectives that Rota serves, by the names of MPI's calls.
struct CallName {
  Collective collective;
  const char* name;
};
constexpr std::array served{CallName{Collective::broadcast, "bcast"},
                            CallName{Collective::reduce, "reduce"},
                            CallName{Collective::allgather, "allgather"},
                            CallName{Collective::reduce_scatter, "reduce_scatter"},
                            CallName{Collective::allreduce, "allreduce"},
                            CallName{Collective::scan, "scan"},
                            CallName{Collective::exscan, "exscan"},
                            CallName{Collective::all_to_many, "alltoall"},
                            CallName{Collective::inter_allgather, "inter_allgather"},
                            CallName{Collective::inter_broadcast, "inter_bcast"},
                            CallName{Collective::inter_reduce, "inter_reduce"},
                            CallName{Collective::inter_allreduce, "inter_allreduce"}};

/// Calls that are served as another collective, and share its settings.
constexpr std::array served_as{CallName{Collective::allgather, "allgatherv"},
                               CallName{Collective::reduce_scatter, "reduce_scatter_block"},
                               CallName{Collective::all_to_many, "alltoallv"},
                               CallName{Collective::all_to_many, "alltoallw"}};

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

const char* call_name(Collective collective) {
  for (const CallName& each : served) {
    if (each.collective == collective) return each.name;
  }
  return "unserved";
}

Collective collective_called(const std::string& name) {
  for (const CallName& each : served_as) {
    if (each.name == name) return each.collective;
  }
  const std::optional<Collective> found = collective_named(name);
  if (found && *found != Collective::series) return *found;
  throw std::invalid_argument("unknown collective '" + name + "'; valid: " + served_names());
}

std::string served_names() {
  std::string names;
  for (const CallName& each : served) names += (names.empty() ? "" : ", ") + std::string(each.name);
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
