#include "collective.hpp"

#include <array>

namespace rota::programs {

namespace {

/// By form, in the order of actions.
constexpr std::array<std::array<std::string_view, 15>, 3> names{{
    {"MPI_Bcast", "MPI_Reduce", "MPI_Allreduce", "MPI_Allgather", "MPI_Allgatherv", "MPI_Reduce_scatter",
     "MPI_Reduce_scatter_block", "MPI_Scan", "MPI_Exscan", "MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw",
     "MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw"},
    {"MPI_Ibcast", "MPI_Ireduce", "MPI_Iallreduce", "MPI_Iallgather", "MPI_Iallgatherv",
     "MPI_Ireduce_scatter", "MPI_Ireduce_scatter_block", "MPI_Iscan", "MPI_Iexscan", "MPI_Ialltoall",
     "MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Ineighbor_alltoall", "MPI_Ineighbor_alltoallv",
     "MPI_Ineighbor_alltoallw"},
    {"MPI_Bcast_init", "MPI_Reduce_init", "MPI_Allreduce_init", "MPI_Allgather_init", "MPI_Allgatherv_init",
     "MPI_Reduce_scatter_init", "MPI_Reduce_scatter_block_init", "MPI_Scan_init", "MPI_Exscan_init",
     "MPI_Alltoall_init", "MPI_Alltoallv_init", "MPI_Alltoallw_init", "MPI_Neighbor_alltoall_init",
     "MPI_Neighbor_alltoallv_init", "MPI_Neighbor_alltoallw_init"},
}};

}  // namespace

std::string_view name_of(Action action) {
  const auto collective =
      static_cast<std::size_t>(blocking(action)) - static_cast<std::size_t>(Action::bcast);
  return names.at(static_cast<std::size_t>(form_of(action))).at(collective);
}

}  // namespace rota::programs
