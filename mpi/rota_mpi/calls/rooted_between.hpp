// Broadcast and reduction on an inter-communicator: between a root in one group, and all of the other.
#pragma once

#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/way/scheduled.hpp"

namespace rota::mpi {

/// The root is rank 0 of the schedule, the other group's ranks follow. The root's fellows take no part.
class RootedBetween : public Scheduled {
 public:
  /// `root` as in MPI: MPI_ROOT on the root itself.
  RootedBetween(const Passage& passage, Collective collective, int root)
      : comm_(passage.comm), collective_(collective), root_(root) {}

  std::optional<Look> look() final;

 protected:
  bool is_root() const { return root_ == MPI_ROOT; }
  int root() const { return root_; }
  MPI_Comm comm() const { return comm_; }

 private:
  std::optional<Look> look_alone() final { return look(); }

  virtual bool is_refused_here(MPI_Comm asking) const = 0;

  /// The call but for its ranks, as those see it who take part. Only where arguments are not refused.
  virtual Call described() const = 0;

  Companion& companion() const final;

  MPI_Comm comm_;
  Collective collective_;
  int root_;
};

}  // namespace rota::mpi
