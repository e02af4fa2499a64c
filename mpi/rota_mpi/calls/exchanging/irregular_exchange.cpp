#include "rota_mpi/calls/exchanging/irregular_exchange.hpp"

#include <algorithm>
#include <array>

#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/library/counted.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/try_outs.hpp"
#include "rota_mpi/way/turns.hpp"

namespace rota::mpi {

namespace {

/// MPI's code for an MPI_Alltoallw of this rank alone, in which both sides are described by the same arrays,
/// if they are the same.
int exchanged_alone(const Data& sent, const Data& received, MPI_Comm self) {
  const counted::Displacement nowhere_else = 0;
  const std::array counts{counted::number(sent.count), counted::number(received.count)};
  const std::array types{sent.type, received.type};
  const std::size_t of_received = &sent == &received ? 0 : 1;
  return counted::Alltoallw(sent.buffer, counts.data(), &nowhere_else, types.data(), received.buffer,
                            &counts[of_received], &nowhere_else, &types[of_received], self);
}

/// As many bytes of nobody's as there are in an entry.
class Counterpart {
 public:
  explicit Counterpart(const Data& entry)
      : bytes_(entry.type == MPI_DATATYPE_NULL ? 0 : static_cast<std::size_t>(packed_bytes(entry))) {}

  Data data() { return {bytes_.data(), static_cast<MPI_Count>(bytes_.size()), MPI_BYTE}; }

 private:
  std::vector<std::byte> bytes_;
};

int sent_alone(const Side& side, Rank ranks, MPI_Comm self) {
  for (const Data& entry : side.entries(ranks)) {
    const int code = exchanged_alone(entry, Counterpart(entry).data(), self);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int received_alone(const Side& side, Rank ranks, MPI_Comm self) {
  for (const Data& entry : side.entries(ranks)) {
    const int code = exchanged_alone(Counterpart(entry).data(), entry, self);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int same_alone(const Side& side, MPI_Comm self) {
  const Data first = side.of(0);
  return exchanged_alone(first, first, self);
}

/// Of one entry after the other, until one is refused. What is received is lost; in place nothing is.
int entries_alone(const AllToManyCall& call, Rank ranks, MPI_Comm self) {
  if (call.is_same()) return same_alone(call.receive, self);
  const int sent = sent_alone(call.sent(), ranks, self);
  return sent != MPI_SUCCESS || call.send == nullptr ? sent : received_alone(call.receive, ranks, self);
}

/// The next calls need no look, but where the user wants every call served.
void count_in_vain(Watch& watch) {
  if (native_below(Collective::all_to_many, settings()) > 0) watch.looks.in_vain();
}

}  // namespace

bool is_left_alone(MPI_Comm comm) {
  if (settings().takes_notes || is_out_of_reach(comm) || is_try_out_due(comm)) return false;
  Watch& watch = watch_over(comm);
  return watch.always_native != nullptr || watch.looks.skips();
}

/// Before ranks ask each other anything, for some of those that were started apart may not have Rota.
const char* IrregularExchange::reason_for_native_unseen() const {
  Watch& watch = watch_over(passage().comm);
  if (watch.always_native == nullptr)
    watch.always_native = reason_for_native_all_to_many(ranks(), settings());
  if (watch.always_native == nullptr && world() != nullptr)
    watch.always_native = reason_of_companion(companion_of(passage().comm));
  return watch.always_native;
}

/// A call of this communicator that is left alone without a look is counted by this.
const char* IrregularExchange::reason_not_to_look() const {
  const char* const reason = reason_for_native_unseen();
  if (reason != nullptr) return reason;
  return watch_over(passage().comm).looks.skips() ? "the last ones were native" : nullptr;
}

std::optional<Look> IrregularExchange::look() {
  const char* const reason = reason_not_to_look();
  return reason != nullptr ? Look{all_to_many_call(ranks()), reason} : look_together();
}

bool IrregularExchange::is_on_device_here() { return is_device_aware() && is_any_on_device(); }

/// The look of a call that is not to be left alone whatever it is.
Look IrregularExchange::look_together() {
  wait_for_turn_within(passage().comm);  // what comes before may remember patterns
  Objection objection = Objection::none;
  if (arguments() != Arguments::plain) {
    objection = Objection::odd_arguments;
  } else if (is_on_device_here()) {
    objection = Objection::on_device;
  }
  if (objection != Objection::odd_arguments) sight_ = sight_of(call(), passage().place);
  Watch& watch = watch_over(passage().comm);
  const std::int64_t skips = watch.looks.begin(pmpi.Wtime(), ranks());
  agreed_ = look_at(sight_, objection, skips, *watch.patterns, passage().comm);
  watch.looks.end(pmpi.Wtime(), agreed_.least_skips);
  const Look look = looked();
  watch.latest_bytes = 0;
  if (look.reason != nullptr) count_in_vain(watch);
  return look;
}

Look IrregularExchange::looked() const {
  const Call call = all_to_many_call(ranks(), agreed_.port_bytes);
  if (agreed_.reason != nullptr) return {call, agreed_.reason};
  return {call, reason_for_native_all_to_many(call.problem.ranks, call.bytes, settings())};
}

Decision IrregularExchange::decide(const Call& seen) {
  Watch& watch = watch_over(passage().comm);
  const Decision decision =
      agreed_.remembered != nullptr ? decided_again(seen, watch) : decided_anew(seen, watch);
  if (decision.companion != nullptr) {
    watch.latest_bytes = decision.call.bytes;
  } else {
    watch.looks.spent(decision.planning_s);
  }
  if (!may_be_scheduled(decision)) count_in_vain(watch);
  return decision;
}

Terms IrregularExchange::terms_for(const Call& call) const {
  const Companion& among = companion_of(passage().comm);
  return {among.hosts, pieces_for(call, among)};
}

/// By the plan that is remembered; but where ranks have come to know the network since then, and would cut
/// its messages in other pieces now, it is made again.
Decision IrregularExchange::decided_again(const Call& call, Watch& watch) const {
  const Remembered& known = *agreed_.remembered;
  const char* const fault =
      known.plan.part != nullptr ? learn_network_for(call, companion_of(passage().comm)) : nullptr;
  if (fault != nullptr) return left_to_native(call, fault);
  const bool is_current = known.pieces == terms_for(call).pieces;
  return is_current ? decided(call, known.plan, false) : decided_anew(call, watch);
}

/// After a look that found no plan: none is made where it is the native calls' turn.
Decision IrregularExchange::decided_anew(const Call& call, Watch& watch) const {
  Decision decision = without_plan(call, watch);
  if (decision.companion == nullptr) return decision;
  const Cell* const cell = cell_of(decision);
  return cell != nullptr && cell->next() == Arm::native ? decision : planned(call, watch);
}

/// As far as that needs no plan: then there is a companion.
Decision IrregularExchange::without_plan(const Call& call, Watch& watch) const {
  Companion& among = companion_of(passage().comm);
  watch.always_native = reason_of_companion(among);
  if (watch.always_native != nullptr) return left_to_native(call, watch.always_native);
  const char* const reason = reason_of_messages(call.bytes, agreed_.degree, settings());
  if (reason != nullptr) return left_to_native(call, reason);
  const char* const fault = learn_network_for(call, among);
  if (fault != nullptr) return left_to_native(call, fault);
  Choice choice;
  if (const RoundTimes* const found = among.network.times()) {
    // As if the busiest rank's were everybody's, and for everybody.
    const std::int64_t to_each = call.bytes / (ranks() - 1);
    choice.seconds = seconds_of_exchange(*found, port_bytes_of_everybody(ranks(), among.hosts, to_each));
  }
  return {call, choice, &among};
}

/// The pattern is gathered, and a plan made for it.
Decision IrregularExchange::planned(const Call& call, Watch& watch) const {
  const double start_s = pmpi.Wtime();
  AgreedPlan agreed = agreed_plan(sight_, passage().comm, passage().place, terms_for(call));
  const auto remembered = [&]() -> const Plan& {
    Patterns& patterns = *watch.patterns;
    return agreed_.remembered != nullptr ? patterns.remember(std::move(agreed.made), agreed_.place)
                                         : patterns.remember(std::move(agreed.made));
  };
  Decision decision =
      agreed.fault != nullptr ? left_to_native(call, agreed.fault) : decided(call, remembered(), true);
  decision.planning_s = pmpi.Wtime() - start_s;
  return decision;
}

Decision IrregularExchange::decide_for_runs() {
  if (const char* const reason = reason_for_native_unseen())
    return left_to_native(all_to_many_call(ranks()), reason);
  const Look seen = look_together();
  if (seen.reason != nullptr) return left_to_native(seen.call, seen.reason);
  const Decision decision = decide(seen.call);
  const bool lacks_plan = decision.companion != nullptr && decision.plan == nullptr;
  return lacks_plan ? planned(seen.call, watch_over(passage().comm)) : decision;
}

/// The same of a call that is set up: it cannot be tried, so a plan is made where a schedule is to serve it.
Decision IrregularExchange::decided_for_starts(const Call& call) {
  if (agreed_.remembered != nullptr)
    return where_seen_to_gain(decided(call, agreed_.remembered->plan, false));
  Watch& watch = watch_over(passage().comm);
  Decision decision = where_seen_to_gain(without_plan(call, watch));
  if (decision.companion == nullptr) return decision;
  return planned(call, watch);
}

std::optional<Decision> IrregularExchange::decide_for_starts() {
  const Call unseen = all_to_many_call(ranks());
  const char* reason = reason_for_native_unseen();
  if (reason == nullptr) reason = reason_not_to_start();
  if (reason != nullptr) return left_to_native(unseen, reason);
  const Look seen = look_together();
  if (seen.reason != nullptr) return left_to_native(seen.call, seen.reason);
  Decision decision = decided_for_starts(seen.call);
  if (decision.companion != nullptr) keep_arguments();
  return keeping_plan(std::move(decision));
}

/// By what is the same on all ranks, whatever this one's arguments are.
const char* IrregularExchange::reason_not_to_start_at_once() const {
  const char* reason = reason_for_native_unseen();
  if (reason == nullptr) reason = reason_not_to_start();
  if (reason != nullptr) return reason;
  Companion& among = companion_of(passage().comm);
  if (among.is_device_aware) return device_memory;
  reason = reason_of_companion(among);
  if (reason != nullptr) return reason;
  const Call latest = all_to_many_call(ranks(), watch_over(passage().comm).latest_bytes);
  const Decision shown = where_seen_to_gain({latest, {}, &among});
  return shown.companion == nullptr ? shown.choice.reason : nullptr;
}

std::optional<Decision> IrregularExchange::decide_at_once() {
  const Call unseen = all_to_many_call(ranks());
  const char* const reason = reason_not_to_start_at_once();
  if (reason != nullptr) return left_to_native(unseen, reason);
  if (is_refused(arguments(), [this](MPI_Comm self) { return entries_alone(call(), ranks(), self); }))
    return left_to_native(unseen, refused_arguments);
  keep_arguments();
  Companion& among = companion_of(passage().comm);
  const Watch& watch = watch_over(passage().comm);
  const Terms terms = terms_for(all_to_many_call(ranks(), watch.latest_bytes));
  telling_ =
      std::make_unique<Telling>(sight_of(call(), passage().place), passage().place, terms, watch.patterns);
  among.begin_to_open();
  return Decision{unseen, {}, &among};
}

std::optional<Prepared> IrregularExchange::tell(const Decision& decision) {
  if (telling_ == nullptr) return {};
  return telling_->next(decision.companion->self());
}

Prepared IrregularExchange::prepare(const Decision& decision) {
  if (telling_ == nullptr) return Exchange::prepare(decision);
  Decision told = decision;
  told.call = all_to_many_call(ranks(), telling_->port_bytes());
  told.plan = &telling_->plan();
  told.made_plan = telling_->has_made_plan();
  return Exchange::prepare(told);
}

}  // namespace rota::mpi
