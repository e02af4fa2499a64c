// Allgather and allgatherv.
#include <algorithm>

#include "rota.h"
#include "rota_mpi/allgather_between.hpp"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/moved.hpp"
#include "rota_mpi/received.hpp"
#include "rota_mpi/serve.hpp"

namespace rota::mpi {

namespace {

/// `Shares`: do all ranks of a group have equally much, as in allgather, or not, as in allgatherv?
enum class Shares : std::uint8_t { equal, unequal };

class Allgather final : public Operation {
 public:
  Allgather(const Data& sent, Received received, Shares shares)
      : sent_(sent), received_(std::move(received)), shares_(shares) {}

  Collective collective() const override { return Collective::allgather; }

  std::optional<Call> seen_by_all(const Place& place) const override {
    if (is_refused(place)) return {};
    Call call = shared_call(collective(), received_.counts, size_of(received_.type));
    call.most_blocks = call.largest_share_bytes;  // shares are cut in their packed bytes
    return call;
  }

  std::vector<MPI_Datatype> types(const Place&) const override {
    if (is_in_place()) return {received_.type};
    return {received_.type, sent_.type};
  }

  int serve_between_groups(MPI_Comm comm, const Place&, NativeCall native) const override {
    const AllgatherBetween call{comm, sent_, received_};
    return shares_ == Shares::equal ? serve_regular_between(call, native)
                                    : serve_irregular_between(call, native);
  }

  void play(const Call& call, const Schedule& schedule, const Companion& companion) const override {
    const Self self = companion.self();
    MovedData store(call.problem.ranks);
    for (const Rank owner : owners_of(schedule.problem)) {
      const Data data = received_.from(owner);
      const std::int64_t bytes = data.count * size_of(data.type);
      auto layout = owner != self.rank ? layout_to_receive(data, self)
                                       : layout_to_send(is_in_place() ? data : sent_, self);
      store.add(owner, {std::move(layout), {bytes, schedule.problem.blocks}});
    }
    if (!is_in_place()) copy_items(sent_, received_.from(self.rank), self);
    execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
  }

 private:
  bool is_in_place() const { return sent_.buffer == MPI_IN_PLACE; }

  bool is_refused(const Place& place) const {
    if (received_.type == MPI_DATATYPE_NULL ||
        std::ranges::any_of(received_.counts, [](auto n) { return n < 0; }))
      return true;
    const MPI_Count items = sum_of(received_.counts);
    if (is_nowhere({received_.buffer, items, received_.type})) return true;
    if (is_in_place()) return false;
    return sent_.count < 0 || sent_.type == MPI_DATATYPE_NULL || is_nowhere(sent_) ||
           is_refused_alias(collective(), sent_.buffer, received_.from(place.rank).buffer, sent_.count);
  }

  Data sent_;
  Received received_;
  Shares shares_;
};

/// MPI's buffers to send from are not const in C++'s sense for those who only read them.
Data sent(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {const_cast<void*>(buffer), count, type};
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

int rota_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  if (is_small_between(comm, {sendcount, sendtype}, {recvcount, recvtype}))
    return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  return serve(
      comm, rota::Collective::allgather, {recvcount * MPI_Count{ranks_of(comm)}, recvtype},
      [&] {
        return Allgather(sent(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype, comm),
                         Shares::equal);
      },
      [&] { return PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::allgather, {sum_of(recvcounts, comm), recvtype},
      [&] {
        return Allgather(sent(sendbuf, sendcount, sendtype),
                         irregular(recvbuf, recvcounts, displs, recvtype, comm), Shares::unequal);
      },
      [&] {
        return PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
      });
}

#if MPI_VERSION >= 4
int rota_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  using namespace rota::mpi;
  if (is_small_between(comm, {sendcount, sendtype}, {recvcount, recvtype}))
    return PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  return serve(
      comm, rota::Collective::allgather, {recvcount * MPI_Count{ranks_of(comm)}, recvtype},
      [&] {
        return Allgather(sent(sendbuf, sendcount, sendtype), regular(recvbuf, recvcount, recvtype, comm),
                         Shares::equal);
      },
      [&] { return PMPI_Allgather_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
}

int rota_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                      MPI_Comm comm) {
  using namespace rota::mpi;
  return serve(
      comm, rota::Collective::allgather, {sum_of(recvcounts, comm), recvtype},
      [&] {
        return Allgather(sent(sendbuf, sendcount, sendtype),
                         irregular(recvbuf, recvcounts, displs, recvtype, comm), Shares::unequal);
      },
      [&] {
        return PMPI_Allgatherv_c(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
      });
}
#endif

}  // extern "C"
