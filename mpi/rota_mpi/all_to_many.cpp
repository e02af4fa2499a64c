#include "rota_mpi/all_to_many.hpp"

#include <algorithm>

#include "rota_mpi/ports.hpp"

namespace rota::mpi {

namespace {

Decision left_to_native(const char* reason, std::int64_t port_bytes = 0) {
  return {.reason = reason, .port_bytes = port_bytes};
}

constexpr const char* refused = "MPI refuses the arguments";

/// Has a type been left uncommitted? Of several equal ones in a row, the first is asked about.
bool has_uncommitted(const Side& side, Rank ranks, const Companion& companion) {
  MPI_Datatype last = MPI_DATATYPE_NULL;
  return std::ranges::any_of(side.loads(ranks), [&](const PeerLoad& load) {
    MPI_Datatype type = side.of(load.peer).type;
    const bool is_known = type == last;
    last = type;
    return !is_known && !is_committed(type, companion.comm);
  });
}

bool has_uncommitted(const AllToManyPassage& passage) {
  const Companion& companion = companion_of(passage.comm);
  return has_uncommitted(passage.call.receive, passage.place.ranks, companion) ||
         has_uncommitted(passage.call.sent(), passage.place.ranks, companion);
}

/// Why no call on this communicator is served, as its ranks find out together when first they want to;
/// nullptr: calls are served.
const char* reason_of_hosts(const Companion& companion) {
  if (companion.fault != nullptr) return companion.fault;
  return companion.hosts && !serves_shared_hosts(settings()) ? "ranks share hosts" : nullptr;
}

Decision decided(const Plan& plan, std::int64_t port_bytes, bool is_new) {
  if (plan.part == nullptr) return left_to_native(plan.reason, port_bytes);
  return {&plan, "", port_bytes, is_new};
}

// --- regular calls: all ranks know everything

const char* reason_not_to_look_at_regular(MPI_Comm, const Place& place) {
  return reason_for_native_all_to_many(place.ranks, settings());
}

Decision decision_for_regular(const AllToManyPassage& passage) {
  const auto [rank, ranks] = passage.place;
  if (is_refused(passage)) return left_to_native(refused);
  const std::int64_t bytes = passage.call.receive.bytes(0);
  const std::int64_t port_bytes = (ranks - 1) * bytes;
  if (passage.call.sent().bytes(0) != bytes) return left_to_native(refused);
  const char* const reason = reason_for_native_all_to_many(ranks, port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, port_bytes);
  Watch& watch = watch_over(passage.comm);
  if (watch.always_native == nullptr) watch.always_native = reason_of_hosts(companion_of(passage.comm));
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, port_bytes);
  if (has_uncommitted(passage)) return left_to_native(refused, port_bytes);
  const bool is_new = watch.regular_bytes != bytes;
  if (is_new) {
    watch.regular = plan_for_everybody(rank, ranks, bytes, settings());
    watch.regular_bytes = bytes;
  }
  return decided(watch.regular, port_bytes, is_new);
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

/// After a look that found no plan: the pattern is gathered, and a plan made for it.
Decision decision_for_new(const AllToManyPassage& passage, const Sight& sight, const Look& look,
                          Watch& watch) {
  const Companion& companion = companion_of(passage.comm);
  watch.always_native = reason_of_hosts(companion);
  if (watch.always_native != nullptr) return left_to_native(watch.always_native, look.port_bytes);
  AgreedPlan agreed = agreed_plan(sight, companion, settings());
  if (agreed.fault != nullptr) return left_to_native(agreed.fault, look.port_bytes);
  return decided(watch.remember(std::move(agreed.made)), look.port_bytes, true);
}

Decision decision_after_look(const AllToManyPassage& passage, Watch& watch) {
  const Sight sight{row_of(passage.call.sent(), passage.place, true),
                    row_of(passage.call.receive, passage.place, false)};
  const Look look = look_at(sight, watch, passage.comm);
  const char* const reason = reason_for_native_all_to_many(passage.place.ranks, look.port_bytes, settings());
  if (reason != nullptr) return left_to_native(reason, look.port_bytes);
  if (look.remembered != nullptr) return decided(*look.remembered, look.port_bytes, false);
  return decision_for_new(passage, sight, look, watch);
}

Decision decision_for_irregular(const AllToManyPassage& passage) {
  if (is_refused(passage)) return left_to_native(refused);
  Watch& watch = watch_over(passage.comm);
  const Decision decision = decision_after_look(passage, watch);
  if (decision.plan != nullptr) {
    watch.found_served();
    return has_uncommitted(passage) ? left_to_native(refused, decision.port_bytes) : decision;
  }
  // Who asks for a schedule wants every call served.
  if (native_below(Collective::all_to_many, settings()) > 0) watch.found_native();
  return decision;
}

}  // namespace

const Deciding regular{reason_not_to_look_at_regular, decision_for_regular};
const Deciding irregular{reason_not_to_look_at_irregular, decision_for_irregular};

bool is_refused(const AllToManyPassage& passage) {
  return passage.call.receive.is_refused(passage.place.ranks) ||
         passage.call.sent().is_refused(passage.place.ranks) || passage.call.is_refused_alias();
}

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
  const Self self = companion_of(passage.comm).self();
  Mail mail(passage.call, self, passage.place.ranks);
  play(*plan.part, mail, self);
}

int finish(const AllToManyPassage& passage, const Deciding& deciding, Served& served, NativeCall native) {
  const Decision decision = deciding.decision(passage);
  served = served_by(passage.place, decision);
  if (decision.plan == nullptr) return native();
  play(passage, *decision.plan);
  return MPI_SUCCESS;
}

}  // namespace rota::mpi
