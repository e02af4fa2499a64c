// Allreduce on an inter-communicator: each group gets what the other's ranks have, combined.
#pragma once

#include "rota_mpi/calls/combining/reduction.hpp"

namespace rota::mpi {

/// Where the operator is the program's own, all ranks of both groups compare what they say of the call before
/// a schedule is played: two small reductions.
class AllreduceBetween final : public Scheduled {
 public:
  AllreduceBetween(const Passage& passage, const Reduction& reduction, MPI_Count count)
      : comm_(passage.comm), reduction_(reduction), count_(count) {}

  std::optional<Look> look() override;

 private:
  std::optional<Look> look_alone() override;
  const char* keep(KeptTypes& types) override { return keep_in(types, reduction_); }
  Companion& companion() const override;
  std::vector<Data> touched() const override { return touched_by(reduction_, count_); }
  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override;

  MPI_Comm comm_;
  Reduction reduction_;
  MPI_Count count_;
};

}  // namespace rota::mpi
