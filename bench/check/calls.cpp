#include "calls.hpp"

#include <rota.h>

#include <memory>

#include "communicators.hpp"

#if MPI_VERSION >= 4
// Null in libraries of MPI 3, which have the same ABI; not called then (reason_to_skip).
#pragma weak MPI_Bcast_c
#pragma weak MPI_Reduce_c
#pragma weak MPI_Allreduce_c
#pragma weak MPI_Allgather_c
#pragma weak MPI_Allgatherv_c
#pragma weak MPI_Reduce_scatter_c
#pragma weak MPI_Reduce_scatter_block_c
#pragma weak MPI_Scan_c
#pragma weak MPI_Exscan_c
#pragma weak MPI_Alltoall_c
#pragma weak MPI_Alltoallv_c
#pragma weak MPI_Alltoallw_c
#endif

namespace rota::check {

namespace {

/// One library's collectives, with counts of one kind.
template <class Count, class Displacement>
struct Functions {
  int (*bcast)(void*, Count, MPI_Datatype, int, MPI_Comm);
  int (*reduce)(const void*, void*, Count, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*allreduce)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*allgather)(const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, MPI_Comm);
  int (*allgatherv)(const void*, Count, MPI_Datatype, void*, const Count*, const Displacement*, MPI_Datatype,
                    MPI_Comm);
  int (*reduce_scatter)(const void*, void*, const Count*, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*reduce_scatter_block)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*scan)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*exscan)(const void*, void*, Count, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*alltoall)(const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, MPI_Comm);
  int (*alltoallv)(const void*, const Count*, const Displacement*, MPI_Datatype, void*, const Count*,
                   const Displacement*, MPI_Datatype, MPI_Comm);
  int (*alltoallw)(const void*, const Count*, const Displacement*, const MPI_Datatype*, void*, const Count*,
                   const Displacement*, const MPI_Datatype*, MPI_Comm);
};

const Functions<int, int> native{MPI_Bcast,
                                 MPI_Reduce,
                                 MPI_Allreduce,
                                 MPI_Allgather,
                                 MPI_Allgatherv,
                                 MPI_Reduce_scatter,
                                 MPI_Reduce_scatter_block,
                                 MPI_Scan,
                                 MPI_Exscan,
                                 MPI_Alltoall,
                                 MPI_Alltoallv,
                                 MPI_Alltoallw};
const Functions<int, int> ours{rota_bcast,
                               rota_reduce,
                               rota_allreduce,
                               rota_allgather,
                               rota_allgatherv,
                               rota_reduce_scatter,
                               rota_reduce_scatter_block,
                               rota_scan,
                               rota_exscan,
                               rota_alltoall,
                               rota_alltoallv,
                               rota_alltoallw};
#if MPI_VERSION >= 4
const Functions<MPI_Count, MPI_Aint> native_large{MPI_Bcast_c,
                                                  MPI_Reduce_c,
                                                  MPI_Allreduce_c,
                                                  MPI_Allgather_c,
                                                  MPI_Allgatherv_c,
                                                  MPI_Reduce_scatter_c,
                                                  MPI_Reduce_scatter_block_c,
                                                  MPI_Scan_c,
                                                  MPI_Exscan_c,
                                                  MPI_Alltoall_c,
                                                  MPI_Alltoallv_c,
                                                  MPI_Alltoallw_c};
const Functions<MPI_Count, MPI_Aint> ours_large{rota_bcast_c,
                                                rota_reduce_c,
                                                rota_allreduce_c,
                                                rota_allgather_c,
                                                rota_allgatherv_c,
                                                rota_reduce_scatter_c,
                                                rota_reduce_scatter_block_c,
                                                rota_scan_c,
                                                rota_exscan_c,
                                                rota_alltoall_c,
                                                rota_alltoallv_c,
                                                rota_alltoallw_c};
#endif

/// The buffers that the call is given.
struct Memory {
  void* send;
  void* receive;
};

template <class To>
std::vector<To> narrowed(const std::vector<std::int64_t>& values) {
  std::vector<To> result;
  result.reserve(values.size());
  for (const std::int64_t value : values) result.push_back(static_cast<To>(value));
  return result;
}

/// An element in all shapes.
class Datatypes {
 public:
  explicit Datatypes(const Element& element) {
    for (const Shape& shape : shapes) all_.push_back(std::make_unique<Datatype>(element, shape));
  }

  /// That of each message.
  std::vector<MPI_Datatype> of(const Messages& messages) const {
    std::vector<MPI_Datatype> types;
    types.reserve(messages.shapes.size());
    for (const Shape* shape : messages.shapes)
      types.push_back(all_[static_cast<std::size_t>(shape - shapes.data())]->handle());
    return types;
  }

 private:
  std::vector<std::unique_ptr<Datatype>> all_;
};

template <class Count, class Displacement>
int broadcast(const Functions<Count, Displacement>& f, const Plan& plan, const Memory& memory) {
  const bool is_root = is_between(plan.c.comm) ? plan.root == MPI_ROOT : plan.rank == plan.root;
  return is_root ? f.bcast(memory.send, static_cast<Count>(plan.send.items), plan.send_type.handle(),
                           plan.root, plan.comm)
                 : f.bcast(memory.receive, static_cast<Count>(plan.receive.items), plan.receive_type.handle(),
                           plan.root, plan.comm);
}

template <class Count, class Displacement>
int gather(const Functions<Count, Displacement>& f, const Plan& plan, const Memory& memory) {
  const std::vector<Count> counts = narrowed<Count>(plan.counts);
  const auto sent = static_cast<Count>(plan.send.items);
  MPI_Datatype send_type = plan.send_type.handle();
  MPI_Datatype receive_type = plan.receive_type.handle();
  if (plan.c.call == "allgather") {
    return f.allgather(memory.send, sent, send_type, memory.receive, counts[0], receive_type, plan.comm);
  }
  const std::vector<Displacement> displs = narrowed<Displacement>(plan.displs);
  return f.allgatherv(memory.send, sent, send_type, memory.receive, counts.data(), displs.data(),
                      receive_type, plan.comm);
}

template <class Count, class Displacement>
int combine(const Functions<Count, Displacement>& f, const Plan& plan, const Memory& memory) {
  const auto [send, receive] = memory;
  const std::vector<Count> counts = narrowed<Count>(plan.counts);
  const Count count = is_between(plan.c.comm) ? counts[0] : counts[static_cast<std::size_t>(plan.rank)];
  MPI_Datatype type = plan.send_type.handle();
  MPI_Op op = plan.op.handle();
  const std::string& name = plan.c.call;
  if (name == "reduce") return f.reduce(send, receive, count, type, op, plan.root, plan.comm);
  if (name == "allreduce") return f.allreduce(send, receive, count, type, op, plan.comm);
  if (name == "scan") return f.scan(send, receive, count, type, op, plan.comm);
  if (name == "exscan") return f.exscan(send, receive, count, type, op, plan.comm);
  if (name == "reduce_scatter") return f.reduce_scatter(send, receive, counts.data(), type, op, plan.comm);
  return f.reduce_scatter_block(send, receive, count, type, op, plan.comm);
}

template <class Count, class Displacement>
int exchange(const Functions<Count, Displacement>& f, const Plan& plan, const Memory& memory) {
  const auto [send, receive] = memory;
  const std::vector<Count> sent = narrowed<Count>(plan.sent.counts);
  const std::vector<Count> received = narrowed<Count>(plan.received.counts);
  MPI_Datatype send_type = plan.send_type.handle();
  MPI_Datatype receive_type = plan.receive_type.handle();
  if (plan.c.call == "alltoall")
    return f.alltoall(send, sent[0], send_type, receive, received[0], receive_type, plan.comm);
  const std::vector<Displacement> from = narrowed<Displacement>(plan.sent.displs);
  const std::vector<Displacement> to = narrowed<Displacement>(plan.received.displs);
  if (plan.c.call == "alltoallv") {
    return f.alltoallv(send, sent.data(), from.data(), send_type, receive, received.data(), to.data(),
                       receive_type, plan.comm);
  }
  const Datatypes types(plan.element);
  return f.alltoallw(send, sent.data(), from.data(), types.of(plan.sent).data(), receive, received.data(),
                     to.data(), types.of(plan.received).data(), plan.comm);
}

template <class Count, class Displacement>
int invoke(const Functions<Count, Displacement>& f, const Plan& plan, const Memory& memory) {
  if (plan.c.call == "bcast") return broadcast(f, plan, memory);
  if (is_all_to_many(plan.c)) return exchange(f, plan, memory);
  return is_reduction(plan.c) ? combine(f, plan, memory) : gather(f, plan, memory);
}

}  // namespace

Aftermath call(Library library, const Plan& plan) {
  Aftermath after{MPI_SUCCESS, plan.send.bytes, plan.receive.bytes};
  const Memory memory{plan.sends_in_place ? MPI_IN_PLACE : after.send.data() + plan.send.origin,
                      after.receive.data() + plan.receive.origin};
#if MPI_VERSION >= 4
  if (plan.c.large) {
    after.code = invoke(library == Library::native ? native_large : ours_large, plan, memory);
    return after;
  }
#endif
  after.code = invoke(library == Library::native ? native : ours, plan, memory);
  return after;
}

}  // namespace rota::check
