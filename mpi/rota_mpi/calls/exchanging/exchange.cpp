#include "rota_mpi/calls/exchanging/exchange.hpp"

#include <algorithm>
#include <array>

#include "rota_mpi/calls/exchanging/exchanged.hpp"
#include "rota_mpi/calls/exchanging/exchanging.hpp"
#include "rota_mpi/calls/like_it.hpp"
#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/way/turns.hpp"

namespace rota::mpi {

namespace {

/// Why no call on this communicator is served, as its ranks find out together when first they want to;
/// nullptr: calls are served.
const char* reason_of(const Companion& companion) {
  if (companion.fault != nullptr) return companion.fault;
  return reason_of_hosts(companion.hosts.get(), settings());
}

/// In which the messages of such a call are cut.
Pieces pieces_for(const Call& call, const Companion& among) {
  return pieces_on(settings(), among.network_for(call).times());
}

// --- regular calls: all ranks know everything

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

// --- irregular calls: a rank knows its own messages

/// MPI's code for an MPI_Alltoallw of this rank alone, in which both sides are described by the same arrays,
/// if they are the same.
int exchanged_alone(const Data& sent, const Data& received, MPI_Comm self) {
#if MPI_VERSION >= 4
  using Count = MPI_Count;
  using Displacement = MPI_Aint;
  auto* const alltoallw = pmpi.Alltoallw_c;
#else
  using Count = int;
  using Displacement = int;
  auto* const alltoallw = pmpi.Alltoallw;
#endif
  const Displacement nowhere_else = 0;
  const std::array counts{static_cast<Count>(sent.count), static_cast<Count>(received.count)};
  const std::array types{sent.type, received.type};
  const std::size_t of_received = &sent == &received ? 0 : 1;
  return alltoallw(sent.buffer, counts.data(), &nowhere_else, types.data(), received.buffer,
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

Row row_of(const Side& side, const Place& place, bool is_sent) {
  Row row;
  for (const auto& [peer, bytes] : side.loads(place.ranks)) {
    if (peer == place.rank) continue;
    row.push_back(is_sent ? Shipment{place.rank, peer, bytes} : Shipment{peer, place.rank, bytes});
  }
  return row;
}

bool is_any_on_device(const AllToManyCall& call, Rank ranks) {
  const auto any = [&](const Side& side) {
    return std::ranges::any_of(side.loads(ranks),
                               [&](const PeerLoad& load) { return is_on_device(side.of(load.peer)); });
  };
  return any(call.receive) || (call.send != nullptr && any(*call.send));
}

/// What this rank knows of the call.
Sight sight_of(const AllToManyCall& call, const Place& place) {
  return {row_of(call.sent(), place, true), row_of(call.receive, place, false)};
}

/// The next calls need no look, but where the user wants every call served.
void count_in_vain(Watch& watch) {
  if (native_below(Collective::all_to_many, settings()) > 0) watch.looks.in_vain();
}

}  // namespace

void Exchange::keep_arguments() {
  kept_ = std::make_unique<Kept>();
  keep(kept_->types);
}

Arguments Exchange::arguments() { return call().arguments(ranks(), asking_comm(passage_.comm)); }

void Exchange::tell_bytes(Call& call, Rank own, Rank peers) {
  if (call.bytes > 0 || this->call().arguments(peers, asking_comm(passage_.comm)) != Arguments::plain) return;
  call.bytes = port_bytes_of(sight_of(this->call(), {own, peers}));
}

void Exchange::tell_unseen(Call& call) { tell_bytes(call, passage_.place.rank, ranks()); }

void Exchange::tell_unseen_between(Call& call, Rank others) { tell_bytes(call, MPI_PROC_NULL, others); }

Call all_to_many_call(Rank ranks, std::int64_t port_bytes) {
  Call call;
  call.problem = {Collective::all_to_many, ranks};
  call.bytes = port_bytes;
  return call;
}

Decision Exchange::decided(const Call& call, const Plan& plan, bool is_new) const {
  Decision decision = decided_alone(call, plan, is_new);
  const char* const fault = decision.companion != nullptr ? decision.companion->open() : nullptr;
  return fault != nullptr ? left_to_native(call, fault) : decision;
}

Decision Exchange::decided_alone(const Call& call, const Plan& plan, bool is_new) const {
  if (plan.part == nullptr) return left_to_native(call, plan.reason);
  Companion& companion = companion_of(passage_.comm);
  Choice choice;
  if (const RoundTimes* const found = companion.network.times())
    choice.seconds = seconds_of_exchange(*found, plan.port_bytes);
  return {call, choice, &companion, &plan, is_new};
}

Prepared Exchange::prepare(const Decision& decision) {
  const Plan& plan = *decision.plan;
  Served note = served_by(decision.call, decision.choice);
  note.algorithm = plan.algorithm;
  note.blocks = plan.most_parcels;
  note.rounds = plan.rounds;
  note.least_rounds = plan.least_rounds;
  note.port_bytes = plan.port_bytes;
  note.made_schedule = decision.made_plan;
  const Self& self = decision.companion->self();
  return {.steps = steps_of(plan.part, passage_.place.rank),
          .rounds = std::ssize(plan.part->turns),
          .first_rounds = static_cast<Round>(plan.part->first_turns),
          .in_flight = plan.in_flight,
          .store = std::make_unique<ExchangedData>(plan.part, call(), self, passage_.place),
          .note = note};
}

Decision Exchange::keeping_plan(Decision decision) {
  if (decision.plan == nullptr) return decision;
  kept_->plan = *decision.plan;
  decision.plan = &kept_->plan;
  return decision;
}

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

const char* RegularExchange::reason_of_companion() {
  Watch& watch = watch_over(passage().comm);
  if (watch.always_native != nullptr) return watch.always_native;
  const Companion& companion = companion_of(passage().comm);
  watch.always_native = reason_of(companion);
  if (watch.always_native != nullptr) return watch.always_native;
  const bool may_be_on_device = companion.is_device_aware;
  return may_be_on_device && companion.is_on_device(touched_by(call(), ranks())) ? device_memory : nullptr;
}

Decision RegularExchange::decide(const Call& seen) {
  const char* const reason = reason_of_companion();
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
  const char* const reason = reason_of(among);
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

const char* IrregularExchange::reason_for_native_unseen() const {
  const char* const reason = reason_for_native_all_to_many(ranks(), settings());
  return reason != nullptr ? reason : watch_over(passage().comm).always_native;
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

Look IrregularExchange::look_together() {
  wait_for_outstanding(passage().comm);  // which may remember patterns
  Objection objection = Objection::none;
  if (arguments() != Arguments::plain) {
    objection = Objection::odd_arguments;
  } else if (is_device_aware() && is_any_on_device(call(), ranks())) {
    objection = Objection::device_memory;
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
  if (decision.companion != nullptr) watch.latest_bytes = decision.call.bytes;
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
  watch.always_native = reason_of(among);
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
  if (agreed.fault != nullptr) return left_to_native(call, agreed.fault);
  Patterns& patterns = *watch.patterns;
  const Plan& plan = agreed_.remembered != nullptr ? patterns.remember(std::move(agreed.made), agreed_.place)
                                                   : patterns.remember(std::move(agreed.made));
  Decision decision = decided(call, plan, true);
  decision.planning_s = pmpi.Wtime() - start_s;
  return decision;
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
  reason = reason_of(among);
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
