#include "rota_mpi/calls/exchanging/regular_exchange.hpp"

#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/like_it.hpp"
#include "rota_mpi/library/counted.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/turns.hpp"

namespace rota::mpi {

namespace {

/// MPI's code for an MPI_Alltoall of this rank alone.
int alltoall_alone(const AllToManyCall& call, MPI_Comm self) {
  const Data received = call.receive.of(0);
  const Data sent = call.send == nullptr ? Data{MPI_IN_PLACE, 0, MPI_DATATYPE_NULL} : call.send->of(0);
  return counted::Alltoall(sent.buffer, counted::number(sent.count), sent.type, received.buffer,
                           counted::number(received.count), received.type, self);
}

/// The try-out of a call with as many bytes.
TryOut alltoall_like(const Call& call, Rank ranks) {
  const std::int64_t bytes = call.bytes / (ranks - 1);
  const std::int64_t all = ranks * bytes;
  if (all > most_tried_bytes) return {};
  return {2 * all, [all, count = static_cast<int>(bytes)](MPI_Comm comm, std::byte* memory) {
            std::byte* const received = memory + all;
            const auto own = [=] {
              return pmpi.Alltoall(memory, count, MPI_BYTE, received, count, MPI_BYTE, comm);
            };
            return serve_alltoall(memory, count, MPI_BYTE, received, count, MPI_BYTE, comm,
                                  named<"alltoall try-out">(own));
          }};
}

/// All items of a side are one array.
std::vector<Data> touched_by(const AllToManyCall& call, Rank ranks) {
  const auto whole = [&](const Side& side) {
    const Data first = side.of(0);
    return Data{first.buffer, first.count * ranks, first.type};
  };
  if (call.send == nullptr) return {whole(call.receive)};
  return {whole(call.receive), whole(*call.send)};
}

}  // namespace

std::optional<Look> RegularExchange::look() {
  const Call unseen = all_to_many_call(ranks());
  const char* const reason = reason_for_native_all_to_many(ranks(), settings());
  if (reason != nullptr) return Look{unseen, reason};
  if (is_refused(arguments(), [this](MPI_Comm self) { return alltoall_alone(call(), self); }))
    return Look{unseen, refused_arguments};
  const std::int64_t bytes = call().receive.bytes(0);
  if (call().sent().bytes(0) != bytes) return Look{unseen, refused_arguments};
  const std::int64_t port_bytes = (ranks() - 1) * bytes;
  return Look{all_to_many_call(ranks(), port_bytes),
              reason_for_native_all_to_many(ranks(), port_bytes, settings())};
}

const char* RegularExchange::reason_seen() {
  Watch& watch = watch_over(passage().comm);
  if (watch.always_native != nullptr) return watch.always_native;
  const Companion& companion = companion_of(passage().comm);
  watch.always_native = reason_of_companion(companion);
  if (watch.always_native != nullptr) return watch.always_native;
  const bool may_be_on_device = companion.is_device_aware;
  return may_be_on_device && companion.is_on_device(touched_by(call(), ranks())) ? device_memory : nullptr;
}

Decision RegularExchange::decide(const Call& seen) {
  const char* const reason = reason_seen();
  if (reason != nullptr) return left_to_native(seen, reason);
  const bool is_small = reason_of_messages(seen.bytes, ranks() - 1, settings()) != nullptr;
  const char* const fault = is_small ? nullptr : learn_network_for(seen, companion_of(passage().comm));
  if (fault != nullptr) return left_to_native(seen, fault);
  const bool is_new = is_new_to(watch_over(passage().comm), seen);
  return decided(seen, plan_of(seen), is_new);
}

bool RegularExchange::is_new_to(const Watch& watch, const Call& call) const {
  return watch.regular_bytes != call.bytes / (ranks() - 1) ||
         watch.regular_pieces != pieces_for(call, companion_of(passage().comm));
}

const Plan& RegularExchange::plan_of(const Call& call) const {
  Watch& watch = watch_over(passage().comm);
  if (!is_new_to(watch, call)) return watch.regular;
  const Companion& among = companion_of(passage().comm);
  const std::int64_t bytes = call.bytes / (ranks() - 1);
  const Pieces pieces = pieces_for(call, among);
  watch.regular = plan_for_everybody(passage().place.rank, ranks(), among.hosts, bytes, settings(), pieces);
  watch.regular_bytes = bytes;
  watch.regular_pieces = pieces;
  return watch.regular;
}

std::optional<Look> RegularExchange::look_for_start() {
  std::optional<Look> seen = look();
  if (!seen) return {};
  if (seen->reason == nullptr) seen->reason = reason_not_to_start();
  if (seen->reason == nullptr) keep_arguments();
  return seen;
}

std::optional<Decision> RegularExchange::decide_at_once() {
  const std::optional<Look> seen = look_for_start();
  if (!seen) return {};
  if (seen->reason != nullptr) return left_to_native(seen->call, seen->reason);
  Companion& among = companion_of(passage().comm);
  if (among.is_device_aware) return left_to_native(seen->call, device_memory);
  const char* const reason = reason_of_companion(among);
  if (reason != nullptr) return left_to_native(seen->call, reason);
  const bool is_new = is_new_to(watch_over(passage().comm), seen->call);
  const Decision by_schedule = decided_alone(seen->call, plan_of(seen->call), is_new);
  if (by_schedule.companion != nullptr && cell_of(by_schedule) != nullptr)
    among.try_outs.count(seen->call, [&] { return alltoall_like(seen->call, ranks()); });
  Decision decision = where_seen_to_gain(by_schedule);
  if (decision.companion != nullptr) among.begin_to_open();
  return keeping_plan(std::move(decision));
}

std::optional<Decision> RegularExchange::decide_for_starts() {
  const std::optional<Look> seen = look_for_start();
  if (!seen) return {};
  if (seen->reason != nullptr) return left_to_native(seen->call, seen->reason);
  return keeping_plan(where_seen_to_gain(decide(seen->call)));
}

}  // namespace rota::mpi
