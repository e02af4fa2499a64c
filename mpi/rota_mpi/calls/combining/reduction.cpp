#include "rota_mpi/calls/combining/reduction.hpp"

#include "rota_mpi/library/counted.hpp"
#include "rota_mpi/way/operators.hpp"

namespace rota::mpi {

Arguments arguments_of(const Reduction& reduction, MPI_Count count, MPI_Comm asking) {
  const Arguments received = arguments_to_receive(reduction, count, asking);
  if (reduction.is_in_place()) return received;
  return worst({received, arguments_of(reduction.sent(count), asking),
                arguments_of_places(reduction.sendbuf, reduction.recvbuf, count)});
}

Arguments arguments_to_send(const Reduction& reduction, MPI_Count count, MPI_Comm asking) {
  return worst({arguments_of(reduction.operation), arguments_of(reduction.sent(count), asking)});
}

Arguments arguments_to_receive(const Reduction& reduction, MPI_Count count, MPI_Comm asking) {
  return worst({arguments_of(reduction.operation), arguments_of(reduction.received(count), asking)});
}

int allreduced_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self) {
  return combined_alone(reduction, count, self, [&](const Reduction& asked) {
    const Operator& by = asked.operation;
    return counted::Allreduce(asked.sendbuf, asked.recvbuf, counted::number(count), by.type, by.op, self);
  });
}

/// By an MPI_Exscan, which receives nothing on its first rank.
int sent_alone(const Reduction& reduction, MPI_Count count, MPI_Comm self) {
  const Operator& by = reduction.operation;
  char nothing = 0;
  return counted::Exscan(reduction.sendbuf, &nothing, counted::number(count), by.type, by.op, self);
}

std::vector<Data> touched_by(const Reduction& reduction, MPI_Count count) {
  if (reduction.is_in_place()) return {reduction.received(count)};
  return {reduction.sent(count), reduction.received(count)};
}

const char* keep_in(KeptTypes& types, Reduction& reduction) {
  if (is_of_program(reduction.operation.op)) return "the program's operator may be freed";
  types.keep_for_operator(reduction.operation.type);
  return nullptr;
}

Call call_of(Collective collective, const Place& place, const Operator& operation, MPI_Count count) {
  Call call;
  call.problem = {collective, place.ranks};
  call.bytes = packed_bytes({nullptr, count, operation.type});
  call.problem.in_order = call.bytes > 0 && !does_commute(operation.op);
  call.most_blocks = count;
  call.is_exact = is_exact(operation.op, operation.type);
  return call;
}

}  // namespace rota::mpi
