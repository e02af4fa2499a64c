#include "rota_mpi/calls/exchanging/exchange.hpp"

#include <algorithm>

#include "rota_mpi/calls/exchanging/exchanged.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

Row row_of(const Side& side, const Place& place, bool is_sent) {
  Row row;
  for (const auto& [peer, bytes] : side.loads(place.ranks)) {
    if (peer == place.rank) continue;
    row.push_back(is_sent ? Shipment{place.rank, peer, bytes} : Shipment{peer, place.rank, bytes});
  }
  return row;
}

/// What each link of a host would carry if all hosts had as much to send as its ranks would by this rank's
/// row. The mean over all ranks is that over hosts: no more than what the busiest host sends.
std::int64_t link_bytes_by(const Row& sent, Rank own, const Hosts& hosts) {
  std::int64_t leaving = 0;
  for (const Shipment& each : sent) leaving += hosts.share(own, each.to) ? 0 : each.bytes;
  const auto ranks = static_cast<std::int64_t>(hosts.of_rank.size());
  const std::int64_t links = std::int64_t{hosts.count()} * std::min(hosts.links, hosts.most_ranks());
  return leaving * ranks / links;
}

}  // namespace

const char* reason_of_companion(const Companion& companion) {
  if (companion.fault != nullptr) return companion.fault;
  return reason_of_hosts(companion.hosts.get(), settings());
}

Pieces pieces_for(const Call& call, const Companion& among) {
  return pieces_on(settings(), among.network_for(call).times(), among.hosts.get());
}

Sight sight_of(const AllToManyCall& call, const Place& place) {
  return {row_of(call.sent(), place, true), row_of(call.receive, place, false)};
}

void Exchange::keep_arguments() {
  kept_ = std::make_unique<Kept>();
  keep(kept_->types);
}

Arguments Exchange::arguments() { return call().arguments(ranks(), asking_comm(passage_.comm)); }

bool Exchange::is_any_on_device() {
  const auto any = [&](const Side& side) {
    return std::ranges::any_of(side.loads(ranks()),
                               [&](const PeerLoad& load) { return is_on_device(side.of(load.peer)); });
  };
  const AllToManyCall& all = call();
  return any(all.receive) || (all.send != nullptr && any(*all.send));
}

void Exchange::tell_bytes(Call& call, Rank own, Rank peers) {
  if (call.bytes > 0 || this->call().arguments(peers, asking_comm(passage_.comm)) != Arguments::plain) return;
  call.bytes = port_bytes_of(sight_of(this->call(), {own, peers}));
}

void Exchange::tell_unseen(Served& served) {
  const Rank own = passage_.place.rank;
  tell_bytes(served.call, own, ranks());
  const Hosts* const hosts = served.call.problem.hosts.get();
  if (hosts == nullptr || served.port_bytes || arguments() != Arguments::plain) return;
  served.port_bytes = link_bytes_by(row_of(call().sent(), passage_.place, true), own, *hosts);
}

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

}  // namespace rota::mpi
