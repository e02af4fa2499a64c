// The collectives by name.
#include <algorithm>
#include <array>

#include "contest.hpp"

namespace rota::bench {

namespace {

constexpr std::array no_choice{Shape::regular};
constexpr std::array of_shares{Shape::regular, Shape::irregular, Shape::degenerate};
constexpr std::array of_messages{Shape::regular, Shape::sparse4, Shape::sparse8, Shape::skewed};

constexpr std::array<Named, 13> collectives{{
    {"bcast", bcast, no_choice},
    {"reduce", reduce, no_choice},
    {"allreduce", allreduce, no_choice},
    {"scan", scan, no_choice},
    {"exscan", exscan, no_choice},
    {"allgather", allgather, no_choice},
    {"allgatherv", allgatherv, of_shares},
    {"reduce_scatter", reduce_scatter, of_shares},
    {"reduce_scatter_block", reduce_scatter_block, no_choice},
    {"alltoall", alltoall, no_choice},
    {"alltoallv", alltoallv, of_messages},
    {"inter_allgather", inter_allgather, no_choice, true},
    {"inter_allgather_both_ways", inter_allgather_both_ways, no_choice, true},
}};

}  // namespace

const Named* find_collective(std::string_view name) {
  const auto* const found = std::ranges::find(collectives, name, &Named::name);
  return found == collectives.end() ? nullptr : found;
}

}  // namespace rota::bench
