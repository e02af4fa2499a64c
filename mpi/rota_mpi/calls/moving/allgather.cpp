// Allgather and allgatherv.
#include <algorithm>

#include "rota_mpi/calls/like_it.hpp"
#include "rota_mpi/calls/moving/allgather_between.hpp"
#include "rota_mpi/calls/moving/moving.hpp"
#include "rota_mpi/calls/moving/received.hpp"
#include "rota_mpi/calls/shares.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/library/counted.hpp"
#include "rota_mpi/way/scheduled.hpp"

namespace rota::mpi {

namespace {

/// MPI's code for the call of a rank that is alone, and receives its own items where it would among all.
using Alone = int (*)(const Data& sent, const Received& received, Rank rank, MPI_Comm self);

int regular_alone(const Data& sent, const Received& received, Rank rank, MPI_Comm self) {
  const Data own = received.from(rank);
  void* const buffer = received.buffer == MPI_BOTTOM ? MPI_BOTTOM : own.buffer;
  return counted::Allgather(sent.buffer, counted::number(sent.count), sent.type, buffer,
                            counted::number(own.count), own.type, self);
}

/// With that of a rank whose items have no place, if there is one: MPICH looks at each.
int irregular_alone(const Data& sent, const Received& received, Rank rank, MPI_Comm self) {
  const std::vector<Data> pieces = pieces_of(received);
  const auto lost = std::ranges::find_if(pieces, is_nowhere);
  const auto r =
      lost == pieces.end() ? static_cast<std::size_t>(rank) : static_cast<std::size_t>(lost - pieces.begin());
  const counted::Number count = counted::number(received.counts[r]);
  const auto displacement = static_cast<counted::Displacement>(received.displacements[r]);
  return counted::Allgatherv(sent.buffer, counted::number(sent.count), sent.type, received.buffer, &count,
                             &displacement, received.type, self);
}

/// A rank's own items, which it sends from where they are, are to be among those of all as well.
class GatheredData final : public MovedData {
 public:
  GatheredData(Rank ranks, const Data& sent, const Data& kept, const Self& self)
      : MovedData(ranks), sent_(sent), kept_(kept), self_(self) {}

  void start() override {
    MovedData::start();
    if (sent_.buffer != MPI_IN_PLACE) copy_items(sent_, kept_, self_);
  }

 private:
  Data sent_;
  Data kept_;
  Self self_;
};

class Allgather final : public Within {
 public:
  Allgather(const Passage& passage, const Data& sent, Received received, Alone when_alone)
      : Within(passage), sent_(sent), received_(std::move(received)), alone_(when_alone) {}

 private:
  bool is_in_place() const { return sent_.buffer == MPI_IN_PLACE; }

  Arguments arguments(MPI_Comm asking) const override {
    if (received_.counts.empty()) return Arguments::refused;
    const Arguments received = arguments_of_received(asking);
    if (is_in_place() || received == Arguments::refused) return received;
    return worst({received, arguments_of(sent_, asking),
                  arguments_of_places(sent_.buffer, received_.from(place().rank).buffer, sent_.count)});
  }

  /// Each rank's items have a place of their own, which counts: at MPI_BOTTOM displacements may be addresses.
  Arguments arguments_of_received(MPI_Comm asking) const {
    if (std::ranges::any_of(received_.counts, [](auto count) { return count < 0; }))
      return Arguments::refused;
    if (received_.buffer == MPI_IN_PLACE) return Arguments::refused;
    const Arguments items = arguments_of(sum_of(received_.counts), received_.type, asking);
    if (items != Arguments::plain || received_.buffer != MPI_BOTTOM) return items;
    return odd_if(std::ranges::any_of(pieces_of(received_), is_nowhere));
  }

  int alone(MPI_Comm self) const override { return alone_(sent_, received_, place().rank, self); }

  Call seen_by_all() const override {
    Call call = shared_call(Collective::allgather, received_.counts, received_.type);
    call.most_blocks = call.largest_share_bytes;  // shares are cut in their packed bytes
    return call;
  }

  std::vector<Data> touched() const override {
    std::vector<Data> all = pieces_of(received_);
    if (!is_in_place()) all.push_back(sent_);
    return all;
  }

  const char* keep(KeptTypes& types) override {
    if (!is_in_place()) types.keep(sent_.type);
    types.keep(received_.type);
    return nullptr;
  }

  /// Of equal shares, which need not be the call's own.
  TryOut like_it() const override {
    const std::int64_t bytes = share_of(seen_by_all().bytes, place().ranks);
    const std::int64_t all = (place().ranks + 1) * bytes;
    if (all > most_tried_bytes) return {};
    return {all, [share = static_cast<int>(bytes)](MPI_Comm comm, std::byte* memory) {
              const auto own = [=] {
                return pmpi.Allgather(memory, share, MPI_BYTE, memory + share, share, MPI_BYTE, comm);
              };
              return serve_allgather(memory, share, MPI_BYTE, memory + share, share, MPI_BYTE, comm,
                                     named<"allgather try-out">(own));
            }};
  }

  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const override {
    const Self& self = companion.self();
    auto store =
        std::make_unique<GatheredData>(schedule.problem.ranks, sent_, received_.from(companion.rank), self);
    for (const Rank owner : owners_of(schedule.problem)) {
      const Data data = received_.from(owner);
      auto layout = owner != companion.rank ? layout_to_receive(data, self)
                                            : layout_to_send(is_in_place() ? data : sent_, self);
      store->add(owner, {std::move(layout), {packed_bytes(data), schedule.problem.blocks}});
    }
    return store;
  }

  Data sent_;
  Received received_;
  Alone alone_;
};

/// MPI's buffers to send from are not const in C++'s sense for those who only read them.
Data sent(const void* buffer, MPI_Count count, MPI_Datatype type) {
  return {const_cast<void*>(buffer), count, type};
}

/// `received(senders)` is what comes from so many ranks; `is_little(kind)`: too little for a look.
template <class Between, class IsLittle, class ReceivedFrom>
int serve_gathering(const Data& mine, const IsLittle& is_little, const ReceivedFrom& received,
                    Alone when_alone, MPI_Comm comm, NativeCall native) {
  const CommKind kind = kind_of(comm);
  if (!kind.is_valid) return kind.code;
  if (kind.peers > 0 && is_little(kind)) return native();
  return serve_seen(
      comm, kind,
      [&](const Passage& passage) { return Allgather(passage, mine, received(kind.peers), when_alone); },
      [&](const Passage& passage) { return Between(passage, mine, received(kind.peers)); }, native);
}

}  // namespace

int serve_allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, NativeCall native) {
  const Data mine = sent(sendbuf, sendcount, sendtype);
  return serve_gathering<RegularAllgatherBetween>(
      mine,
      [&](const CommKind& kind) {
        return kind.is_inter ? is_small_between(comm, kind, mine, {recvbuf, recvcount, recvtype})
                             : is_small(Collective::allgather, {recvcount * kind.peers, recvtype}, comm);
      },
      [&](Rank senders) { return regular(recvbuf, recvcount, recvtype, senders); }, regular_alone, comm,
      native);
}

int serve_allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     Numbers recvcounts, Numbers displs, MPI_Datatype recvtype, MPI_Comm comm,
                     NativeCall native) {
  return serve_gathering<IrregularAllgatherBetween>(
      sent(sendbuf, sendcount, sendtype),
      [&](const CommKind& kind) {
        return !kind.is_inter &&
               is_small(Collective::allgather, {recvcounts.sum(kind.peers), recvtype}, comm);
      },
      [&](Rank senders) { return irregular(recvbuf, recvcounts, displs, recvtype, senders); },
      irregular_alone, comm, native);
}

}  // namespace rota::mpi
