// Periodic schedules of plans, as Python objects.
#include "rota/generators/steady/periodic.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <iterator>
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
                                        const std::vector<TimeInPython>& times,
                                        const std::vector<std::int64_t>& widths) {
  Series series;
  for (const auto& [rank, message] : origins) series.origins.push_back({rank, message});
  for (const auto& [rank, message, first, last] : deliveries)
    series.deliveries.push_back({rank, message, first, last});
  std::map<std::tuple<Rank, Rank, Rank>, std::int64_t> by_link;
  for (const auto& [from, to, message, time] : times) by_link[{from, to, message}] = time;
  series.block_time = [by_link = std::move(by_link), widths](Rank from, Rank to, Block block) {
    const auto found = by_link.find({from, to, block.owner});
    if (found == by_link.end()) return std::int64_t{0};
    return found->second * widths[static_cast<std::size_t>(block.index) % widths.size()];
  };
  return std::make_shared<const Series>(std::move(series));
}

Schedule periodic_in_python(Rank ranks, const std::vector<std::int64_t>& widths, Round periods,
                            const std::vector<OriginInPython>& origins,
                            const std::vector<DeliveryInPython>& deliveries,
                            const std::vector<TimeInPython>& times,
                            const std::vector<std::int64_t>& matching_lengths,
                            const std::vector<TransferInPython>& transfers,
                            const std::vector<TaskInPython>& tasks) {
  Period period{
      ranks, std::ssize(widths), series_of(origins, deliveries, times, widths), matching_lengths, {}, {}};
  for (const auto& [matching, from, to, message, stage, first, count] : transfers)
    period.transfers.push_back({matching, from, to, message, stage, first, count});
  for (const auto& [rank, left, right, stage, first, count] : tasks)
    period.tasks.push_back({rank, left, right, stage, first, count});
  return periodic(std::make_shared<const Period>(std::move(period)), periods);
}

}  // namespace

void bind_periodic(nb::module_& module) {
  module.def(
      "periodic", &periodic_in_python, nb::kw_only(), "ranks"_a, "widths"_a, "periods"_a, "origins"_a,
      "deliveries"_a, "times"_a, "matching_lengths"_a, "transfers"_a, "tasks"_a,
      R"(The schedule of a plan over some periods, from an empty platform until all that has begun is over.

`widths`: the parts of messages that blocks are, in some unit, of all blocks of a message in a period. `origins`: rank,
message. `deliveries`: rank, message, first and last contribution in it. `times`: from, to, message, and how long a unit of
it takes; `matching_lengths`: in the same unit. `transfers`, of one period: matching, from, to, message, stage, first block,
blocks. `tasks`: rank, left message, right message, which becomes both, stage, first block, blocks. rota.steady.schedule
makes all that of a plan.

Raises ValueError for what is no rank, matching or block.)");
}

}  // namespace rota
