// What the MPI layer would choose for a call, and why, as Python objects: by the code that chooses there.
#include "rota_mpi/decide/choose.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "named.hpp"
#include "rota/model/simulate.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/cell.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

/// Of both groups: their messages are worked out for all ranks together.
constexpr Rank most_ranks_between = 1 << 12;

constexpr std::array served_between{Collective::broadcast, Collective::reduce, Collective::allgather,
                                    Collective::allreduce};

/// What the model's floating-point numbers count exactly.
constexpr std::int64_t most_bytes = std::int64_t{1} << 53;

/// A schedule that could serve a call.
struct Predicted {
  std::string algorithm;
  BlockIndex blocks;
  Round rounds;
  double seconds;
};

/// A measurement with its names in place of positions.
struct Measured {
  std::string collective;
  std::int64_t bytes;
  double native_s;
  double rota_s;
  std::string algorithm;
  double message_bytes;
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

struct ReadProfile {
  Rank ranks;
  Rank hosts;
  Network network;
  std::vector<Measured> measured;
};

/// A call as it is asked about.
struct Question {
  Collective collective;
  Rank ranks;
  std::int64_t bytes;
  bool in_order;
  std::optional<std::int64_t> largest_share_bytes;
};

/// The same of a call between two groups. Senders have so many bytes each in an allgather, all in other
/// calls; receivers too where it is duplex.
struct QuestionBetween {
  Collective collective;
  Rank senders;
  Rank receivers;
  std::int64_t bytes;
  bool is_duplex;
  bool in_order;
};

/// On how many hosts a call is made, with which profile and rule for blocks in place of ROTA_PROFILE's and
/// ROTA_BLOCK_BYTES', and on which network in place of the profile's.
struct Circumstances {
  std::optional<Rank> hosts;
  std::optional<std::string> profile;
  std::optional<Network> network{};     // NOLINT(readability-redundant-member-init)
  std::optional<std::string> blocks{};  // NOLINT(readability-redundant-member-init)
};

bool has_shares(Collective collective) {
  return collective == Collective::allgather || collective == Collective::reduce_scatter;
}

/// What can be cut apart: bytes of data that is only moved, else items, which are taken for doubles.
std::int64_t item_bytes(Collective collective) {
  const bool is_moved = collective == Collective::broadcast || collective == Collective::allgather ||
                        collective == Collective::inter_broadcast;
  return is_moved ? 1 : 8;
}

void require_share(const Question& question) {
  if (!question.largest_share_bytes) return;
  if (!has_shares(question.collective)) {
    throw std::invalid_argument("only allgather and reduce_scatter have shares: leave out the largest one");
  }
  const std::int64_t even = (question.bytes + question.ranks - 1) / question.ranks;
  const std::int64_t largest = *question.largest_share_bytes;
  if (largest < even || largest > question.bytes) {
    throw std::invalid_argument("the largest share is " + std::to_string(largest) + " bytes; give " +
                                std::to_string(even) + " (all alike) to " + std::to_string(question.bytes));
  }
}

/// Rank 0 has the largest share, what is left is cut evenly among the others; those without data own nothing.
void add_shares(const Question& question, mpi::Call& call) {
  const std::int64_t even = (question.bytes + question.ranks - 1) / question.ranks;
  call.largest_share_bytes = question.largest_share_bytes.value_or(even);
  const std::int64_t rest = question.bytes - call.largest_share_bytes;
  call.smallest_share_bytes =
      question.ranks == 1 ? rest + call.largest_share_bytes : rest / (question.ranks - 1);
  if (call.smallest_share_bytes > 0 || question.bytes == 0) return;
  call.problem.owners.resize(static_cast<std::size_t>(rest) + 1);
  std::iota(call.problem.owners.begin(), call.problem.owners.end(), 0);
}

mpi::Call call_of(const Question& question) {
  mpi::Call call;
  call.problem = {question.collective, question.ranks};
  call.problem.in_order = question.in_order;
  call.bytes = question.bytes;
  if (has_shares(question.collective)) add_shares(question, call);
  const std::int64_t cut_bytes = has_shares(question.collective) ? call.largest_share_bytes : call.bytes;
  call.most_blocks = std::max<std::int64_t>(1, cut_bytes / item_bytes(question.collective));
  return call;
}

/// How many ranks of each group take part: of that with the root, it alone.
std::array<Rank, 2> sizes_of(const QuestionBetween& question) {
  switch (question.collective) {
    case Collective::inter_broadcast:
      return {1, question.receivers};
    case Collective::inter_reduce:
      return {1, question.senders};
    default:
      return {question.senders, question.receivers};
  }
}

mpi::Call call_of(const QuestionBetween& question) {
  const auto [first, second] = sizes_of(question);
  if (question.collective == Collective::inter_allgather) {
    const std::int64_t back = question.is_duplex ? question.bytes : 0;
    return mpi::inter_allgather_call(inter_allgather_problem({first, second}, {question.bytes, back}, 1));
  }
  mpi::Call call;
  call.problem = {question.collective, first + second};
  call.problem.first_group = first;
  call.problem.in_order = question.in_order;
  call.bytes = question.bytes;
  call.most_blocks = std::max<std::int64_t>(1, call.bytes / item_bytes(question.collective));
  require_valid(call.problem);
  return call;
}

Schedule schedule_of(const Algorithm& algorithm, const mpi::Call& call, BlockIndex blocks) {
  Problem problem = call.problem;
  problem.blocks = blocks;
  return algorithm.schedule(problem);
}

Measured named(const mpi::Measurement& each, Collective collective) {
  const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(each.algorithm)];
  return {mpi::call_name(collective),  each.bytes,        each.native_s, each.rota_s,
          std::string(algorithm.name), each.message_bytes};
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
    const mpi::Choice choice = mpi::choose(call, settings, {.pace = pace, .round_times = {}});
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

/// What a call of that kind is between two groups.
Collective between(const CollectiveOrName& asked) {
  switch (one_of(served_between, asked)) {
    case Collective::broadcast:
      return Collective::inter_broadcast;
    case Collective::reduce:
      return Collective::inter_reduce;
    case Collective::allgather:
      return Collective::inter_allgather;
    default:
      return Collective::inter_allreduce;
  }
}

void require_bytes(std::int64_t bytes) {
  if (bytes < 0)
    throw std::invalid_argument("the data has " + std::to_string(bytes) + " bytes; give 0 or more");
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
  const Question question{one_of(within_a_group, asked), ranks, bytes, in_order, largest_share_bytes};
  require_valid({question.collective, ranks});
  require_bytes(bytes);
  require_share(question);
  return explanation_of(call_of(question), {hosts, profile, network, blocks});
}

Explanation explain_between(const CollectiveOrName& asked, Rank senders, Rank receivers, std::int64_t bytes,
                            bool is_duplex, bool in_order, std::optional<Rank> hosts,
                            const std::optional<std::string>& profile) {
  require_bytes(bytes);
  if (std::min(senders, receivers) < 1)
    throw std::invalid_argument("an empty group; give each at least 1 rank");
  const Rank more = std::max(senders, receivers);
  if (more > most_ranks_between / 2)
    throw std::invalid_argument(std::to_string(more) + " ranks in a group; give " +
                                std::to_string(most_ranks_between / 2) + " at most");
  if (bytes > most_bytes / more)
    throw std::invalid_argument("a group with " + std::to_string(more) + " times " + std::to_string(bytes) +
                                " bytes; give less than 2^53 in all");
  const QuestionBetween question{between(asked), senders, receivers, bytes, is_duplex, in_order};
  return explanation_of(call_of(question), {hosts, profile, {}});
}

ReadProfile read_profile(const std::string& path) {
  const mpi::Profile profile = mpi::profile_in(path);
  ReadProfile result{profile.ranks, profile.hosts, profile.network, {}};
  for (std::size_t i = 0; i < collective_count; ++i) {
    for (const mpi::Measurement& each : profile.measured[i]) {
      if (each.bytes > 0) result.measured.push_back(named(each, static_cast<Collective>(i)));
    }
  }
  return result;
}

void bind_parts(nb::module_& module) {
  module.def(
      "pace_of",
      [](std::int64_t bytes, const std::vector<double>& seconds) {
        if (seconds.empty()) throw std::invalid_argument("no messages; give the seconds of one or more");
        return std::string(mpi::name_of(mpi::pace_of(bytes, seconds)));
      },
      "bytes"_a, "seconds"_a, "'slow' or 'fast': links that carried such messages, each in its time.");
  Data<Predicted>(module, "Predicted", "A schedule that could serve a call, and its predicted seconds.")
      .field("algorithm", &Predicted::algorithm)
      .field("blocks", &Predicted::blocks)
      .field("rounds", &Predicted::rounds)
      .field("seconds", &Predicted::seconds);
  Data<Measured>(module, "Measured",
                 "The native collective and the best schedule on data of one size; times in seconds.")
      .field("collective", &Measured::collective)
      .field("bytes", &Measured::bytes)
      .field("native_s", &Measured::native_s)
      .field("rota_s", &Measured::rota_s)
      .field("algorithm", &Measured::algorithm)
      .field("message_bytes", &Measured::message_bytes);
  Data<ReadProfile>(module, "Profile", "What was measured of a platform.")
      .field("ranks", &ReadProfile::ranks)
      .field("hosts", &ReadProfile::hosts)
      .field("network", &ReadProfile::network)
      .field("measured", &ReadProfile::measured);
}

void bind_explanation(nb::module_& module) {
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
  bind_parts(module);
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
  module.def("explain_between", &explain_between, "collective"_a, nb::kw_only(), "senders"_a, "receivers"_a,
             "bytes"_a, "duplex"_a = false, "in_order"_a = false, "hosts"_a = nb::none(),
             "profile"_a = nb::none(),
             R"(What an MPI job would choose for this call on an inter-communicator, as `explain` does.

`collective`: bcast, reduce, allgather or allreduce. A root of a bcast is one of the senders, of a reduce one of the
receivers. `bytes`: of each sender in an allgather, with `duplex` of each receiver too. Raises ValueError as `explain` does.)");
  module.def(
      "default_network", [] { return mpi::network_of({}); },
      "The network for which Rota chooses where no profile says what it is.");
  module.def("read_profile", &read_profile, "path"_a,
             "The profile in a file. Raises ValueError with one line that names file, line and fault.");
}

}  // namespace rota
