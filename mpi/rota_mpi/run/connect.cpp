// Two lists of ranks of an ordinary communicator as the two groups of an inter-communicator.
#include <algorithm>
#include <vector>

#include "rota.h"
#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/library/mpi_group.hpp"
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
class Side {
 public:
  Side(MPI_Comm comm, const Ranks& ranks) {
    const MpiGroup own(MpiGroup::of(comm), ranks);
    check(pmpi.Comm_create_group(comm, own.get(), tag, &comm_));
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  ~Side() { pmpi.Comm_free(&comm_); }

  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// MPI_COMM_NULL on ranks of neither group.
MPI_Comm connected(MPI_Comm comm, const Ranks& first, const Ranks& second) {
  const Place place = place_in(comm);
  if (!are_groups(first, second, place.ranks)) throw MpiError{MPI_ERR_RANK};
  const bool is_first = std::ranges::find(first, place.rank) != first.end();
  if (!is_first && std::ranges::find(second, place.rank) == second.end()) return MPI_COMM_NULL;
  const Side side(comm, is_first ? first : second);
  MPI_Comm between = MPI_COMM_NULL;
  check(pmpi.Intercomm_create(side.get(), 0, comm, is_first ? second.front() : first.front(), tag, &between));
  return between;
}

/// The ranks that a program lists.
Ranks listed(const int ranks[], int count) {
  if (ranks == nullptr || count < 1) return {};
  return {ranks, ranks + count};
}

}  // namespace

}  // namespace rota::mpi

extern "C" int rota_between(MPI_Comm comm, int first_count, const int first[], int second_count,
                            const int second[], MPI_Comm* between) {
  using namespace rota::mpi;
  return raising_on(comm, [&] {
    if (between == nullptr) throw MpiError{MPI_ERR_ARG};
    *between = MPI_COMM_NULL;
    *between = connected(comm, listed(first, first_count), listed(second, second_count));
    return MPI_SUCCESS;
  });
}
