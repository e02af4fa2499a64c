#include "rota_mpi/shares.hpp"

#include <algorithm>
#include <numeric>

namespace rota::mpi {

Rank ranks_of(MPI_Comm comm) {
  int is_inter = 0;
  Rank ranks = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter != 0)
    return 0;
  check(PMPI_Comm_size(comm, &ranks));
  return ranks;
}

MPI_Count sum_of(const std::vector<MPI_Count>& counts) {
  return std::accumulate(counts.begin(), counts.end(), MPI_Count{0});
}

std::vector<MPI_Count> prefix_sums(const std::vector<MPI_Count>& counts) {
  std::vector<MPI_Count> sums(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), sums.begin() + 1);
  return sums;
}

namespace {

/// The ranks with data; none named if all have.
std::vector<Rank> owners_among(const std::vector<MPI_Count>& counts) {
  if (std::ranges::find(counts, 0) == counts.end()) return {};
  std::vector<Rank> owners;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] > 0) owners.push_back(static_cast<Rank>(rank));
  }
  return owners;
}

}  // namespace

Call shared_call(Collective collective, const std::vector<MPI_Count>& counts, MPI_Count item_bytes) {
  Call call;
  call.problem = {collective, static_cast<Rank>(counts.size())};
  call.problem.owners = owners_among(counts);
  call.bytes = sum_of(counts) * item_bytes;
  const auto [least, most] = std::ranges::minmax(counts);
  call.smallest_share_bytes = least * item_bytes;
  call.largest_share_bytes = most * item_bytes;
  call.most_blocks = most;
  return call;
}

}  // namespace rota::mpi
