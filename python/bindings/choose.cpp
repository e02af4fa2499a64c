// What the MPI layer would choose for a call, and why, as Python objects: by the code that chooses there.
#include "rota_mpi/decide/choose.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "asked_call.hpp"
#include "bindings.hpp"
#include "data.hpp"
#include "named.hpp"
#include "profile.hpp"
#include "rota/generators/all_to_many/everybody_on_hosts.hpp"
#include "rota/model/simulate.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/cell.hpp"
#include "rota_mpi/decide/choose_part.hpp"
#include "rota_mpi/settings/environment.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

/// A schedule that could serve a call.
struct Predicted {
  std::string algorithm;
  BlockIndex blocks;
  Round rounds;
  double seconds;
};

struct Explanation {
  std::vector<Predicted> candidates;
  std::string algorithm;  // "native" for the native collective
  BlockIndex blocks;      // 0 for it
  Round rounds;           // 0 for it
  std::string reason;     // why it is the native one
  Round least_rounds;     // for the blocks of `blocks`, one if it is native
  double least_bytes;
  double least_seconds;
  Network network;
  bool has_measured_network;
  bool ranks_share_hosts;
  Rank lanes;
  bool competes;                             // does the native collective compete with it?
  std::vector<std::string> native_on_links;  // of which pace is it the native one?
  std::optional<Measured> measured;
};

/// On how many hosts a call is made, with which profile and rule for blocks in place of ROTA_PROFILE's and
/// ROTA_BLOCK_BYTES', and on which network in place of the profile's.
struct Circumstances {
  std::optional<Rank> hosts;
  std::optional<std::string> profile;
  std::optional<Network> network{};     // NOLINT(readability-redundant-member-init)
  std::optional<std::string> blocks{};  // NOLINT(readability-redundant-member-init)
};

Schedule schedule_of(const Algorithm& algorithm, const mpi::Call& call, BlockIndex blocks) {
  Problem problem = call.problem;
  problem.blocks = blocks;
  return algorithm.schedule(problem);
}

mpi::Settings settings_with(const Circumstances& circumstances) {
  mpi::Settings settings = mpi::settings_of_environment();
  if (circumstances.profile) settings.profile = mpi::profile_in(*circumstances.profile);
  if (circumstances.blocks) {
    settings.block_bytes = 0;
    settings.paper_blocks = paper_constants_of(*circumstances.blocks);
  }
  return settings;
}

/// The hosts of so many ranks, in a row. Without an answer: as ROTA_HOSTS says, or as many ranks on each as
/// in the profile, or a host for each rank.
std::shared_ptr<const Hosts> hosts_of(Rank ranks, std::optional<Rank> asked, const mpi::Settings& settings) {
  const mpi::Profile& profile = settings.profile;
  std::int64_t hosts = ranks;
  if (profile.ranks > 0) hosts = std::int64_t{ranks} * profile.hosts / profile.ranks;
  if (settings.hosts > 0) hosts = settings.hosts;
  hosts = std::max<std::int64_t>(1, asked.value_or(hosts));
  if (hosts >= ranks) return nullptr;
  Hosts placed = hosts_in_a_row(ranks, static_cast<Rank>(hosts));
  return std::make_shared<const Hosts>(with_links(std::move(placed), mpi::lanes_of(settings)));
}

/// Where the choice depends on links' pace: of which pace it is the native collective.
std::vector<std::string> paces_of_native(const mpi::Call& call, const mpi::Settings& settings) {
  std::vector<std::string> paces;
  if (!mpi::depends_on_pace(call, settings)) return paces;
  for (const mpi::Pace pace : {mpi::Pace::slow, mpi::Pace::medium, mpi::Pace::fast}) {
    const mpi::Choice choice =
        mpi::choose(call, settings, {.pace = pace, .round_times = {}, .ranks_a_processor = 1});
    if (choice.algorithm == nullptr) paces.emplace_back(mpi::name_of(pace));
  }
  return paces;
}

void add_choice(const mpi::Call& call, const mpi::Settings& settings, Explanation& explanation) {
  const char* const reason = mpi::reason_for_native(call, settings);
  const mpi::Choice choice = reason != nullptr ? mpi::native(reason) : mpi::choose(call, settings);
  explanation.algorithm = "native";
  explanation.reason = choice.reason;
  if (choice.algorithm == nullptr) return;
  const Schedule schedule = schedule_of(*choice.algorithm, call, choice.blocks);
  explanation.algorithm = choice.algorithm->name;
  explanation.blocks = schedule.problem.blocks;
  explanation.rounds = schedule.rounds;
  explanation.competes = mpi::competes(call, settings);
  explanation.native_on_links = paces_of_native(call, settings);
}

void add_bound(const mpi::Call& call, Explanation& explanation) {
  Problem problem = call.problem;
  problem.blocks = std::max<BlockIndex>(1, explanation.blocks);
  const Load load = mpi::load_of(call);
  explanation.least_rounds = lower_bound(problem).rounds;
  explanation.least_bytes = port_bytes_bound(load);
  explanation.least_seconds = least_seconds(load, explanation.network);
}

Explanation explanation_of(mpi::Call call, const Circumstances& circumstances) {
  const std::optional<Rank> hosts = circumstances.hosts;
  if (hosts && *hosts < 1) throw std::invalid_argument("there are no hosts; give 1 or more");
  mpi::Settings settings = settings_with(circumstances);
  if (circumstances.network) settings.profile.network = *circumstances.network;
  const Collective collective = call.problem.collective;
  Explanation explanation{};
  explanation.network = mpi::network_of(settings);
  explanation.has_measured_network = settings.profile.has_network();
  call.problem.hosts = hosts_of(call.problem.ranks, hosts, settings);
  explanation.ranks_share_hosts = call.problem.hosts != nullptr;
  explanation.lanes = call.problem.hosts == nullptr ? 1 : call.problem.hosts->lanes();
  for (const mpi::Candidate& each : mpi::candidates(call, settings)) {
    const Schedule schedule = schedule_of(*each.algorithm, call, each.blocks);
    explanation.candidates.push_back(
        {std::string(each.algorithm->name), schedule.problem.blocks, schedule.rounds, each.seconds});
  }
  if (const auto* const nearest =
          settings.profile.nearest(collective, std::max<std::int64_t>(1, call.bytes))) {
    explanation.measured = named(*nearest, collective);
  }
  add_choice(call, settings, explanation);
  add_bound(call, explanation);
  return explanation;
}

Explanation explain(const CollectiveOrName& asked, Rank ranks, std::int64_t bytes, bool in_order,
                    std::optional<Rank> hosts, std::optional<std::int64_t> largest_share_bytes,
                    const std::optional<std::string>& profile, const std::optional<Network>& network,
                    const std::optional<std::string>& blocks) {
  return explanation_of(asked_call(asked, ranks, bytes, in_order, largest_share_bytes),
                        {hosts, profile, network, blocks});
}

Explanation explain_between(const CollectiveOrName& asked, Rank senders, Rank receivers, std::int64_t bytes,
                            bool is_duplex, bool in_order, std::optional<Rank> hosts,
                            const std::optional<std::string>& profile) {
  return explanation_of(asked_call_between(asked, senders, receivers, bytes, is_duplex, in_order),
                        {hosts, profile, {}});
}

/// Why such a call is native, whatever the network; empty: it is not.
std::string reason_of_everybody(Rank ranks, std::int64_t port_bytes, const Hosts* hosts,
                                const mpi::Settings& settings) {
  for (const char* const reason :
       {mpi::reason_for_native_all_to_many(ranks, port_bytes, settings),
        mpi::reason_of_hosts(hosts, settings), mpi::reason_of_messages(port_bytes, ranks - 1, settings)}) {
    if (reason != nullptr) return reason;
  }
  return {};
}

/// What the pairwise exchange takes: links carry its bytes one after the other, and each round begins.
Predicted everybody_predicted(Rank ranks, const std::shared_ptr<const Hosts>& hosts, double port_bytes,
                              const Network& network) {
  const Round rounds = hosts == nullptr ? ranks - 1 : EverybodyOnHosts(hosts).rounds();
  return {"exact", ranks - 1, rounds,
          static_cast<double>(rounds) * network.latency_s + port_bytes * network.seconds_per_byte};
}

Explanation explain_everybody(Rank ranks, std::int64_t bytes, std::optional<Rank> hosts,
                              const std::optional<Network>& network) {
  require_valid({Collective::broadcast, ranks});
  mpi::Settings settings = settings_with({hosts, {}});
  if (network) settings.profile.network = *network;
  const std::shared_ptr<const Hosts> placed = hosts_of(ranks, hosts, settings);
  const auto port_bytes = static_cast<double>(mpi::port_bytes_of_everybody(ranks, placed, bytes));
  Explanation explanation{};
  explanation.network = mpi::network_of(settings);
  explanation.has_measured_network = settings.profile.has_network();
  explanation.ranks_share_hosts = placed != nullptr;
  explanation.lanes = placed == nullptr ? 1 : placed->lanes();
  explanation.least_rounds = ranks - 1;
  explanation.algorithm = "native";
  explanation.reason = reason_of_everybody(ranks, (ranks - 1) * bytes, placed.get(), settings);
  if (are_on_one(placed.get())) return explanation;
  explanation.least_bytes = port_bytes;
  explanation.least_seconds = port_bytes * explanation.network.seconds_per_byte;
  const Predicted& exact = explanation.candidates.emplace_back(
      everybody_predicted(ranks, placed, port_bytes, explanation.network));
  if (!explanation.reason.empty()) return explanation;
  explanation.algorithm = exact.algorithm;
  explanation.blocks = exact.blocks;
  explanation.rounds = exact.rounds;
  return explanation;
}

void bind_explanation(nb::module_& module) {
  Data<Predicted>(module, "Predicted", "A schedule that could serve a call, and its predicted seconds.")
      .field("algorithm", &Predicted::algorithm)
      .field("blocks", &Predicted::blocks)
      .field("rounds", &Predicted::rounds)
      .field("seconds", &Predicted::seconds);
  Data<Explanation>(module, "Explanation", "What serves a call, and what that was chosen from.")
      .field("candidates", &Explanation::candidates)
      .field("algorithm", &Explanation::algorithm, "'native' for the MPI library's own collective.")
      .field("blocks", &Explanation::blocks, "0 if it is native.")
      .field("rounds", &Explanation::rounds, "0 if it is native.")
      .field("reason", &Explanation::reason, "Why it is native; empty if it is not.")
      .field("least_rounds", &Explanation::least_rounds, "The bound, in that many blocks.")
      .field("least_bytes", &Explanation::least_bytes, "The bytes that must pass the busiest port.")
      .field("least_seconds", &Explanation::least_seconds, "On the network, in however many blocks.")
      .field("network", &Explanation::network, "What predictions are made for.")
      .field("has_measured_network", &Explanation::has_measured_network)
      .field("ranks_share_hosts", &Explanation::ranks_share_hosts)
      .field("lanes", &Explanation::lanes, "Links of each host that its ranks fill.")
      .field("competes", &Explanation::competes, "Does a job try the native collective beside it?")
      .field("native_on_links", &Explanation::native_on_links,
             "Where a job finds links to be of such a pace, it is the native collective.")
      .field("measured", &Explanation::measured, "The profile's nearest size; None: it has none.");
}

}  // namespace

void bind_choose(nb::module_& module) {
  bind_explanation(module);
  module.def(
      "explain", &explain, "collective"_a, "ranks"_a, "bytes"_a, nb::kw_only(), "in_order"_a = false,
      "hosts"_a = nb::none(), "largest_share_bytes"_a = nb::none(), "profile"_a = nb::none(),
      "network"_a = nb::none(), "blocks"_a = nb::none(),
      R"(What an MPI job would choose for this call: by the same code and the same environment (ROTA_...).

`collective`, or its name. `bytes`: of all ranks together in allgather and reduce_scatter; reductions' items
are taken for doubles. `hosts` below `ranks`: ranks share hosts; without it, if they do in the profile. `profile`: a file
in place of ROTA_PROFILE's. `network`: for predictions in place of the profile's. `blocks`: "paper" or "paper:F=70,G=40" for
the circulant schedules' blocks by the rules of paper 1. Raises ValueError with one line on what is wrong, in the
environment and the profile too.)");
  module.def(
      "explain_everybody", &explain_everybody, "ranks"_a, "bytes"_a, nb::kw_only(), "hosts"_a = nb::none(),
      "network"_a = nb::none(),
      R"(What an MPI job would choose for an MPI_Alltoall in which every rank has `bytes` for each other one.

Its blocks are the messages of a rank. `hosts` and `network` as in `explain`, which raises the same.)");
  module.def("explain_between", &explain_between, "collective"_a, nb::kw_only(), "senders"_a, "receivers"_a,
             "bytes"_a, "duplex"_a = false, "in_order"_a = false, "hosts"_a = nb::none(),
             "profile"_a = nb::none(),
             R"(What an MPI job would choose for this call on an inter-communicator, as `explain` does.

`collective`: bcast, reduce, allgather or allreduce. A root of a bcast is one of the senders, of a reduce one of the
receivers. `bytes`: of each sender in an allgather, with `duplex` of each receiver too. Raises ValueError as `explain` does.)");
}

}  // namespace rota
