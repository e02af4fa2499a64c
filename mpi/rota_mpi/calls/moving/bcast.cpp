#include "rota_mpi/calls/like_it.hpp"
#include "rota_mpi/calls/moving/broadcast.hpp"
#include "rota_mpi/calls/moving/moving.hpp"
#include "rota_mpi/calls/rooted_between.hpp"
#include "rota_mpi/data/moved.hpp"

namespace rota::mpi {

namespace {

std::unique_ptr<Store> store_of(const Data& data, Rank root, const Schedule& schedule,
                                const Companion& companion) {
  const Self& self = companion.self();
  auto store = std::make_unique<MovedData>(schedule.problem.ranks);
  store->add(root, {companion.rank == root ? layout_to_send(data, self) : layout_to_receive(data, self),
                    {packed_bytes(data), schedule.problem.blocks}});
  return store;
}

class Broadcast final : public Within {
 public:
  Broadcast(const Passage& passage, const Data& data, int root) : Within(passage), data_(data), root_(root) {}

 private:
  Arguments arguments(MPI_Comm asking) const override {
    return worst({refused_if(root_ < 0 || root_ >= place().ranks), arguments_of(data_, asking)});
  }

  int alone(MPI_Comm self) const override { return broadcast(data_, 0, self); }

  Call seen_by_all() const override {
    const std::int64_t bytes = packed_bytes(data_);
    return Call{{Collective::broadcast, place().ranks, root_}, bytes, bytes};
  }

  std::vector<Data> touched() const override { return {data_}; }

  const char* keep(KeptTypes& types) override {
    types.keep(data_.type);
    return nullptr;
  }

  TryOut like_it() const override {
    const std::int64_t bytes = packed_bytes(data_);
    if (bytes > most_tried_bytes) return {};
    return {bytes, [count = static_cast<int>(bytes), root = root_](MPI_Comm comm, std::byte* memory) {
              const auto own = [=] { return pmpi.Bcast(memory, count, MPI_BYTE, root, comm); };
              return serve_bcast(memory, count, MPI_BYTE, root, comm, named<"bcast try-out">(own));
            }};
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    return store_of(data_, root_, schedule, companion);
  }

  Data data_;
  int root_;
};

class BroadcastBetween final : public RootedBetween {
 public:
  BroadcastBetween(const Passage& passage, const Data& data, int root)
      : RootedBetween(passage, Collective::inter_broadcast, root), data_(data) {}

 private:
  bool is_refused_here(MPI_Comm asking) const override {
    return is_refused(arguments_of(data_, asking), [&](MPI_Comm self) { return broadcast(data_, 0, self); });
  }

  Call described() const override {
    const std::int64_t bytes = packed_bytes(data_);
    return Call{{}, bytes, bytes};
  }

  const char* keep(KeptTypes& types) override {
    types.keep(data_.type);
    return nullptr;
  }

  StandIn::Native stand_in(Manner manner) const override {
    return [manner, root = root(), comm = comm()](StandIn::Bytes& bytes, MPI_Request* request) {
#ifdef ROTA_HAS_SESSIONS
      if (manner == Manner::persistent) {
        return pmpi.Bcast_init(bytes.data(), 1, MPI_BYTE, root, comm, MPI_INFO_NULL, request);
      }
#endif
      return pmpi.Ibcast(bytes.data(), 1, MPI_BYTE, root, comm, request);
    };
  }

  std::vector<Data> touched() const override { return {data_}; }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    return store_of(data_, 0, schedule, companion);
  }

  Data data_;
};

}  // namespace

int serve_bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
                NativeCall native) {
  return serve(
      comm, Collective::broadcast, {count, datatype},
      [=](const Passage& passage) { return Broadcast(passage, {buffer, count, datatype}, root); },
      [=](const Passage& passage) { return BroadcastBetween(passage, {buffer, count, datatype}, root); },
      native);
}

}  // namespace rota::mpi
