#include "rota.h"
#include "rota_mpi/between.hpp"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/moved.hpp"
#include "rota_mpi/serve.hpp"

namespace rota::mpi {

namespace {

class Broadcast final : public Operation {
 public:
  Broadcast(const Data& data, int root) : data_(data), root_(root) {}

  Collective collective() const override { return Collective::broadcast; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    const bool refused = data_.type == MPI_DATATYPE_NULL || data_.count < 0 || root_ < 0 ||
                         root_ >= place.ranks || is_nowhere(data_);
    if (refused) return {};
    const std::int64_t bytes = data_.count * size_of(data_.type);
    return Call{{collective(), place.ranks, root_}, bytes, bytes};
  }

  std::vector<MPI_Datatype> types(const Place&) const override { return {data_.type}; }

  int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const override {
    if (root_ == MPI_PROC_NULL || data_.type == MPI_DATATYPE_NULL || data_.count < 0 || is_nowhere(data_))
      return native();
    const std::int64_t bytes = data_.count * size_of(data_.type);
    const RootedCall call{comm, place, Collective::inter_broadcast, root_, bytes, bytes, {data_.type}};
    return serve_rooted_between(call, native, [&](const Schedule& schedule, const Companion& companion) {
      const Self self = companion.self();
      MovedData store(schedule.problem.ranks);
      store.add(0, {self.rank == 0 ? layout_to_send(data_, self) : layout_to_receive(data_, self),
                    {bytes, schedule.problem.blocks}});
      execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
    });
  }

  void play(const Call& call, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    MovedData store(call.problem.ranks);
    store.add(root_, {self.rank == root_ ? layout_to_send(data_, self) : layout_to_receive(data_, self),
                      {call.bytes, schedule.problem.blocks}});
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
  }

 private:
  Data data_;
  int root_;
};

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::broadcast, {count, datatype},
      [&] { return rota::mpi::Broadcast({buffer, count, datatype}, root); },
      [&] { return PMPI_Bcast(buffer, count, datatype, root, comm); });
}

#if MPI_VERSION >= 4
int rota_bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::broadcast, {count, datatype},
      [&] { return rota::mpi::Broadcast({buffer, count, datatype}, root); },
      [&] { return PMPI_Bcast_c(buffer, count, datatype, root, comm); });
}
#endif

}  // extern "C"
