// Schedules, their verification and their bounds as Python objects.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "named.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/bound.hpp"
#include "rota/proof/verify.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/step_list.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using NamePair = std::pair<std::string, std::string>;

std::vector<NamePair> call_names() {
  std::vector<NamePair> calls;
  for (const CollectiveNames& each : names_of_calls()) calls.emplace_back(each.own, each.call);
  return calls;
}

std::vector<NamePair> calls_served_as_others() {
  std::vector<NamePair> calls;
  for (const ServedAs& each : served_as_others()) calls.emplace_back(each.call, call_name(each.collective));
  return calls;
}

std::vector<Block> listed(const Blocks& blocks) { return {blocks.begin(), blocks.end()}; }

Blocks blocks_of(const std::vector<Block>& several) {
  return several.size() == 1 ? Blocks(several.front()) : Blocks(several);
}

/// Of each rank the number of its host.
std::vector<Rank> called(const Hosts& hosts) { return hosts.of_rank; }

std::string described(const Schedule& schedule) {
  const Problem& problem = schedule.problem;
  const auto counted = [](std::int64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  return "<Schedule of " + std::string(name(problem.collective)) + ": " + counted(problem.ranks, "rank") +
         ", " + counted(problem.blocks, "block") + ", " + counted(schedule.rounds, "round") + ">";
}

std::vector<std::string_view> names_of(const CollectiveOrName& asked) {
  return algorithm_names(one_of(of_either_kind, asked));
}

bool solves(const CollectiveOrName& asked, const std::string& algorithm, Rank ranks, Rank root, bool in_order,
            const std::vector<Rank>& hosts) {
  const Collective collective = one_of(within_a_group, asked);
  Problem problem{collective, ranks, root, 1, {}, in_order};
  problem.hosts = hosts_of(hosts);
  require_valid(problem);
  return algorithm_called(collective, algorithm).solves(problem);
}

Schedule schedule_of(const CollectiveOrName& asked, const std::string& algorithm, Rank ranks, Rank root,
                     BlockIndex blocks, const std::vector<Rank>& owners, bool in_order,
                     const std::vector<Rank>& hosts, Rank links) {
  const Collective collective = one_of(within_a_group, asked);
  const Algorithm& found = algorithm_called(collective, algorithm);
  Problem problem{collective, ranks, root, blocks, owners, in_order};
  problem.hosts = hosts_of(hosts, links);
  if (!found.solves(problem)) {
    refuse_problem(collective, algorithm,
                   in_order ? "does not keep the order of ranks here; choose another algorithm"
                            : "is for ranks that share hosts; say which do");
  }
  return found.schedule(problem);
}

Schedule schedule_of_placed(const CollectiveOrName& asked,
                            const std::vector<std::tuple<Rank, Round, Step>>& steps, Rank ranks, Rank root,
                            BlockIndex blocks, const std::vector<Rank>& owners, bool in_order,
                            const std::vector<Rank>& hosts, Rank links) {
  Problem problem{one_of(within_a_group, asked), ranks, root, blocks, owners, in_order};
  problem.hosts = hosts_of(hosts, links);
  std::vector<PlacedStep> placed;
  placed.reserve(steps.size());
  for (const auto& [rank, round, step] : steps) placed.push_back({rank, round, step});
  return schedule_of_steps(problem, std::move(placed));
}

void require_rank(const Schedule& schedule, Rank rank) {
  if (rank >= 0 && rank < schedule.problem.ranks) return;
  throw std::invalid_argument("rank " + std::to_string(rank) + " is none; ranks are 0.." +
                              std::to_string(schedule.problem.ranks - 1));
}

Step step_of(const Schedule& schedule, Rank rank, Round round) {
  require_rank(schedule, rank);
  if (round < 0 || round >= schedule.rounds) {
    throw std::invalid_argument("round " + std::to_string(round) + " is none; there are " +
                                std::to_string(schedule.rounds));
  }
  return schedule.of_rank(rank)(round);
}

std::vector<Step> steps_of(const Schedule& schedule, Rank rank) {
  require_rank(schedule, rank);
  const RankSchedule of_rank = schedule.of_rank(rank);
  std::vector<Step> steps;
  for (Round round = 0; round < schedule.rounds; ++round) steps.push_back(of_rank(round));
  return steps;
}

std::vector<Violation> verify_on(const Schedule& schedule,
                                 const std::optional<std::vector<std::pair<Rank, Rank>>>& links) {
  if (!links) return verify(schedule);
  return verify(schedule, [&](Rank from, Rank to) {
    return std::ranges::find(*links, std::pair(from, to)) != links->end();
  });
}

bool same_steps(const Schedule& left, const Schedule& right) {
  const nb::gil_scoped_release released;
  return &left == &right || do_the_same(left, right);
}

void bind_collectives(nb::module_& module) {
  nb::enum_<Collective>(module, "Collective", "What a schedule has to achieve.")
      .value("broadcast", Collective::broadcast, "The root's data goes to all ranks.")
      .value("reduce", Collective::reduce, "The parts of all ranks are combined on the root.")
      .value("allgather", Collective::allgather, "The data of every owner goes to all ranks.")
      .value("reduce_scatter", Collective::reduce_scatter,
             "The parts of all ranks are combined, each owner's data on that owner.")
      .value("allreduce", Collective::allreduce, "The parts of all ranks are combined on all ranks.")
      .value("scan", Collective::scan, "The parts of ranks 0..r are combined on rank r.")
      .value("exscan", Collective::exscan,
             "The parts of ranks 0..r - 1 are combined on rank r; rank 0 gets nothing.")
      .value("all_to_many", Collective::all_to_many,
             "Every rank gets what others have for it, as a pattern says.")
      .value("inter_allgather", Collective::inter_allgather,
             "Between two groups: the data of every rank goes to all ranks of the other group.")
      .value("inter_broadcast", Collective::inter_broadcast,
             "Between two groups: the root's data goes to all ranks of the other group.")
      .value("inter_reduce", Collective::inter_reduce,
             "Between two groups: the parts of all ranks of the other group are combined on the root.")
      .value(
          "inter_allreduce", Collective::inter_allreduce,
          "Between two groups: the parts of all ranks of each group are combined on all ranks of the other.")
      .value("series", Collective::series,
             "A plan's operation, done again and again: its messages go from where they begin to where they "
             "must get.");
  module.def("call_names", call_names,
             "Of all collectives their own names and those of MPI's calls: broadcast, bcast.");
  module.def(
      "served_as_others", calls_served_as_others,
      "The calls that another one's schedules serve, and which: reduce_scatter_block, reduce_scatter.");
}

void bind_steps(nb::module_& module) {
  nb::enum_<OnReceive>(module, "OnReceive", "What becomes of received blocks.")
      .value("store", OnReceive::store, "They take the place of the rank's own.")
      .value("combine_left", OnReceive::combine_left,
             "They are combined with the rank's own from the left: received op own.")
      .value("combine_right", OnReceive::combine_right,
             "They are combined with the rank's own from the right: own op received.");
  Data<Block>(module, "Block", "Block `index` of the data that belongs to rank `owner`.")
      .field("owner", &Block::owner)
      .field("index", &Block::index)
      .itself()
      .def(nb::init<Rank, BlockIndex>(), "owner"_a, "index"_a);
  Data<Message>(module, "Message",
                "Blocks on their way to or from `peer`; without blocks there is no message.")
      .field(
          "peer", [](const Message& message) { return message.blocks.empty() ? -1 : message.peer; },
          [](Message& message, Rank peer) { message.peer = peer; }, "-1 where there is no message.")
      .field(
          "blocks", [](const Message& message) { return listed(message.blocks); },
          [](Message& message, const std::vector<Block>& blocks) { message.blocks = blocks_of(blocks); })
      .itself()
      .def(
          "__init__",
          [](Message* self, Rank peer, std::vector<Block> blocks) {
            std::ranges::sort(blocks);
            new (self) Message{peer, blocks_of(blocks)};
          },
          "peer"_a, "blocks"_a);
  Data<Combination>(module, "Combination", "`into` becomes `source` op `into`; the rank holds both.")
      .field("source", &Combination::from)
      .field("into", &Combination::into)
      .itself()
      .def(
          "__init__",
          [](Combination* self, Block source, Block into) { new (self) Combination{source, into}; },
          "source"_a, "into"_a);
  Data<Step>(module, "Step", "What one rank does in one round.")
      .field("send", &Step::send)
      .field("receive", &Step::receive)
      .field(
          "on_receive",
          [](const Step& step) { return step.receive.blocks.empty() ? OnReceive::store : step.on_receive; },
          [](Step& step, OnReceive on_receive) { step.on_receive = on_receive; },
          "store where nothing is received.")
      .field("combinations", &Step::combinations)
      .itself()
      .def(
          "__init__",
          [](Step* self, const Message& send, const Message& receive, OnReceive on_receive,
             const std::vector<Combination>& combinations) {
            new (self) Step{send, receive, on_receive, combinations};
          },
          nb::kw_only(), "send"_a = Message{}, "receive"_a = Message{}, "on_receive"_a = OnReceive::store,
          "combinations"_a = std::vector<Combination>{});
}

void bind_problem(nb::module_& module) {
  Data<Problem>(module, "Problem", "What a schedule has to achieve.")
      .field("collective", &Problem::collective)
      .field("ranks", &Problem::ranks)
      .field("root", &Problem::root)
      .field("blocks", &Problem::blocks)
      .field("owners", &Problem::owners)
      .field("in_order", &Problem::in_order)
      .field("first_group", &Problem::first_group, "Ranks of the first group; 0 where there are no two.")
      .field("shares", &Problem::shares, "By rank: the bytes that it has for the other group.")
      .field(
          "hosts",
          [](const Problem& problem) { return problem.hosts ? called(*problem.hosts) : std::vector<Rank>{}; },
          [](Problem& problem, const std::vector<Rank>& hosts) { problem.hosts = hosts_of(hosts); },
          "By rank: the number of its host; empty where each has one to itself.")
      .field(
          "links", [](const Problem& problem) { return problem.hosts ? problem.hosts->links : 1; },
          [](Problem& problem, Rank links) {
            problem.hosts = hosts_of(problem.hosts ? called(*problem.hosts) : std::vector<Rank>{}, links);
          },
          "Of each host.")
      .hidden(&Problem::parcels)
      .hidden(&Problem::series);
  Data<Effort>(module, "Effort", "Rounds, and blocks through the busiest port.")
      .field("rounds", &Effort::rounds)
      .field("port_blocks", &Effort::port_blocks);
  Data<Violation>(module, "Violation",
                  "One fault of a schedule; `round` is its number of rounds if the end is at fault.")
      .field("round", &Violation::round)
      .field("rank", &Violation::rank)
      .field("block", &Violation::block)
      .field("fault", &Violation::fault);
}

}  // namespace

void bind_schedule(nb::module_& module) {
  bind_collectives(module);
  bind_steps(module);
  bind_problem(module);
  nb::class_<Schedule> schedule_class(
      module, "Schedule",
      "For every rank and round, what is sent and received; asked, never stored. Equal "
      "are those in\nwhich all ranks do the same, whoever made them: that takes all "
      "steps of all ranks.");
  compare_by(schedule_class, same_steps,
             [](const Schedule& schedule) { return nb::make_tuple(schedule.problem, schedule.rounds); });
  schedule_class.def_ro("problem", &Schedule::problem)
      .def_ro("rounds", &Schedule::rounds)
      .def("step", step_of, "rank"_a, "round"_a,
           "What `rank` does in `round`. Set-up of the rank, O(log p), then O(1) a block.\n\n"
           "Raises ValueError for a rank or round that is none.")
      .def("steps", steps_of, "rank"_a, nb::call_guard<nb::gil_scoped_release>(),
           "What `rank` does in every round, set up once. Raises ValueError for a rank that is none.")
      .def(
          "lower_bound", [](const Schedule& schedule) { return lower_bound(schedule.problem); },
          "The least effort of any one-ported, full-duplex schedule for the same problem. Rounds: of those "
          "in which a message\ncarries at most one block of each owner; of one block, and in an "
          "inter_allgather, whatever messages carry.")
      .def("effort", &effort, nb::call_guard<nb::gil_scoped_release>(),
           "What this schedule takes; asks all ranks for all rounds, O(p rounds).")
      .def("reversed", &reversed,
           "Played backwards: a broadcast becomes a reduction, an allgather a reduce-scatter (paper 1, "
           "Observation 1).\n\nRaises ValueError for another collective.")
      .def("__repr__", described)
      .def(
          "_repr_svg_",
          [](nb::handle_t<Schedule> schedule) {
            return nb::module_::import_("rota.notebook").attr("schedule_svg")(schedule);
          },
          nb::sig("def _repr_svg_(self) -> str | None"),
          "The picture that notebooks show; None where it could not be read, or there is nothing to draw.");
  module.def("algorithms", names_of, "collective"_a,
             "The names of the algorithms for a collective.\n\nRaises ValueError for one that has none.");
  module.def(
      "solves", solves, "collective"_a, "algorithm"_a, nb::kw_only(), "ranks"_a, "root"_a = 0,
      "in_order"_a = false, "hosts"_a = std::vector<Rank>{},
      "Does `algorithm` solve the problem, keeping the order of ranks if it must? If not, schedule raises "
      "ValueError.\n\nRaises ValueError for an unknown collective or algorithm, or a problem that is none.");
  module.def(
      "schedule", schedule_of, "collective"_a, "algorithm"_a, nb::kw_only(), "ranks"_a, "root"_a = 0,
      "blocks"_a = 1, "owners"_a = std::vector<Rank>{}, "in_order"_a = false, "hosts"_a = std::vector<Rank>{},
      "links"_a = 1,
      "The schedule of `algorithm` for `collective` (or its name, also MPI's: \"bcast\") over `ranks` ranks "
      "from or to `root`,\nin `blocks` blocks.\n"
      "`owners`: whose data is not empty, in allgather and reduce_scatter; all ranks' if none is "
      "named. `in_order`: "
      "must\ncontributions be combined in the order of ranks? `hosts`: of each rank the number of its host; "
      "each has "
      "one to itself\nif none is named. `links`: of each host, over which as many of its ranks share its "
      "traffic.\n\n"
      "Raises ValueError for an unknown collective or algorithm, one that does not keep the order asked for "
      "or needs "
      "hosts that ranks share, ranks < 1, a root "
      "that is\nno rank, blocks < 1, owners that are no ranks in increasing order.");
  module.def(
      "schedule_of_steps", schedule_of_placed, "collective"_a, "steps"_a, nb::kw_only(), "ranks"_a,
      "root"_a = 0, "blocks"_a = 1, "owners"_a = std::vector<Rank>{}, "in_order"_a = false,
      "hosts"_a = std::vector<Rank>{}, "links"_a = 1,
      "The schedule of these steps, each a (rank, round, Step), in as many rounds as the last one needs; in "
      "other rounds\nranks do nothing. Whether it achieves anything, verify says. The problem is described "
      "as for schedule; `owners`\nof an allreduce: the ranks into whose parts its data is cut.\n\n"
      "Raises ValueError for a problem that is none, a step of what is no rank or round, and two steps of "
      "one rank in one\nround.");
  module.def("verify", verify_on, "schedule"_a, "links"_a = nb::none(),
             nb::call_guard<nb::gil_scoped_release>(),
             "All violations of `schedule`; an empty list: it is correct. `links`: the (from, to) pairs of "
             "ranks that may\n"
             "send to each other; all if not given. Propagates the data round by round: memory O(blocks of "
             "all ranks).");
}

}  // namespace rota
