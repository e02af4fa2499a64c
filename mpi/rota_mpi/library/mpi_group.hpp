// Groups of processes, freed with the objects that hold them.
#pragma once

#include "rota/schedule/types.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

class MpiGroup {
 public:
  /// That which MPI's function `group_of` gives of a communicator. Throws MpiError.
  MpiGroup(int (*group_of)(MPI_Comm, MPI_Group*), MPI_Comm comm) { check(group_of(comm, &group_)); }
  /// Of this group only that rank. Throws MpiError.
  MpiGroup(const MpiGroup& all, Rank rank) { check(pmpi.Group_incl(all.group_, 1, &rank, &group_)); }
  /// The ranks of one, then those of another. Throws MpiError.
  MpiGroup(const MpiGroup& first, const MpiGroup& second) {
    check(pmpi.Group_union(first.group_, second.group_, &group_));
  }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;
  ~MpiGroup() { pmpi.Group_free(&group_); }

  MPI_Group get() const { return group_; }

  /// Throws MpiError.
  Rank size() const {
    Rank ranks = 0;
    check(pmpi.Group_size(group_, &ranks));
    return ranks;
  }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace rota::mpi
