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
using TransferInPython = std::tuple<Round, Rank, Rank, Rank, Round, BlockIndex, BlockIndex, std::int64_t>;
using TaskInPython = std::tuple<Rank, Rank, Rank, Round, BlockIndex, BlockIndex>;

/// How long blocks of each transfer take.
class BlockTimes {
 public:
  BlockTimes(const std::vector<TransferInPython>& transfers, Round matchings,
             const std::vector<std::int64_t>& widths)
      : matchings_(matchings), widths_(widths) {
    for (const auto& [matching, from, to, message, stage, first, count, time] : transfers)
      by_link_[{matching, from, to, message}].push_back({stage, first, count, time});
  }

  std::int64_t operator()(Round round, Rank from, Rank to, Block block) const {
    const auto found = by_link_.find({round % matchings_, from, to, block.owner});
    if (found == by_link_.end()) return 0;
    const std::int64_t blocks = std::ssize(widths_);
    const BlockIndex place = block.index % blocks;
    const Round stage = round / matchings_ - block.index / blocks;
    for (const Part& part : found->second) {
      if (part.stage == stage && place >= part.first && place < part.first + part.count)
        return part.time * widths_[static_cast<std::size_t>(place)];
    }
    return 0;
  }

 private:
  struct Part {
    Round stage;
    BlockIndex first;
    BlockIndex count;
    std::int64_t time;
  };

  Round matchings_;
  std::vector<std::int64_t> widths_;
  std::map<std::tuple<Round, Rank, Rank, Rank>, std::vector<Part>> by_link_;
};

std::shared_ptr<const Series> series_of(const std::vector<OriginInPython>& origins,
                                        const std::vector<DeliveryInPython>& deliveries, BlockTimes times) {
  Series series;
  for (const auto& [rank, message] : origins) series.origins.push_back({rank, message});
  for (const auto& [rank, message, first, last] : deliveries)
    series.deliveries.push_back({rank, message, first, last});
  series.block_time = std::move(times);
  return std::make_shared<const Series>(std::move(series));
}

Schedule periodic_in_python(Rank ranks, const std::vector<std::int64_t>& widths, Round periods,
                            const std::vector<OriginInPython>& origins,
                            const std::vector<DeliveryInPython>& deliveries,
                            const std::vector<std::int64_t>& matching_lengths,
                            const std::vector<TransferInPython>& transfers,
                            const std::vector<TaskInPython>& tasks) {
  BlockTimes times(transfers, std::ssize(matching_lengths), widths);
  Period period{
      ranks, std::ssize(widths), series_of(origins, deliveries, std::move(times)), matching_lengths, {}, {}};
  for (const auto& [matching, from, to, message, stage, first, count, time] : transfers)
    period.transfers.push_back({matching, from, to, message, stage, first, count});
  for (const auto& [rank, left, right, stage, first, count] : tasks)
    period.tasks.push_back({rank, left, right, stage, first, count});
  return periodic(std::make_shared<const Period>(std::move(period)), periods);
}

}  // namespace

void bind_periodic(nb::module_& module) {
  module.def(
      "periodic", &periodic_in_python, nb::kw_only(), "ranks"_a, "widths"_a, "periods"_a, "origins"_a,
      "deliveries"_a, "matching_lengths"_a, "transfers"_a, "tasks"_a,
      R"(The schedule of a plan over some periods, from an empty platform until all that has begun is over.

`widths`: the parts of messages that blocks are, in some unit, of all blocks of a message in a period. `origins`: rank,
message. `deliveries`: rank, message, first and last contribution in it. `transfers`, of one period: matching, from, to,
message, stage, first block, blocks, and how long a unit of width takes; `matching_lengths`: in the same unit. `tasks`: rank,
left message, right message, which becomes both, stage, first block, blocks. rota.steady.schedule makes all that of a plan.

Raises ValueError for what is no rank, matching or block.)");
}

}  // namespace rota
