// Periodic schedules of plans, as Python objects.
#include "rota/generators/periodic.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

using OriginInPython = std::tuple<Rank, Rank>;
using DeliveryInPython = std::tuple<Rank, Rank, Rank, Rank>;
using TransferInPython = std::tuple<Round, Rank, Rank, Rank, Round, BlockIndex, BlockIndex>;
using TaskInPython = std::tuple<Rank, Rank, Rank, Round, BlockIndex, BlockIndex>;
using TimeInPython = std::tuple<Rank, Rank, Rank, std::int64_t>;

std::shared_ptr<const Series> series_of(const std::vector<OriginInPython>& origins,
                                        const std::vector<DeliveryInPython>& deliveries,
                                        const std::vector<TimeInPython>& times) {
  Series series;
  for (const auto& [rank, message] : origins) series.origins.push_back({rank, message});
  for (const auto& [rank, message, first, last] : deliveries)
    series.deliveries.push_back({rank, message, first, last});
  std::map<std::tuple<Rank, Rank, Rank>, std::int64_t> by_link;
  for (const auto& [from, to, message, time] : times) by_link[{from, to, message}] = time;
  series.block_time = [by_link = std::move(by_link)](Rank from, Rank to, Rank message) {
    const auto found = by_link.find({from, to, message});
    return found == by_link.end() ? 0 : found->second;
  };
  return std::make_shared<const Series>(std::move(series));
}

Schedule periodic_in_python(Rank ranks, BlockIndex blocks, Round periods,
                            const std::vector<OriginInPython>& origins,
                            const std::vector<DeliveryInPython>& deliveries,
                            const std::vector<TimeInPython>& times,
                            const std::vector<std::int64_t>& matching_lengths,
                            const std::vector<TransferInPython>& transfers,
                            const std::vector<TaskInPython>& tasks) {
  Period period{ranks, blocks, series_of(origins, deliveries, times), matching_lengths, {}, {}};
  for (const auto& [matching, from, to, message, stage, first, count] : transfers)
    period.transfers.push_back({matching, from, to, message, stage, first, count});
  for (const auto& [rank, left, right, stage, first, count] : tasks)
    period.tasks.push_back({rank, left, right, stage, first, count});
  return periodic(std::make_shared<const Period>(std::move(period)), periods);
}

}  // namespace

void bind_periodic(nb::module_& module) {
  module.def(
      "periodic", &periodic_in_python, nb::kw_only(), "ranks"_a, "blocks"_a, "periods"_a, "origins"_a,
      "deliveries"_a, "times"_a, "matching_lengths"_a, "transfers"_a, "tasks"_a,
      R"(The schedule of a plan over some periods, from an empty platform until all that has begun is over.

`origins`: rank, message. `deliveries`: rank, message, first and last contribution in it. `times`: from, to, message, and how
long a block of it takes; `matching_lengths` in the same unit. `transfers`, of one period: matching, from, to, message, stage,
first block, blocks. `tasks`: rank, left message, right message, which becomes both, stage, first block, blocks. `blocks`: of
each message in a period. rota.steady.schedule makes all that of a plan.

Raises ValueError for what is no rank, matching or block.)");
}

}  // namespace rota
