#include "rota_mpi/decide/call.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "rota/model/simulate.hpp"
#include "rota/schedule/groups.hpp"

namespace rota::mpi {

Call inter_allgather_call(const Problem& problem) {
  Call call;
  call.problem = problem;
  const auto [first, second] = groups_of(problem);
  const auto bytes_of = [&](const Group& group) {
    return std::accumulate(problem.shares.begin() + group.first, problem.shares.begin() + group.end,
                           std::int64_t{0});
  };
  call.bytes = std::max(bytes_of(first), bytes_of(second));
  call.smallest_share_bytes = std::ranges::min(problem.shares);
  call.largest_share_bytes = std::ranges::max(problem.shares);
  call.most_blocks = std::max<std::int64_t>(1, call.largest_share_bytes);
  return call;
}

bool changes_bits(const Call& call) { return is_reduction(call.problem.collective) && !call.is_exact; }

bool is_one_way_sum(Collective collective) {
  return collective == Collective::reduce || collective == Collective::scan ||
         collective == Collective::exscan;
}

int size_class_of(std::int64_t bytes) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))) - 1;
}

Load load_of(const Call& call) {
  if (is_inter_group(call.problem.collective)) return rota::load_of(call.problem, call.bytes);
  const auto all = static_cast<double>(call.bytes);
  Load load{call.problem.collective, call.problem.ranks, all, all, all};
  load.placement = placement_of(call.problem);
  if (!is_shared_out(call.problem.collective)) return load;
  load.smallest_share_bytes = static_cast<double>(call.smallest_share_bytes);
  load.largest_share_bytes = static_cast<double>(call.largest_share_bytes);
  return load;
}

}  // namespace rota::mpi
