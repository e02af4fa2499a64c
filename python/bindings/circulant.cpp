// The circulant schedules, their check and their timing as Python functions.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "data.hpp"
#include "preparation_timing.hpp"
#include "rota/circulant/circulant.hpp"
#include "rota/circulant/circulant_all_ranks.hpp"
#include "rota/circulant/circulant_conditions.hpp"
#include "schedules_timing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {
namespace {

using bench::ConstructionTimes;
using bench::PreparationTimes;
using bench::ScheduleTimes;
using circulant::AllSchedules;
using circulant::Counters;
using circulant::Report;
using circulant::Skips;
using circulant::Violation;

struct OneSchedule {
  Rank rank;
  int baseblock;
  std::vector<int> receive;
  std::vector<int> send;
};

// Entry [rank, round] in NumPy's eyes, rows of rounds in memory: as core keeps them.
using Blocks = nb::ndarray<nb::numpy, std::int8_t, nb::ndim<2>>;
using Baseblocks = nb::ndarray<nb::numpy, std::int8_t, nb::ndim<1>>;
using GivenBlocks = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

struct ManySchedules {
  Baseblocks baseblock;
  Blocks receive;
  Blocks send;
};

std::vector<std::int64_t> skips_of(Rank ranks) {
  const Skips skips = circulant::skips(ranks);
  return {skips.at.begin(), skips.at.begin() + skips.q + 1};
}

OneSchedule schedule_of(Rank ranks, Rank rank) {
  const Skips skips = circulant::skips(ranks);
  if (rank < 0 || rank >= ranks) {
    throw std::invalid_argument("there is no rank " + std::to_string(rank) + " among " +
                                std::to_string(ranks) + ": give one from 0 to " + std::to_string(ranks - 1));
  }
  const circulant::Schedule receive = receive_schedule(skips, rank);
  const circulant::Schedule send = send_schedule(skips, rank);
  return {.rank = rank,
          .baseblock = baseblock(skips, rank),
          .receive = {receive.begin(), receive.end()},
          .send = {send.begin(), send.end()}};
}

struct Bytes {
  std::int8_t* data;
  nb::capsule owner;
};

Bytes allocate(std::size_t size) {
  auto bytes = std::make_unique_for_overwrite<std::int8_t[]>(size);
  nb::capsule owner(bytes.get(), [](void* data) noexcept { delete[] static_cast<std::int8_t*>(data); });
  return {.data = bytes.release(), .owner = owner};
}

Blocks copied(const AllSchedules& all, AllSchedules::Row (AllSchedules::*row)(int) const) {
  const auto p = static_cast<std::size_t>(all.skips().ranks());
  const auto q = static_cast<std::size_t>(all.skips().q);
  const Bytes table = allocate(p * q);
  for (std::size_t k = 0; k < q; ++k) std::ranges::copy((all.*row)(static_cast<int>(k)), table.data + k * p);
  return Blocks(table.data, {p, q}, table.owner, {1, static_cast<std::int64_t>(p)});
}

ManySchedules schedules_of(Rank ranks) {
  const AllSchedules all(circulant::skips(ranks));
  const Bytes baseblock = allocate(all.baseblocks().size());
  std::ranges::copy(all.baseblocks(), baseblock.data);
  return {.baseblock = Baseblocks(baseblock.data, {all.baseblocks().size()}, baseblock.owner),
          .receive = copied(all, &AllSchedules::receive),
          .send = copied(all, &AllSchedules::send)};
}

std::vector<Violation> violations_of(Rank ranks, const GivenBlocks& receive, const GivenBlocks& send) {
  const Skips skips = circulant::skips(ranks);
  for (const GivenBlocks& given : {receive, send}) {
    if (given.shape(0) != static_cast<std::size_t>(ranks) ||
        given.shape(1) != static_cast<std::size_t>(skips.q)) {
      throw std::invalid_argument("a table has the shape (" + std::to_string(given.shape(0)) + ", " +
                                  std::to_string(given.shape(1)) + "): give (" + std::to_string(ranks) +
                                  ", " + std::to_string(skips.q) + ")");
    }
  }
  return condition_violations(skips, {receive.data(), receive.size()}, {send.data(), send.size()});
}

template <class Array>
std::span<const std::int8_t> entries(const Array& array) {
  return {array.data(), array.size()};
}

/// As all are laid out alike.
bool hold_the_same(const ManySchedules& left, const ManySchedules& right) {
  return std::ranges::equal(entries(left.baseblock), entries(right.baseblock)) &&
         std::ranges::equal(entries(left.receive), entries(right.receive)) &&
         std::ranges::equal(entries(left.send), entries(right.send));
}

void bind_schedules(nb::module_& module) {
  Data<OneSchedule>(module, "CirculantSchedule", "What one rank receives and sends in rounds 0 to q - 1.")
      .field("rank", &OneSchedule::rank)
      .field("baseblock", &OneSchedule::baseblock,
             "The first block that the rank receives; q for the root, rank 0.")
      .field("receive", &OneSchedule::receive,
             "The q blocks received; below zero: none in the first q rounds.")
      .field("send", &OneSchedule::send, "The q blocks sent; below zero: none in the first q rounds.");
  nb::class_<ManySchedules> many_class(module, "CirculantSchedules", "What all p ranks receive and send.");
  compare_by(many_class, hold_the_same,
             [](const ManySchedules& all) { return nb::make_tuple(all.baseblock.size()); });
  many_class
      .def_prop_ro(
          "baseblock", [](const ManySchedules& all) { return all.baseblock; }, nb::rv_policy::automatic,
          "int8, shape (p,): the baseblock of each rank.")
      .def_prop_ro(
          "receive", [](const ManySchedules& all) { return all.receive; }, nb::rv_policy::automatic,
          "int8, shape (p, q): the block by [rank, round].")
      .def_prop_ro(
          "send", [](const ManySchedules& all) { return all.send; }, nb::rv_policy::automatic,
          "int8, shape (p, q): the block by [rank, round].")
      .def("__repr__", [](const ManySchedules& all) {
        return "<CirculantSchedules of " + std::to_string(all.baseblock.size()) + " ranks>";
      });
}

void bind_check(nb::module_& module) {
  nb::class_<Violation> violation_class(module, "CirculantViolation",
                                        "One thing that is wrong with a schedule; str() says what.");
  compare_by_value(violation_class, [](const Violation& one) {
    return nb::make_tuple(static_cast<int>(one.rule), one.rank, one.round, one.found, one.wanted);
  });
  violation_class
      .def_prop_ro("rule", [](const Violation& violation) { return circulant::name(violation.rule); })
      .def_ro("rank", &Violation::rank)
      .def_ro("round", &Violation::round, "0 to q - 1, or -1 where the rule is about the rank as a whole.")
      .def_ro("found", &Violation::found)
      .def_ro("wanted", &Violation::wanted,
              "What should be there, or the bound; 0 if the rule names a set of blocks.")
      .def("__str__", &circulant::message)
      .def("__repr__", &circulant::message);
  Data<Counters>(module, "CirculantCounters", "The largest counts over all ranks.")
      .field("recursive_calls", &Counters::recursive_calls, "Of Algorithm 4; Lemma 5 allows q - 1.")
      .field("iterations", &Counters::iterations,
             "Of Algorithm 4's loop; 3 q + the rank's recursive calls are allowed.")
      .field("iterations_beyond_lemma_6", &Counters::iterations_beyond_lemma_6,
             "Iterations less the 2 q + recursive calls that Lemma 6 states.")
      .field("violations", &Counters::violations, "Of Algorithm 6; Theorem 3 allows 4.");
  nb::class_<Report> report_class(module, "CirculantReport", "What a check of all ranks found.");
  compare_by_value(report_class,
                   [](const Report& one) { return nb::make_tuple(one.ranks, one.violations, one.largest); });
  report_class.def_ro("ranks", &Report::ranks)
      .def_ro("violations", &Report::violations, "All that is wrong; empty if all is right.")
      .def_ro("largest", &Report::largest)
      .def("__repr__", [](const Report& report) {
        return "<CirculantReport: " + std::to_string(report.ranks) + " ranks, " +
               std::to_string(report.violations.size()) + " violations>";
      });
}

void bind_times(nb::module_& module) {
  Data<PreparationTimes>(module, "PreparationTimes",
                         "Seconds until a rank among p is ready for its first broadcast.")
      .field("ranks", &PreparationTimes::ranks)
      .field("colored_trees_s", &PreparationTimes::colored_trees_s,
             "Both trees of all nodes, coloured in linear time as paper 4 says.")
      .field("circulant_schedules_s", &PreparationTimes::circulant_schedules_s,
             "Both schedules of all ranks by Algorithms 3 to 6 as printed.")
      .field("two_tree_rank_s", &PreparationTimes::two_tree_rank_s,
             "One rank's neighbours and in-edge colours by Rota; the mean of many ranks.")
      .field("circulant_rank_s", &PreparationTimes::circulant_rank_s,
             "One rank's skips and schedules by Rota; the mean of many ranks.");
  Data<ConstructionTimes>(module, "ConstructionTimes",
                          "Seconds for both schedules of some ranks among p, evenly spread.")
      .field("ranks", &ConstructionTimes::ranks)
      .field("ranks_timed", &ConstructionTimes::ranks_timed)
      .field("older_s", &ConstructionTimes::older_s, "In O(log^3 p) steps a rank, as before paper 1.")
      .field("printed_s", &ConstructionTimes::printed_s,
             "In O(log p) steps, by Algorithms 3 to 6 as printed.")
      .field("rota_s", &ConstructionTimes::rota_s, "By Rota.");
  Data<ScheduleTimes>(module, "ScheduleTimes", "Seconds for computing both schedules of all p ranks.")
      .field("ranks", &ScheduleTimes::ranks)
      .field("straightforward_s", &ScheduleTimes::straightforward_s,
             "One by one by Algorithms 3 to 6 as printed.")
      .field("one_by_one_s", &ScheduleTimes::one_by_one_s, "One by one by Rota.")
      .field("all_s", &ScheduleTimes::all_s, "All at once, the send rows being views of the receive rows.")
      .field("all_written_s", &ScheduleTimes::all_written_s, "All at once, and the send rows written too.")
      .field("all_read_s", &ScheduleTimes::all_read_s, "All at once, and every block read, rank by rank.");
}

}  // namespace

void bind_circulant(nb::module_& module) {
  bind_schedules(module);
  bind_check(module);
  bind_times(module);
  module.def("circulant_skips", &skips_of, "ranks"_a,
             R"(The skips of the circulant graph of p = `ranks` ranks.

Returns the list skip[0], ..., skip[q - 1], p, where q = ceil(log2 p). In round k = i mod q rank r sends to r + skip[k]
and receives from r - skip[k] (mod p). Raises ValueError unless ranks >= 1. O(log p).
Source: Träff 2024, Algorithm 2.)");
  module.def("circulant_schedule", &schedule_of, "ranks"_a, "rank"_a,
             R"(The schedule of one rank, for the root 0.

Block numbers are those of the first q rounds and grow by q every q rounds. Raises ValueError unless
0 <= rank < ranks. O(log p). Source: Träff 2024, Algorithms 3 to 6.)");
  module.def("circulant_schedules", &schedules_of, "ranks"_a, R"(The schedules of all ranks, for the root 0.

Returns int8 arrays: baseblock of shape (p,), receive and send of shape (p, q), indexed [rank, round] and laid out
round by round. Raises ValueError unless ranks >= 1. O(p log p) bytes written, nearly all by copying.)");
  module.def("check_circulant", &circulant::check, "ranks"_a, nb::call_guard<nb::gil_scoped_release>(),
             R"(Check the schedules of all ranks by every rule that the paper proves.

These are the four conditions of Section 2, the bounds of Lemmas 5 and 6 (this one as it holds) and Theorem 3, and that
the ways to compute a schedule agree. Returns all violations and the largest counts. Runs without the GIL. Raises
ValueError unless ranks >= 1. O(p log p) time, 3 p log2 p bytes.)");
  module.def("circulant_violations", &violations_of, "ranks"_a, "receive"_a, "send"_a,
             R"(Check given schedules by the four conditions of Section 2.

receive and send are int8 arrays of shape (p, q), as circulant_schedules returns them. Returns the list of all
violations. Raises ValueError if a shape does not fit. O(p log p).)");
  module.def(
      "time_circulant_schedules", &bench::time_schedules, "ranks"_a, nb::call_guard<nb::gil_scoped_release>(),
      R"(Time the computation of both schedules of all p = `ranks` ranks, in each of five ways, one after the other.

Returns seconds for all ranks together. Runs without the GIL. Raises ValueError unless ranks >= 2. O(p log p).)");
  module.def(
      "time_constructions", &bench::time_constructions, "ranks"_a, nb::kw_only(), "at_most"_a,
      nb::call_guard<nb::gil_scoped_release>(),
      R"(Time both schedules of `at_most` ranks among p = `ranks`, evenly spread, one by one, by three constructions.

The older one in O(log^3 p) steps a rank, the paper's as printed in O(log p), and Rota's, one after the other. Returns
seconds for all these ranks together. Runs without the GIL. Raises ValueError unless ranks >= 2 and at_most >= 1.
Source: Träff 2024, Table 4.)");
  module.def(
      "time_preparation", &bench::time_preparation, "ranks"_a, nb::call_guard<nb::gil_scoped_release>(),
      R"(Time what a rank among p = `ranks` computes before its first broadcast, on two trees and on the circulant graph.

Runs without the GIL. Raises ValueError unless ranks >= 2. O(p log p). Source: Table 1 of Sanders, Speck, Träff 2009.)");
}

}  // namespace rota
