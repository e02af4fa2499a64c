#include "rota_mpi/calls/exchanging/all_to_many.hpp"

#include <algorithm>

#include "rota_mpi/calls/exchanging/ports.hpp"

namespace rota::mpi {

namespace {

Decision left_to_native(const char* reason, std::int64_t port_bytes = 0) {
  return {.reason = reason, .port_bytes = port_bytes};
}

/// Why no call on this communicator is served, as its ranks find out together when first they want to;
/// nullptr: calls are served.
const char* reason_of_hosts(const Companion& companion) {
  if (companion.fault != nullptr) return companion.fault;
  return companion.hosts && !serves_shared_hosts(settings()) ? "ranks share hosts" : nullptr;
}

/// The channel is opened, where it is not, for what is to be played.
Decision decided(const AllToManyPassage& passage, const Plan& plan, std::int64_t port_bytes, bool is_new) {
  if (plan.part == nullptr) return left_to_native(plan.reason, port_bytes);
  const char* const fault = companion_of(passage.comm).open();
  if (fault != nullptr) return left_to_native(fault, port_bytes);
  return {&plan, "", port_bytes, is_new};
}

Arguments arguments_of(const AllToManyPassage& passage) {
  return passage.call.arguments(passage.place.ranks, asking_comm(passage.comm));
}

// --- regular calls: all ranks know everything

const char* reason_not_to_look_at_regular(MPI_Comm, const Place& place) {
  return reason_for_native_all_to_many(place.ranks, settings());
}

/// MPI's code for an MPI_Alltoall of this rank alone.
int alltoall_alone(const AllToManyCall& call, MPI_Comm self) {
  const Data received = call.receive.of(0);
  const Data sent = call.send == nullptr ? Data{MPI_IN_PLACE, 0, MPI_DATATYPE_NULL} : call.send->of(0);
#if MPI_VERSION >= 4
  return pmpi.Alltoall_c(sent.buffer, sent.count, sent.type, received.buffer, received.count, received.type,
                         self);
#else
  return pmpi.Alltoall(sent.buffer, static_cast<int>(sent.count), sent.type, received.buffer,
                       static_cast<int>(received.count), received.type, self);
#endif
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

Decision decision_for_regular(const AllToManyPassage& passage) {
  const auto [rank, ranks] = passage.place;
  if (is_refused(arguments_of(passage), [&](MPI_Comm self) { return alltoall_alone(passage.call, self); }))
    return left_to_native(refused_arguments);
  const std::int64_t bytes = passage.call.receive.bytes(0);
  const std::int64_t port_bytes = (ranks - 1) * bytes;
  if (passage.call.sent().bytes(0) != bytes) return left_to_native(refused_arguments);
  const char* const reason = reason_for_native_all_to_many(ranks, port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, port_bytes);
  Watch& watch = watch_over(passage.comm);
  if (watch.always_native == nullptr) watch.always_native = reason_of_hosts(companion_of(passage.comm));
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, port_bytes);
  const Companion& companion = companion_of(passage.comm);
  if (companion.is_device_aware && companion.is_on_device(touched_by(passage.call, ranks)))
    return left_to_native(device_memory, port_bytes);
  const bool is_new = watch.regular_bytes != bytes;
  if (is_new) {
    watch.regular = plan_for_everybody(rank, ranks, bytes, settings());
    watch.regular_bytes = bytes;
  }
  return decided(passage, watch.regular, port_bytes, is_new);
}

// --- irregular calls: a rank knows its own messages

/// A call of this communicator that is left alone without a look is counted by this.
const char* reason_not_to_look_at_irregular(MPI_Comm comm, const Place& place) {
  const char* const reason = reason_for_native_all_to_many(place.ranks, settings());
  if (reason != nullptr) return reason;
  Watch& watch = watch_over(comm);
  if (watch.always_native != nullptr) return watch.always_native;
  return watch.skips() ? "the last ones were native" : nullptr;
}

Row row_of(const Side& side, const Place& place, bool is_sent) {
  Row row;
  for (const auto& [peer, bytes] : side.loads(place.ranks)) {
    if (peer == place.rank) continue;
    row.push_back(is_sent ? Shipment{place.rank, peer, bytes} : Shipment{peer, place.rank, bytes});
  }
  return row;
}

bool is_on_device(const AllToManyPassage& passage) {
  const auto any = [&](const Side& side) {
    return std::ranges::any_of(side.loads(passage.place.ranks),
                               [&](const PeerLoad& load) { return is_on_device(side.of(load.peer)); });
  };
  return any(passage.call.receive) || (passage.call.send != nullptr && any(*passage.call.send));
}

Objection objection_to(const AllToManyPassage& passage) {
  if (arguments_of(passage) != Arguments::plain) return Objection::odd_arguments;
  return is_device_aware() && is_on_device(passage) ? Objection::device_memory : Objection::none;
}

/// What this rank knows of the call; nothing where it objects.
Sight sight_of(const AllToManyPassage& passage, Objection objection) {
  if (objection != Objection::none) return {};
  return {row_of(passage.call.sent(), passage.place, true),
          row_of(passage.call.receive, passage.place, false)};
}

/// After a look that found no plan: the pattern is gathered, and a plan made for it.
Decision decision_for_new(const AllToManyPassage& passage, const Sight& sight, const Look& look,
                          Watch& watch) {
  const Companion& companion = companion_of(passage.comm);
  watch.always_native = reason_of_hosts(companion);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, look.port_bytes);
  const char* const reason = reason_of_messages(look.port_bytes, look.degree, settings());
  if (reason != nullptr) return left_to_native(reason, look.port_bytes);
  AgreedPlan agreed = agreed_plan(sight, passage.comm, passage.place, settings());
  if (agreed.fault != nullptr) return left_to_native(agreed.fault, look.port_bytes);
  return decided(passage, watch.remember(std::move(agreed.made)), look.port_bytes, true);
}

Decision decision_after_look(const AllToManyPassage& passage, Watch& watch) {
  const Objection objection = objection_to(passage);
  const Sight sight = sight_of(passage, objection);
  const Look look = look_at(sight, objection, watch, passage.comm);
  if (look.reason != nullptr) return left_to_native(look.reason, look.port_bytes);
  const char* const reason = reason_for_native_all_to_many(passage.place.ranks, look.port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, look.port_bytes);
  if (look.remembered != nullptr) return decided(passage, *look.remembered, look.port_bytes, false);
  return decision_for_new(passage, sight, look, watch);
}

Decision decision_for_irregular(const AllToManyPassage& passage) {
  Watch& watch = watch_over(passage.comm);
  const Decision decision = decision_after_look(passage, watch);
  if (decision.plan != nullptr) {
    watch.found_served();
  } else if (native_below(Collective::all_to_many, settings()) > 0) {
    watch.found_native();  // but who asks for a schedule wants every call served
  }
  return decision;
}

}  // namespace

const Deciding regular{reason_not_to_look_at_regular, decision_for_regular};
const Deciding irregular{reason_not_to_look_at_irregular, decision_for_irregular};

Served served_by(const Place& place, const Decision& decision) {
  Served served;
  served.call.problem = {Collective::all_to_many, place.ranks};
  served.call.bytes = decision.port_bytes;
  served.reason = decision.reason;
  served.made_schedule = decision.made_schedule;
  if (decision.plan == nullptr) return served;
  served.algorithm = decision.plan->algorithm;
  served.blocks = decision.plan->most_parcels;
  served.rounds = decision.plan->rounds;
  served.least_rounds = decision.plan->least_rounds;
  return served;
}

void play(const AllToManyPassage& passage, const Plan& plan) {
  const Companion& companion = companion_of(passage.comm);
  Mail mail(passage.call, companion.self(), passage.place);
  play(*plan.part, mail, companion);
}

int finish(const AllToManyPassage& passage, const Deciding& deciding, Served& served, NativeCall native) {
  const Decision decision = deciding.decision(passage);
  served = served_by(passage.place, decision);
  if (decision.plan == nullptr) return native();
  play(passage, *decision.plan);
  return MPI_SUCCESS;
}

}  // namespace rota::mpi
