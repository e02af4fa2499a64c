// The simulator, and what it is asked with, as Python objects.
#include "rota/model/simulate.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings.hpp"
#include "costs.hpp"
#include "data.hpp"
#include "named.hpp"
#include "rota/generators/all_to_many/everybody_on_hosts.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/cost.hpp"
#include "rota/model/in_flight.hpp"
#include "rota/model/simulate_on_hosts.hpp"
#include "rota/model/simulate_rotation.hpp"
#include "rota/schedule/hosts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using Seconds = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
using BytesOrShares = std::optional<std::variant<std::int64_t, std::vector<std::int64_t>>>;
using OnRoundInPython = std::function<void(Round)>;

Network network_of(double latency_s, double seconds_per_byte, double seconds_per_combined_byte) {
  require_costs("a network's", {latency_s, seconds_per_byte, seconds_per_combined_byte});
  return {latency_s, seconds_per_byte, seconds_per_combined_byte};
}

BlockBytes cuts(const Problem& problem, const BytesOrShares& bytes) {
  const bool says_bytes = problem.parcels != nullptr || !problem.shares.empty();
  if (bytes.has_value() == says_bytes) {
    const char* const said = problem.parcels ? "the pattern says how many bytes there are: leave them out"
                                             : "the shares say how many bytes there are: leave them out";
    throw std::invalid_argument(bytes ? said
                                      : "the schedule does not say how many bytes there are: give them");
  }
  if (!bytes) return problem.parcels ? parcel_bytes(problem) : inter_share_bytes(problem);
  if (const auto* const all = std::get_if<std::int64_t>(&*bytes)) return equal_cuts(problem, *all);
  return cuts_of_shares(problem, std::get<std::vector<std::int64_t>>(*bytes));
}

/// Lets Python in between rounds, so that it can show progress and be interrupted; not so often that it
/// shows.
OnRound attended(const Schedule& schedule, const std::optional<OnRoundInPython>& on_round) {
  constexpr std::int64_t steps_alone = std::int64_t{1} << 14;
  return [&schedule, &on_round, steps = std::int64_t{0}](Round done) mutable {
    steps += schedule.problem.ranks;
    if (steps < steps_alone && done < schedule.rounds) return;
    steps = 0;
    const nb::gil_scoped_acquire python;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (on_round) (*on_round)(done);
  };
}

Simulation simulated(const Schedule& schedule, const Network& network, const BytesOrShares& bytes,
                     const std::optional<OnRoundInPython>& on_round) {
  const nb::gil_scoped_release others;
  const BlockBytes cut = cuts(schedule.problem, bytes);
  const bool is_plain = way_to_simulate(schedule, cut).basis == Basis::every_rank;
  return (is_plain ? simulate : simulate_rotation)(schedule, network, cut, attended(schedule, on_round));
}

double steps_to_simulate(const Schedule& schedule, const BytesOrShares& bytes) {
  return way_to_simulate(schedule, cuts(schedule.problem, bytes)).steps;
}

constexpr std::array basis_names{"every_rank", "rotation", "one_for_all", "one_host_for_all"};

std::string name_of(Basis basis) { return basis_names[static_cast<std::size_t>(basis)]; }

Basis basis_called(std::string_view name) {
  const auto* const found = std::ranges::find(basis_names, name);
  if (found == basis_names.end()) throw std::invalid_argument("no basis of a simulation");
  return static_cast<Basis>(found - basis_names.begin());
}

HostNetwork host_network(const Network& links, double within_latency_s, double within_seconds_per_byte) {
  require_costs("the memory's", {within_latency_s, within_seconds_per_byte});
  return {links, within_latency_s, within_seconds_per_byte};
}

Simulation simulated_on_hosts(const Schedule& schedule, const Network& links, double within_latency_s,
                              double within_seconds_per_byte, const BytesOrShares& bytes,
                              const std::optional<OnRoundInPython>& on_round) {
  const HostNetwork network = host_network(links, within_latency_s, within_seconds_per_byte);
  const nb::gil_scoped_release others;
  return simulate_on_hosts(schedule, network, cuts(schedule.problem, bytes), attended(schedule, on_round));
}

Simulation everybody_simulated(Rank hosts, Rank per_host, const Network& links, double within_latency_s,
                               double within_seconds_per_byte, std::int64_t bytes, Rank links_each,
                               const std::optional<OnRoundInPython>& on_round) {
  const HostNetwork network = host_network(links, within_latency_s, within_seconds_per_byte);
  const nb::gil_scoped_release others;
  const auto everybody = std::make_shared<const EverybodyOnHosts>(
      std::make_shared<const Hosts>(with_links(hosts_in_a_row(hosts * per_host, hosts), links_each)));
  const Schedule schedule = everybody_to_everybody(everybody);
  return simulate_on_hosts(schedule, network, [bytes](Block) { return bytes; }, attended(schedule, on_round));
}

InFlightSimulation simulated_in_flight(const Schedule& schedule, const Machines& machines,
                                       const BytesOrShares& bytes, Round in_flight,
                                       const std::optional<OnRoundInPython>& on_round) {
  const nb::gil_scoped_release others;
  return simulate_in_flight(schedule, in_flight, machines, cuts(schedule.problem, bytes),
                            attended(schedule, on_round));
}

/// The blocks that there really are if `bytes` are cut into `wanted` equal ones and a shorter last one.
BlockIndex blocks_cut(std::int64_t bytes, BlockIndex wanted) {
  if (bytes <= 0) return 1;
  const std::int64_t block_bytes = (bytes + wanted - 1) / wanted;
  return (bytes + block_bytes - 1) / block_bytes;
}

std::vector<Candidate> candidates(const CollectiveOrName& asked, const Network& network, std::int64_t bytes,
                                  Rank ranks, bool in_order, const std::optional<std::string>& blocks,
                                  const std::vector<Rank>& hosts, Rank links) {
  const Collective collective = one_of(within_a_group, asked);
  Problem problem{collective, ranks, 0, 1, {}, in_order};
  problem.hosts = hosts_of(hosts, links);
  require_valid(problem);
  const Load load = load_of(problem, bytes);
  const auto share_bytes = static_cast<std::int64_t>(load.largest_share_bytes);
  std::optional<PaperConstants> rule;
  if (blocks) rule = paper_constants_of(*blocks);
  std::vector<Candidate> found;
  for (const Algorithm& algorithm : algorithms()) {
    if (!suits(algorithm, problem)) continue;
    const Pipeline pipeline = algorithm.pipeline(load);
    const BlockIndex wanted =
        rule && algorithm.paper_blocks != nullptr
            ? std::min(algorithm.paper_blocks(load, *rule), std::max<BlockIndex>(1, share_bytes))
            : best_blocks(pipeline, network, share_bytes);
    const BlockIndex blocks_made = blocks_cut(share_bytes, wanted);
    found.push_back(
        {std::string(algorithm.name), blocks_made, predicted_seconds(pipeline, network, blocks_made)});
  }
  return found;
}

double least_seconds_of(const CollectiveOrName& asked, const Network& network, std::int64_t bytes, Rank ranks,
                        const std::vector<Rank>& hosts, Rank links) {
  Problem problem{one_of(within_a_group, asked), ranks};
  problem.hosts = hosts_of(hosts, links);
  require_valid(problem);
  return least_seconds(load_of(problem, bytes), network);
}

/// What all simulations say, as a class of Python's.
template <class S, class... Bases>
Data<S, Bases...> simulation(nb::module_& module, const char* name, const char* doc) {
  double S::* const seconds = &S::seconds;
  std::int64_t S::* const port_bytes = &S::port_bytes;
  Data<S, Bases...> data(module, name, doc);
  data.field("seconds", seconds, "Until the last rank is done.")
      .field("port_bytes", port_bytes, "Through the busiest port: the most that one rank sends, or receives.")
      .value(
          "finish_s", [](const S& self) { return self.finish_s; },
          [](S& self, std::vector<double> finish_s) { self.finish_s = std::move(finish_s); })
      .itself()
      .def_prop_ro(
          "finish_s",
          [](nb::handle_t<S> self) {
            const std::vector<double>& finish_s = nb::cast<const S&>(self).finish_s;
            return Seconds(finish_s.data(), {finish_s.size()}, self);
          },
          "By rank: when it is done. float64, shape (p,).");
  return data;
}

void bind_words(nb::module_& module) {
  Data<Network>(module, "Network",
                "The linear cost model: a message of m bytes takes latency_s + m seconds_per_byte, to\n"
                "combine m bytes takes m seconds_per_combined_byte.")
      .field("latency_s", &Network::latency_s)
      .field("seconds_per_byte", &Network::seconds_per_byte)
      .field("seconds_per_combined_byte", &Network::seconds_per_combined_byte)
      .itself()
      .def(
          "__init__",
          [](Network* self, double latency_s, double seconds_per_byte, double seconds_per_combined_byte) {
            new (self) Network(network_of(latency_s, seconds_per_byte, seconds_per_combined_byte));
          },
          "latency_s"_a, "seconds_per_byte"_a, "seconds_per_combined_byte"_a = 0.0,
          "Raises ValueError for a cost below 0 or without bound.");
  simulation<Simulation>(module, "Simulation", "What a schedule took.")
      .field(
          "basis", [](const Simulation& self) { return name_of(self.basis); },
          [](Simulation& self, const std::string& name) { self.basis = basis_called(name); },
          "Whose steps were asked for: 'every_rank'; 'rotation': rank 0's, which by symmetry say all "
          "others';\n"
          "'one_for_all': rank 0's, and its play is everybody's.");
  simulation<InFlightSimulation, Simulation>(module, "InFlightSimulation",
                                             "What a schedule took with so many rounds in flight.")
      .field(
          "drift", &InFlightSimulation::drift,
          "The most rounds that one rank was ahead of another when they shared a message; at most those in "
          "flight.")
      .field("unasked", &InFlightSimulation::unasked,
             "The most messages from one rank at another that had not asked for them; at most the rounds in "
             "flight.");
  Data<Transfer>(module, "Transfer", "A message on its way, from when both its ranks have reached the round.")
      .field("round", &Transfer::round)
      .field("sender", &Transfer::from)
      .field("receiver", &Transfer::to)
      .field("bytes", &Transfer::bytes)
      .field("start_s", &Transfer::start_s)
      .field("end_s", &Transfer::end_s, "When it is there.");
  Data<Candidate>(module, "Candidate",
                  "An algorithm that solves a problem, and the number of blocks that suits it.")
      .field("algorithm", &Candidate::algorithm)
      .field("blocks", &Candidate::blocks)
      .field("seconds", &Candidate::seconds, "As the cost model predicts.");
}

}  // namespace

void bind_simulate(nb::module_& module) {
  bind_words(module);
  module.def("simulate", &simulated, "schedule"_a, "network"_a, "bytes"_a = nb::none(), nb::kw_only(),
             "on_round"_a = nb::none(),
             R"(Play a correct `schedule` on `network`: one-ported, full-duplex, each rank at its own pace.

`bytes`: of the data of broadcast, reduce, scan and exscan (of each rank's), or of all owners' together, in even shares; or
a list with the bytes of each owner's share; none for all-to-many and inter_allgather, which say it. `on_round` is called now and then with the number of rounds done; what it
raises ends the simulation. Asks every rank for every round, without the GIL, on all cores if there are many ranks: O(p rounds).
Where all ranks do the same, each so many ranks further on, rank 0 alone is asked, with the same outcome to the bit.

Raises ValueError for bytes below 0, shares that are not one for each owner, and messages to what is no rank.)");
  module.def(
      "transfers",
      [](const Schedule& schedule, const Network& network, const BytesOrShares& bytes) {
        return transfers(schedule, network, cuts(schedule.problem, bytes));
      },
      "schedule"_a, "network"_a, "bytes"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
      "All messages of what `simulate` plays, each with its times, in the order of rounds and senders.\n\n"
      "Takes and raises what `simulate` does; memory O(messages).");
  module.def(
      "require_paper_blocks", [](std::string_view text) { paper_constants_of(text); }, "text"_a,
      "Raises ValueError unless `text` is 'paper' or 'paper:F=70,G=40'.");
  module.def("steps_to_simulate", &steps_to_simulate, "schedule"_a, "bytes"_a = nb::none(),
             "About how many steps of a rank, or blocks of a message, simulate looks at for this.");
  module.def(
      "simulate_in_flight", &simulated_in_flight, "schedule"_a, "machines"_a, "bytes"_a = nb::none(),
      nb::kw_only(), "in_flight"_a, "on_round"_a = nb::none(),
      R"(Play a correct `schedule` on `machines` as Rota's executor does, with `in_flight` rounds in flight.

A rank begins a round when its messages of the round `in_flight` before have left and arrived; a send is over when its receiver has
begun the round. Of two ranks that share a message neither is ever more than `in_flight` rounds ahead: `drift` says how many
it was. `bytes` and `on_round` as for simulate, in rounds' worth of steps. O(p rounds (in_flight + log(p in_flight))), without the GIL.

Raises ValueError for in_flight < 1, and as simulate does.)");
  module.def(
      "candidates", &candidates, "collective"_a, "network"_a, "bytes"_a, nb::kw_only(), "ranks"_a,
      "in_order"_a = false, "blocks"_a = nb::none(), "hosts"_a = std::vector<Rank>{}, "links"_a = 1,
      R"(The algorithms for a collective over `ranks` ranks, each with the number of blocks that makes it fastest.

`bytes` as for simulate. `in_order`: only those that combine in the order of ranks. `blocks`: "paper" or
"paper:F=70,G=40" for the circulant schedules' blocks by the rules of paper 1. `hosts`: of each rank the number of
its host, of `links` links: only algorithms that mind these. All other numbers are those of the linear cost
model in closed form. Raises ValueError unless ranks >= 1.)");
  module.def("least_seconds", &least_seconds_of, "collective"_a, "network"_a, "bytes"_a, nb::kw_only(),
             "ranks"_a, "hosts"_a = std::vector<Rank>{}, "links"_a = 1,
             R"(No one-ported, full-duplex schedule takes less, in however many blocks.

The larger of ceil(log2 p) latencies and what the bytes need to pass the busiest port, a rank's, or its host's where `hosts` says
which ranks share one; combining is not counted.)");
  module.def(
      "simulate_on_hosts", &simulated_on_hosts, "schedule"_a, "links"_a, "within_latency_s"_a,
      "within_seconds_per_byte"_a, "bytes"_a = nb::none(), nb::kw_only(), "on_round"_a = nb::none(),
      R"(Play a correct `schedule` of ranks that share hosts, and with them the `links`, each at its own pace.

A message between hosts takes the links' latency, and then its bytes on one link out of a host and one into the other, each of
which carries one at a time; one within a host takes within_latency_s and its bytes times within_seconds_per_byte. Where all
hosts do the same, each so many hosts further on, one host's ranks are asked for all. `bytes` and `on_round` as for simulate;
`port_bytes` are those of the busiest link. O(p rounds log p) steps.

Raises ValueError for a schedule without hosts, for costs below 0, and as simulate does.)");
  module.def(
      "simulate_everybody_on_hosts", &everybody_simulated, "hosts"_a, "per_host"_a, "links"_a,
      "within_latency_s"_a, "within_seconds_per_byte"_a, "bytes"_a, nb::kw_only(), "links_each"_a = 1,
      "on_round"_a = nb::none(),
      "The same of an exchange in which every rank has `bytes` for each other one, as Rota plays it; every "
      "host has `links_each`.\n\n"
      "Raises ValueError unless there are 2 hosts or more, with 1 rank and 1 link or more.");
}

}  // namespace rota
