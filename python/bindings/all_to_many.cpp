// Patterns, all-to-many schedules and what they take, as Python objects.
#include "rota/generators/all_to_many/all_to_many.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "named.hpp"
#include "rota/generators/all_to_many/all_to_many_choice.hpp"
#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/over_links.hpp"
#include "rota/model/all_to_many_bound.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Messages = nb::ndarray<const std::int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>;

/// No rank: whatever is too large for one.
Rank rank_of(std::int64_t value) {
  return value < 0 || value > std::numeric_limits<Rank>::max() ? -1 : static_cast<Rank>(value);
}

Pattern pattern_of(Rank ranks, const Integers& from, const Integers& to, const Integers& bytes) {
  if (from.size() != to.size() || from.size() != bytes.size())
    throw std::invalid_argument("from, to and bytes differ in length; give one of each for a message");
  std::vector<Shipment> shipments;
  shipments.reserve(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    shipments.push_back({rank_of(from(i)), rank_of(to(i)), bytes(i)});
  return {ranks, shipments};
}

/// An array with `columns` columns that owns what it shows.
Table table(std::vector<std::int64_t> values, std::size_t columns) {
  auto held = std::make_unique<std::vector<std::int64_t>>(std::move(values));
  std::int64_t* const data = held->data();
  const std::size_t rows = held->size() / columns;
  const nb::capsule owner(held.release(), [](void* values_held) noexcept {
    delete static_cast<std::vector<std::int64_t>*>(values_held);
  });
  return {data, {rows, columns}, owner};
}

/// Ranks, messages and what all ranks have for themselves.
using PatternState = std::tuple<Rank, Messages, std::int64_t>;

/// Whose the local bytes are, a pattern does not know: rank 0 has all of them.
Pattern pattern_in(const PatternState& state) {
  const auto& [ranks, messages, local_bytes] = state;
  std::vector<Shipment> shipments;
  for (std::size_t i = 0; i < messages.shape(0); ++i)
    shipments.push_back({rank_of(messages(i, 0)), rank_of(messages(i, 1)), messages(i, 2)});
  if (local_bytes > 0) shipments.push_back({0, 0, local_bytes});
  return {ranks, shipments};
}

Table messages_of(const Pattern& pattern) {
  std::vector<std::int64_t> values;
  for (const Shipment& each : pattern.shipments())
    values.insert(values.end(), {each.from, each.to, each.bytes});
  return table(std::move(values), 3);
}

Table parcels_of(const Schedule& schedule) {
  std::vector<std::int64_t> values;
  for (const TimedParcel& each : listed(schedule)) {
    values.insert(values.end(),
                  {each.round, each.from, each.parcel.to, each.parcel.offset_bytes, each.parcel.bytes});
  }
  return table(std::move(values), 5);
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> result;
  for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) result.push_back(algorithm.name);
  return result;
}

const AllToManyAlgorithm& algorithm_called(const std::string& name) {
  if (const AllToManyAlgorithm* const found = find_all_to_many(name)) return *found;
  refuse_algorithm(Collective::all_to_many, name, names());
}

/// Of each rank the number of its host; none: each has one to itself.
using HostOfRank = std::vector<Rank>;

Pattern hosts_pattern(const Pattern& pattern, const HostOfRank& host_of_rank) {
  return pattern_of_hosts(pattern, hosts_called(host_of_rank));
}

std::int64_t bytes_over(const Pattern& pattern, const HostOfRank& hosts, Rank links) {
  const auto at = hosts_of(hosts, links);
  return at == nullptr ? pattern.port_bytes() : bytes_over_links(pattern, *at);
}

Schedule all_to_many(const Pattern& pattern, const std::string& algorithm, std::uint64_t seed,
                     const HostOfRank& hosts, Rank links) {
  return algorithm_called(algorithm).schedule(std::make_shared<const Pattern>(pattern),
                                              hosts_of(hosts, links), seed);
}

AllToManyChoice best(const Pattern& pattern, const Network& network, std::uint64_t seed,
                     const HostOfRank& hosts, Rank links) {
  return best_all_to_many(std::make_shared<const Pattern>(pattern), hosts_of(hosts, links), network, seed);
}

void require_parcels(const Schedule& schedule) {
  if (!schedule.problem.parcels)
    throw std::invalid_argument("the schedule is not one of all-to-many; make it with all_to_many");
}

void bind_pattern(nb::module_& module) {
  nb::class_<Pattern> pattern_class(
      module, "Pattern",
      "Who sends how many bytes to whom. What a rank has for itself is copied, not sent, and no "
      "message;\nneither is what has no bytes.");
  compare_by(pattern_class, std::equal_to<Pattern>(), [](const Pattern& pattern) {
    return nb::make_tuple(pattern.ranks(), pattern.messages(), pattern.total_bytes());
  });
  pattern_class
      .def(
          "__init__",
          [](Pattern* self, Rank ranks, const Integers& from, const Integers& to, const Integers& bytes) {
            new (self) Pattern(pattern_of(ranks, from, to, bytes));
          },
          "ranks"_a, "from_"_a, "to"_a, "bytes"_a,
          "Message i has bytes[i] bytes from rank from_[i] to rank to[i]; int64 arrays. `rota.patterns` "
          "reads "
          "matrices.\n\n"
          "Raises ValueError for ranks < 1, what is no rank, bytes < 0, a pair of ranks named twice, more "
          "than "
          "2^62 bytes.")
      .def_prop_ro("ranks", &Pattern::ranks)
      .def_prop_ro("degree", &Pattern::degree, "D, the most messages that one rank sends, or receives.")
      .def_prop_ro("port_bytes", &Pattern::port_bytes,
                   "The most bytes that one rank sends, or receives: the largest row or column sum.")
      .def_prop_ro("total_bytes", &Pattern::total_bytes)
      .def_prop_ro("local_bytes", &Pattern::local_bytes, "What ranks have for themselves.")
      .def_prop_ro(
          "messages", &messages_of, nb::rv_policy::move,
          "All messages, from, to, bytes: int64, shape (messages, 3), by senders and then receivers.")
      .def("__len__", &Pattern::messages)
      .def("__getstate__",
           [](const Pattern& pattern) {
             return nb::make_tuple(pattern.ranks(), messages_of(pattern), pattern.local_bytes());
           })
      .def("__setstate__",
           [](Pattern& self, const PatternState& state) { new (&self) Pattern(pattern_in(state)); })
      .def("__repr__", [](const Pattern& pattern) {
        return "Pattern(" + std::to_string(pattern.ranks()) + " ranks, " +
               std::to_string(pattern.messages()) + " messages, " + std::to_string(pattern.total_bytes()) +
               " bytes)";
      });
}

}  // namespace

void bind_all_to_many(nb::module_& module) {
  bind_pattern(module);
  nb::class_<AllToManyChoice> choice_class(module, "AllToManyChoice",
                                           "The best schedule on a network, beside the bound.");
  compare_by_value(choice_class, [](const AllToManyChoice& choice) {
    return nb::make_tuple(choice.algorithm, choice.grain_bytes, choice.schedule, choice.seconds,
                          choice.least_seconds);
  });
  choice_class.def_ro("algorithm", &AllToManyChoice::algorithm)
      .def_ro("grain_bytes", &AllToManyChoice::grain_bytes, "Of a weighted schedule's pieces, else 0.")
      .def_ro("schedule", &AllToManyChoice::schedule)
      .def_ro("seconds", &AllToManyChoice::seconds, "Without synchronisation between rounds.")
      .def_ro("least_seconds", &AllToManyChoice::least_seconds, "No schedule takes less.")
      .def("__repr__",
           [](const AllToManyChoice& choice) {
             const auto seconds = [](double time_s) {
               return std::string(nb::repr(nb::float_(time_s)).c_str());
             };
             return "<AllToManyChoice of " + std::string(choice.algorithm) + ": " + seconds(choice.seconds) +
                    " s, at least " + seconds(choice.least_seconds) + " s>";
           })
      .def(
          "_repr_svg_",
          [](nb::handle_t<AllToManyChoice> choice) {
            return nb::module_::import_("rota.notebook").attr("choice_svg")(choice);
          },
          nb::sig("def _repr_svg_(self) -> str | None"),
          "The picture of the schedule that notebooks show; None where it could not be read.");
  module.def("all_to_many_algorithms", &names, "The names of the algorithms for all_to_many.");
  module.def(
      "all_to_many", &all_to_many, "pattern"_a, "algorithm"_a, nb::kw_only(), "seed"_a = 0,
      "hosts"_a = HostOfRank{}, "links"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
      "The schedule of `algorithm` for `pattern`: a sequence of partial permutations. The same everywhere "
      "for the "
      "same\nseed. `hosts`: of each rank the number of its host; then it is a schedule of hosts, each of "
      "whose "
      "rounds\nbecomes one or more, in which all that leaves a host goes to one other. Without: each rank "
      "has one to "
      "itself. Where hosts have several links each, 'weighted' is one of as many messages at a time as a "
      "host "
      "has\nlinks, as long as the busiest host or rank must be.\n\nRaises ValueError for an unknown "
      "algorithm, for hosts of another number of ranks, and for links without hosts.");
  module.def("best_all_to_many", &best, "pattern"_a, "network"_a, nb::kw_only(), "seed"_a = 0,
             "hosts"_a = HostOfRank{}, "links"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
             "Fewer permutations or a shorter schedule, whichever takes less where every message costs a "
             "latency; `hosts` and `links` as in\nall_to_many.");
  module.def(
      "hosts_pattern", &hosts_pattern, "pattern"_a, "hosts"_a,
      "Who sends how many bytes to whom, of hosts as if each were one rank: `hosts` has the number of each "
      "rank's.\n\nRaises ValueError for hosts of another number of ranks.");
  module.def(
      "bytes_over_links", &bytes_over, "pattern"_a, "hosts"_a = HostOfRank{}, "links"_a = 1,
      "How long an exchange takes at the least, in bytes that pass one port: a rank's, or one of its host's "
      "links, and a rank's\nwhere its host has several.\n\nRaises ValueError for hosts of another number of "
      "ranks, "
      "and for links without hosts.");
  module.def(
      "parcels",
      [](const Schedule& schedule) {
        require_parcels(schedule);
        return parcels_of(schedule);
      },
      "schedule"_a,
      "What an all-to-many schedule sends: round, from, to, offset and bytes of each piece; int64, shape "
      "(pieces, 5),\nby rounds and then senders.");
  module.def(
      "length_bytes",
      [](const Schedule& schedule) {
        require_parcels(schedule);
        return length_bytes(schedule);
      },
      "schedule"_a,
      "All rounds of an all-to-many schedule together, each as long as its longest message; where rounds "
      "have "
      "no length,\nas unsynchronised_bytes. Never less than the pattern's port_bytes.");
  module.def(
      "unsynchronised_bytes",
      [](const Schedule& schedule) {
        require_parcels(schedule);
        return unsynchronised_bytes(schedule);
      },
      "schedule"_a,
      "How long an all-to-many schedule takes, in bytes that pass one port, if each message starts when both "
      "its ports\nare free.");
  module.def(
      "unsynchronised_seconds",
      [](const Schedule& schedule, const Network& network) {
        require_parcels(schedule);
        return unsynchronised_seconds(schedule, network);
      },
      "schedule"_a, "network"_a, "The same in seconds on a network, where a message costs its latency too.");
  module.def(
      "rounds_have_lengths", [](const Schedule& schedule) { return static_cast<bool>(schedule.round_bytes); },
      "schedule"_a, "Whether rounds are meant to begin and end together for all ranks.");
}

}  // namespace rota
