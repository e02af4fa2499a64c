#include "rota_mpi/calls/rooted_between.hpp"

#include <algorithm>

namespace rota::mpi {

std::optional<Look> RootedBetween::look() {
  if (root_ == MPI_PROC_NULL || is_refused_here(asking_comm(comm_))) return {};
  Call call = described();
  if (is_little(collective_, call.bytes)) return {};
  const Tie& tie = tie_of(comm_);
  // A root that is none, MPI refuses.
  if (!is_root() && (root_ < 0 || root_ >= tie.other_size())) return {};
  call.problem.collective = collective_;
  call.problem.ranks = 1 + (is_root() ? tie.other_size() : tie.own_size());
  call.problem.first_group = 1;
  call.most_blocks = std::max<std::int64_t>(1, call.most_blocks);
  return Look{call};
}

Companion& RootedBetween::companion() const {
  Tie& tie = tie_of(comm_);
  return is_root() ? tie.of_own_root() : tie.of_remote_root(root_);
}

}  // namespace rota::mpi
