// The collectives by name.
#include <algorithm>
#include <array>

#include "contest.hpp"

namespace rota::bench {

namespace {

constexpr std::array<Named, 9> collectives{{
    {"bcast", bcast, false},
    {"reduce", reduce, false},
    {"allreduce", allreduce, false},
    {"scan", scan, false},
    {"exscan", exscan, false},
    {"allgather", allgather, false},
    {"allgatherv", allgatherv, true},
    {"reduce_scatter", reduce_scatter, true},
    {"reduce_scatter_block", reduce_scatter_block, false},
}};

}  // namespace

const Named* find_collective(std::string_view name) {
  const auto* const found = std::ranges::find(collectives, name, &Named::name);
  return found == collectives.end() ? nullptr : found;
}

}  // namespace rota::bench
