#include "rota_mpi/calls/shares.hpp"

#include <algorithm>
#include <numeric>

namespace rota::mpi {

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

Call shared_call(Collective collective, const std::vector<MPI_Count>& counts, MPI_Datatype type) {
  const MPI_Count items = sum_of(counts);
  const MPI_Count item_bytes = items == 0 ? 0 : size_of(type);
  Call call;
  call.problem = {collective, static_cast<Rank>(counts.size())};
  call.problem.owners = owners_among(counts);
  call.bytes = items * item_bytes;
  const auto [least, most] = std::ranges::minmax(counts);
  call.smallest_share_bytes = least * item_bytes;
  call.largest_share_bytes = most * item_bytes;
  call.most_blocks = most;
  return call;
}

}  // namespace rota::mpi
