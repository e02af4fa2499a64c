#include "rota/generators/names.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "rota/generators/joined.hpp"

namespace rota {

namespace {

constexpr std::array all_names{
    CollectiveNames{Collective::broadcast, "broadcast", "bcast"},
    CollectiveNames{Collective::reduce, "reduce", "reduce"},
    CollectiveNames{Collective::allgather, "allgather", "allgather"},
    CollectiveNames{Collective::reduce_scatter, "reduce_scatter", "reduce_scatter"},
    CollectiveNames{Collective::allreduce, "allreduce", "allreduce"},
    CollectiveNames{Collective::scan, "scan", "scan"},
    CollectiveNames{Collective::exscan, "exscan", "exscan"},
    CollectiveNames{Collective::all_to_many, "all_to_many", "alltoall"},
    CollectiveNames{Collective::inter_allgather, "inter_allgather", "inter_allgather"},
    CollectiveNames{Collective::inter_broadcast, "inter_broadcast", "inter_bcast"},
    CollectiveNames{Collective::inter_reduce, "inter_reduce", "inter_reduce"},
    CollectiveNames{Collective::inter_allreduce, "inter_allreduce", "inter_allreduce"},
    CollectiveNames{Collective::series, "series", "series"}};
static_assert(all_names.size() == collective_count + 1 && all_names.back().collective == Collective::series);

constexpr std::array served{ServedAs{"allgatherv", Collective::allgather},
                            ServedAs{"reduce_scatter_block", Collective::reduce_scatter},
                            ServedAs{"alltoallv", Collective::all_to_many},
                            ServedAs{"alltoallw", Collective::all_to_many}};

/// As people write it, who know MPI's call and not its letters.
constexpr std::string_view all_to_all = "all_to_all";

const CollectiveNames& names_of(Collective collective) {
  return *std::ranges::find(all_names, collective, &CollectiveNames::collective);
}

}  // namespace

std::span<const CollectiveNames> names_of_calls() { return std::span(all_names).first(collective_count); }

std::span<const ServedAs> served_as_others() { return served; }

std::string_view name(Collective collective) { return names_of(collective).own; }

const char* call_name(Collective collective) { return names_of(collective).call; }

std::optional<Collective> collective_named(std::string_view name) {
  const std::string word = joined(name);
  if (word == all_to_all) return Collective::all_to_many;
  const auto* const found = std::ranges::find_if(
      all_names, [&](const CollectiveNames& each) { return word == each.own || word == each.call; });
  if (found == all_names.end()) return std::nullopt;
  return found->collective;
}

std::optional<Collective> collective_serving(std::string_view name) {
  const std::string word = joined(name);
  const auto* const found =
      std::ranges::find_if(served, [&](const ServedAs& each) { return word == each.call; });
  return found == served.end() ? collective_named(word) : found->collective;
}

}  // namespace rota
