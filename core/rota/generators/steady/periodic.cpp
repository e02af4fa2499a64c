#include "rota/generators/steady/periodic.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace rota {

namespace {

void require(bool truth, const std::string& fault) {
  if (!truth) throw std::invalid_argument(fault);
}

/// Of which of `blocks` blocks in a period, by which rank, in which stage.
template <class Work>
void require_within(const Period& period, const Work& work, Rank rank) {
  require(rank >= 0 && rank < period.ranks,
          "rank " + std::to_string(rank) + " is none; ranks are 0.." + std::to_string(period.ranks - 1));
  require(work.stage >= 0, "stage " + std::to_string(work.stage) + "; the first one is 0");
  require(work.first >= 0 && work.count >= 1 && work.count <= period.blocks - work.first,
          "blocks " + std::to_string(work.first) + ".. of a period of " + std::to_string(period.blocks));
}

void require_valid(const Period& period, Round periods) {
  require(periods >= 1, std::to_string(periods) + " periods; give at least 1");
  require(period.ranks >= 1 && period.blocks >= 1,
          "a period without ranks or blocks; give at least 1 of each");
  require(period.series != nullptr, "a period without a series; say what it carries out");
  require(!period.matching_lengths.empty(), "a period without matchings; give at least 1");
  for (const PeriodicTransfer& transfer : period.transfers) {
    require_within(period, transfer, transfer.from);
    require_within(period, transfer, transfer.to);
    require(transfer.matching >= 0 && transfer.matching < std::ssize(period.matching_lengths),
            "matching " + std::to_string(transfer.matching) + " is none of a period of " +
                std::to_string(period.matching_lengths.size()));
  }
  for (const PeriodicTask& task : period.tasks) require_within(period, task, task.rank);
}

/// Is there anything for this part of a period's work in period number `now`? Not while the platform fills or
/// empties.
template <class Work>
bool is_due(const Work& work, Round now, Round periods) {
  return now >= work.stage && now - work.stage < periods;
}

/// What one rank does in each period.
class OneRank {
 public:
  OneRank(std::shared_ptr<const Period> period, Round periods, Rank rank)
      : period_(std::move(period)), periods_(periods), by_matching_(period_->matching_lengths.size()) {
    for (const PeriodicTransfer& transfer : period_->transfers) {
      Work& work = by_matching_[static_cast<std::size_t>(transfer.matching)];
      if (transfer.from == rank) work.out.push_back(transfer);
      if (transfer.to == rank) work.in.push_back(transfer);
    }
    std::vector<PeriodicTask> tasks;
    std::ranges::copy_if(period_->tasks, std::back_inserter(tasks),
                         [rank](const PeriodicTask& task) { return task.rank == rank; });
    for (std::size_t i = 0; i < tasks.size(); ++i)
      by_matching_[i * by_matching_.size() / tasks.size()].tasks.push_back(tasks[i]);
  }

  Step step(Round round) const {
    const auto matchings = static_cast<Round>(by_matching_.size());
    const Round now = round / matchings;
    const Work& work = by_matching_[static_cast<std::size_t>(round % matchings)];
    return {.send = message(work.out, now, &PeriodicTransfer::to),
            .receive = message(work.in, now, &PeriodicTransfer::from),
            .combinations = combinations(work.tasks, now)};
  }

 private:
  /// In one matching. Tasks are spread over a period: their operands have been there since the one before.
  struct Work {
    std::vector<PeriodicTransfer> out;
    std::vector<PeriodicTransfer> in;
    std::vector<PeriodicTask> tasks;
  };

  BlockIndex first_block(const auto& work, Round now) const {
    return (now - work.stage) * period_->blocks + work.first;
  }

  Message message(const std::vector<PeriodicTransfer>& transfers, Round now,
                  Rank PeriodicTransfer::* peer) const {
    Message result;
    std::vector<Block> blocks;
    for (const PeriodicTransfer& transfer : transfers) {
      if (!is_due(transfer, now, periods_)) continue;
      result.peer = transfer.*peer;
      for (BlockIndex i = 0; i < transfer.count; ++i)
        blocks.push_back({transfer.message, first_block(transfer, now) + i});
    }
    std::ranges::sort(blocks);
    result.blocks = Blocks(std::move(blocks));
    return result;
  }

  std::vector<Combination> combinations(const std::vector<PeriodicTask>& tasks, Round now) const {
    std::vector<Combination> result;
    for (const PeriodicTask& task : tasks) {
      if (!is_due(task, now, periods_)) continue;
      for (BlockIndex i = 0; i < task.count; ++i) {
        const BlockIndex block = first_block(task, now) + i;
        result.push_back({{task.left, block}, {task.right, block}});
      }
    }
    return result;
  }

  std::shared_ptr<const Period> period_;
  Round periods_;
  std::vector<Work> by_matching_;
};

}  // namespace

Round Period::depth() const {
  Round last = 0;
  for (const PeriodicTransfer& transfer : transfers) last = std::max(last, transfer.stage);
  for (const PeriodicTask& task : tasks) last = std::max(last, task.stage);
  return last + 1;
}

Schedule periodic(const std::shared_ptr<const Period>& period, Round periods) {
  require_valid(*period, periods);
  Problem problem{Collective::series, period->ranks};
  problem.blocks = periods * period->blocks;
  problem.series = period->series;
  const auto matchings = static_cast<Round>(period->matching_lengths.size());
  Schedule schedule{problem, (periods + period->depth() - 1) * matchings,
                    [period, periods](Rank rank) -> RankSchedule {
                      return [one = OneRank(period, periods, rank)](Round round) { return one.step(round); };
                    }};
  if (period->series->block_time) {
    schedule.round_bytes = [period, matchings](Round round) {
      return period->matching_lengths[static_cast<std::size_t>(round % matchings)];
    };
  }
  return schedule;
}

}  // namespace rota
