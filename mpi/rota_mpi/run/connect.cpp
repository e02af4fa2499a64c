// Two lists of ranks of an ordinary communicator as the two groups of an inter-communicator.
#include <algorithm>
#include <vector>

#include "rota.h"
#include "rota_mpi/library/raising.hpp"

namespace rota::mpi {

namespace {

constexpr int tag = 0x526f;

using Ranks = std::vector<int>;

/// Two lists, each of at least one rank and none of them twice?
bool are_groups(const Ranks& first, const Ranks& second, int ranks) {
  Ranks all = first;
  all.insert(all.end(), second.begin(), second.end());
  std::ranges::sort(all);
  return !first.empty() && !second.empty() && all.front() >= 0 && all.back() < ranks &&
         std::ranges::adjacent_find(all) == all.end();
}

/// The communicator of these ranks, made by them alone.
MPI_Comm side_of(const Ranks& ranks, MPI_Comm comm) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Comm result = MPI_COMM_NULL;
  check(pmpi.Comm_group(comm, &all));
  check(pmpi.Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &own));
  check(pmpi.Comm_create_group(comm, own, tag, &result));
  check(pmpi.Group_free(&own));
  check(pmpi.Group_free(&all));
  return result;
}

int connect(MPI_Comm comm, const Ranks& first, const Ranks& second, MPI_Comm* between) {
  *between = MPI_COMM_NULL;
  int rank = 0;
  int ranks = 0;
  check(pmpi.Comm_rank(comm, &rank));
  check(pmpi.Comm_size(comm, &ranks));
  if (!are_groups(first, second, ranks)) throw MpiError{MPI_ERR_RANK};
  const bool is_first = std::ranges::find(first, rank) != first.end();
  if (!is_first && std::ranges::find(second, rank) == second.end()) return MPI_SUCCESS;
  const Ranks& own = is_first ? first : second;
  const Ranks& other = is_first ? second : first;
  MPI_Comm side = side_of(own, comm);
  check(pmpi.Intercomm_create(side, 0, comm, other.front(), tag, between));
  check(pmpi.Comm_free(&side));
  return MPI_SUCCESS;
}

}  // namespace

}  // namespace rota::mpi

extern "C" int rota_between(MPI_Comm comm, int first_count, const int first[], int second_count,
                            const int second[], MPI_Comm* between) {
  using namespace rota::mpi;
  return raising_on(comm, [&] {
    return connect(comm, {first, first + std::max(0, first_count)},
                   {second, second + std::max(0, second_count)}, between);
  });
}
