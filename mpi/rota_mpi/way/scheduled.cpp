#include "rota_mpi/way/scheduled.hpp"

#include <algorithm>

#include "rota/model/bound.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/network.hpp"
#include "rota_mpi/way/turns.hpp"

namespace rota::mpi {

namespace {

/// Between groups the least rounds are those of the shares, which a report does not keep.
Served note_of(const Decision& decision, const Schedule& schedule) {
  Served note = served_by(decision.call, decision.choice);
  note.blocks = schedule.problem.blocks;
  note.rounds = schedule.rounds;
  if (is_inter_group(schedule.problem.collective)) note.least_rounds = lower_bound(schedule.problem).rounds;
  return note;
}

// In the memory that its ranks share there are no tags, which such calls need.
constexpr const char* does_not_block = "one host, and it does not block";

/// The choice for a call, which may have its ranks come to know the network.
Choice chosen(const Call& call, Companion& among) {
  const Choice choice = among.choices.of(call, among.network_for(call));
  const bool is_by_memory = is_on_one_host(call, settings());
  if (choice.algorithm == nullptr && !is_by_memory) return choice;
  const char* const fault = is_by_memory ? learn_memory_for(call, among) : learn_network_for(call, among);
  if (fault != nullptr) return native(fault);
  Cell* const cell = among.cells.find(call);
  const FoundNetwork network = among.network_for(call);
  if (cell != nullptr && network.times() != nullptr) cell->foresee(among.choices.of(call, network).seconds);
  return among.choices.of(call, among.network_for(call));
}

}  // namespace

Decision Scheduled::decide(const Call& seen) {
  const char* const reason = reason_for_native(seen, settings());
  if (reason != nullptr) return left_to_native(seen, reason);
  Companion& among = companion();
  if (among.fault != nullptr) return left_to_native(seen, among.fault);
  Call call = seen;
  call.problem.hosts = among.hosts;
  const Choice choice = chosen(call, among);
  if (choice.algorithm == nullptr) return {call, choice};
  if (among.is_device_aware && among.is_on_device(touched())) return left_to_native(call, device_memory);
  const char* const fault = among.open();
  if (fault != nullptr) return left_to_native(call, fault);
  return {call, choice, &among};
}

Decision Scheduled::decide_alone(const Call& seen) {
  Companion& among = companion();
  if (among.fault != nullptr) return left_to_native(seen, among.fault);
  if (among.is_device_aware) return left_to_native(seen, device_memory);
  Call call = seen;
  call.problem.hosts = among.hosts;
  if (is_on_one_host(call, settings())) return left_to_native(call, does_not_block);
  if (among.network.pace == Pace::unknown && depends_on_pace(call, settings())) {
    among.try_outs.count(call, [this] { return like_it(); });
    return left_to_native(call, "links' pace is not known yet");
  }
  const Choice choice = among.choices.of(call, among.network_for(call));
  if (choice.algorithm == nullptr) return {call, choice};
  if (competes(call, settings())) among.try_outs.count(call, [this] { return like_it(); });
  Decision decision = where_seen_to_gain({call, choice, &among});
  if (decision.companion == nullptr || among.begin_to_open()) return decision;
  return left_to_native(call, "no call that blocks has opened its channel");
}

Look Scheduled::kept(const Look& seen) {
  Look look = seen;
  if (look.reason == nullptr) look.reason = reason_for_native(look.call, settings());
  if (look.reason == nullptr) look.reason = reason_not_to_start();
  if (look.reason == nullptr) look.reason = keep(kept_);
  return look;
}

std::optional<Decision> Scheduled::decide_at_once() {
  const std::optional<Look> seen = look_alone();
  if (!seen) return {};
  const Look look = kept(*seen);
  return look.reason != nullptr ? left_to_native(look.call, look.reason) : decide_alone(look.call);
}

std::optional<Decision> Scheduled::decide_for_starts() {
  const std::optional<Look> seen = look();
  if (!seen) return {};
  const Look look = kept(*seen);
  if (look.reason != nullptr) return left_to_native(look.call, look.reason);
  const Decision decision = where_seen_to_gain(decide(look.call));
  const bool is_served = decision.companion != nullptr;
  return is_served && is_on_one_host(decision.call, settings())
             ? left_to_native(decision.call, does_not_block)
             : decision;
}

Prepared Scheduled::prepare(const Decision& decision) {
  Problem problem = decision.call.problem;
  problem.blocks = decision.choice.blocks;
  const Schedule schedule = decision.choice.algorithm->schedule(problem);
  const Companion& among = *decision.companion;
  return {.steps = schedule.of_rank(among.rank),
          .rounds = schedule.rounds,
          .first_rounds = std::min<Round>(schedule.rounds, among.ranks),
          .in_flight = decision.choice.in_flight,
          .store = store(schedule, among),
          .note = note_of(decision, schedule)};
}

std::optional<Look> Within::look_alone() {
  if (is_refused(arguments(asking_comm(passage_.comm)), [this](MPI_Comm self) { return alone(self); }))
    return {};
  return Look{seen_by_all()};
}

}  // namespace rota::mpi
