#include "rota/generators/periodic.hpp"

#include <algorithm>
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

/// The blocks of one period's part of the work, in period number `now`; none while the platform fills or
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
      Ports& ports = by_matching_[static_cast<std::size_t>(transfer.matching)];
      if (transfer.from == rank) ports.out.push_back(transfer);
      if (transfer.to == rank) ports.in.push_back(transfer);
    }
    for (const PeriodicTask& task : period_->tasks) {
      if (task.rank == rank) tasks_.push_back(task);
    }
  }

  Step step(Round round) const {
    const auto matchings = static_cast<Round>(by_matching_.size());
    const Round now = round / matchings;
    const Ports& ports = by_matching_[static_cast<std::size_t>(round % matchings)];
    Step step;
    step.send = message(ports.out, now, &PeriodicTransfer::to);
    step.receive = message(ports.in, now, &PeriodicTransfer::from);
    if (round % matchings == matchings - 1) step.combinations = combinations(now);
    return step;
  }

 private:
  struct Ports {
    std::vector<PeriodicTransfer> out;
    std::vector<PeriodicTransfer> in;
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

  /// In the last round of a period, when all its operands have been there since the period before.
  std::vector<Combination> combinations(Round now) const {
    std::vector<Combination> result;
    for (const PeriodicTask& task : tasks_) {
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
  std::vector<Ports> by_matching_;
  std::vector<PeriodicTask> tasks_;
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
