#include "rota.h"
#include "rota_mpi/calls/moving/broadcast.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/way/between.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

namespace {

class Broadcast final : public Operation {
 public:
  Broadcast(const Data& data, int root) : data_(data), root_(root) {}

  Collective collective() const override { return Collective::broadcast; }

  Arguments arguments(const Place& place, MPI_Comm asking) const override {
    return worst({refused_if(root_ < 0 || root_ >= place.ranks), arguments_of(data_, asking)});
  }

  int alone(const Place&, MPI_Comm self) const override { return broadcast(data_, 0, self); }

  std::vector<Data> touched(const Place&) const override { return {data_}; }

  Call seen_by_all(const Place& place) const override {
    const std::int64_t bytes = packed_bytes(data_);
    return Call{{collective(), place.ranks, root_}, bytes, bytes};
  }

  int serve_between_groups(MPI_Comm comm, const Place& place, NativeCall native) const override {
    if (root_ == MPI_PROC_NULL) return native();
    const auto ask = [&](MPI_Comm self) { return alone(place, self); };
    if (is_refused(arguments_of(data_, asking_comm(comm)), ask)) return native();
    const std::int64_t bytes = packed_bytes(data_);
    const RootedCall call{comm, place, Collective::inter_broadcast, root_, bytes, bytes, {data_}};
    return serve_rooted_between(call, native, [&](const Schedule& schedule, const Companion& companion) {
      play_from(0, bytes, schedule, companion);
    });
  }

  void play(const Call& call, const Schedule& schedule, const Companion& companion) const override {
    play_from(root_, call.bytes, schedule, companion);
  }

 private:
  /// From the root of the schedule.
  void play_from(Rank root, std::int64_t bytes, const Schedule& schedule, const Companion& companion) const {
    const Self& self = companion.self();
    MovedData store(schedule.problem.ranks);
    store.add(root, {companion.rank == root ? layout_to_send(data_, self) : layout_to_receive(data_, self),
                     {bytes, schedule.problem.blocks}});
    execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
  }

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
      [&] { return rota::mpi::pmpi.Bcast(buffer, count, datatype, root, comm); });
}

#if MPI_VERSION >= 4
int rota_bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return rota::mpi::serve(
      comm, rota::Collective::broadcast, {count, datatype},
      [&] { return rota::mpi::Broadcast({buffer, count, datatype}, root); },
      [&] { return rota::mpi::pmpi.Bcast_c(buffer, count, datatype, root, comm); });
}
#endif

}  // extern "C"
