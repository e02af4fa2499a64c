// Groups of processes, freed with the objects that hold them.
#pragma once

#include <numeric>
#include <vector>

#include "rota/schedule/types.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

class MpiGroup {
 public:
  /// The ranks of a communicator; of an inter-communicator this side's. Throws MpiError.
  static MpiGroup of(MPI_Comm comm) { return {pmpi.Comm_group, pmpi.Comm_size, comm}; }
  /// Those on the other side of an inter-communicator. Throws MpiError.
  static MpiGroup beyond(MPI_Comm comm) { return {pmpi.Comm_remote_group, pmpi.Comm_remote_size, comm}; }

  /// Of a group only these ranks. Throws MpiError.
  MpiGroup(const MpiGroup& all, const std::vector<Rank>& ranks) {
    check(pmpi.Group_incl(all.group_, static_cast<int>(ranks.size()), ranks.data(), &group_));
  }
  /// The ranks of one, then those of another. Throws MpiError.
  MpiGroup(const MpiGroup& first, const MpiGroup& second) {
    check(pmpi.Group_union(first.group_, second.group_, &group_));
  }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;
  ~MpiGroup() { free(group_); }

  MPI_Group get() const { return group_; }

  /// Throws MpiError.
  Rank size() const {
    Rank ranks = 0;
    check(pmpi.Group_size(group_, &ranks));
    return ranks;
  }

 private:
  /// MPICH 5.0.2 takes the group of a grid for that of all ranks that it was made from, of which the grid's
  /// are the first, and gives it to what is made from the grid. So only as many are taken as there are.
  MpiGroup(int (*group_of)(MPI_Comm, MPI_Group*), int (*size_of)(MPI_Comm, int*), MPI_Comm comm) {
    Rank ranks = 0;
    check(size_of(comm, &ranks));
    check(group_of(comm, &group_));
    if (size() > ranks) keep_first(ranks);
  }

  void keep_first(Rank ranks) {
    std::vector<Rank> first(static_cast<std::size_t>(ranks));
    std::iota(first.begin(), first.end(), 0);
    MPI_Group all = group_;
    check(pmpi.Group_incl(all, ranks, first.data(), &group_));
    free(all);
  }

  static void free(MPI_Group group) { pmpi.Group_free(&group); }

  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace rota::mpi
