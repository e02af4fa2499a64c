#include "rota/model/simulate_rotation.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "rota/schedule/rotation.hpp"

namespace rota {

namespace {

bool is_alike(Rank one, Rank other, BlockIndex blocks, const BlockBytes& bytes) {
  for (BlockIndex index = 0; index < blocks; ++index) {
    if (bytes({one, index}) != bytes({other, index})) return false;
  }
  return true;
}

/// Sums over beginnings of a message of rank 0's: at o the bytes of the blocks of owners 0..o - 1, all sized
/// as those of `like`.
std::vector<std::int64_t> sums(const Blocks& blocks, Rank like, Rank ranks, const BlockBytes& bytes) {
  std::vector<std::int64_t> before(static_cast<std::size_t>(ranks) + 1);
  for (const Block block : blocks)
    before[static_cast<std::size_t>(block.owner) + 1] += bytes({like, block.index});
  for (std::size_t o = 1; o < before.size(); ++o) before[o] += before[o - 1];
  return before;
}

/// Of each rank's message, where rank 0 has these blocks.
std::vector<std::int64_t> bytes_of_all(const Blocks& blocks, const std::vector<Run>& runs, Rank ranks,
                                       const BlockBytes& bytes) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks));
  for (const Run run : runs) {
    const std::vector<std::int64_t> before = sums(blocks, run.first, ranks, bytes);
    for (Rank rank = 0; rank < ranks; ++rank) {
      const auto begin = static_cast<std::size_t>(rotated(run.first, rank == 0 ? 0 : ranks - rank, ranks));
      const std::size_t end = begin + static_cast<std::size_t>(run.end - run.first);
      const bool wraps = end >= before.size();
      all[static_cast<std::size_t>(rank)] +=
          wraps ? before.back() - before[begin] + before[end - static_cast<std::size_t>(ranks)]
                : before[end] - before[begin];
    }
  }
  return all;
}

/// All data of one size: rank 0's play is everybody's.
class OnePlay {
 public:
  OnePlay(const Network& network, const BlockBytes& bytes) : network_(network), bytes_(bytes) {}

  void play(const Step& step) {
    double done = reached_s_;
    if (!step.send.blocks.empty()) {
      const std::int64_t sent = size_of(step.send.blocks, bytes_);
      sent_bytes_ += sent;
      done = std::max(done, arrival_s(network_, reached_s_, sent));
    }
    if (!step.receive.blocks.empty()) {
      const std::int64_t received = size_of(step.receive.blocks, bytes_);
      received_bytes_ += received;
      done = std::max(
          done, arrival_s(network_, reached_s_, received) + combining_s(network_, step.on_receive, received));
    }
    reached_s_ = done;
  }

  Simulation result(Rank ranks) const {
    return {reached_s_, std::max(sent_bytes_, received_bytes_),
            std::vector<double>(static_cast<std::size_t>(ranks), reached_s_), Basis::one_for_all};
  }

 private:
  const Network& network_;
  const BlockBytes& bytes_;
  double reached_s_ = 0;
  std::int64_t sent_bytes_ = 0;
  std::int64_t received_bytes_ = 0;
};

/// Data of several sizes: every rank's play, by rank 0's steps.
class RotatedPlay {
 public:
  RotatedPlay(Rank ranks, const Network& network)
      : ranks_(ranks),
        network_(network),
        reached_s_(static_cast<std::size_t>(ranks)),
        sent_bytes_(reached_s_.size()),
        received_bytes_(reached_s_.size()) {}

  void play(const Step& step, const std::vector<Run>& runs, const BlockBytes& bytes) {
    std::vector<double> done_s = reached_s_;
    if (!step.send.blocks.empty()) {
      const std::vector<std::int64_t> sent = bytes_of_all(step.send.blocks, runs, ranks_, bytes);
      pass(sent, step.send.peer, OnReceive::store, done_s);
      add(sent, sent_bytes_);
    }
    if (!step.receive.blocks.empty()) {
      const std::vector<std::int64_t> received = bytes_of_all(step.receive.blocks, runs, ranks_, bytes);
      pass(received, step.receive.peer, step.on_receive, done_s);
      add(received, received_bytes_);
    }
    reached_s_ = std::move(done_s);
  }

  Simulation result() && {
    Simulation result{
        *std::ranges::max_element(reached_s_),
        std::max(*std::ranges::max_element(sent_bytes_), *std::ranges::max_element(received_bytes_)),
        {},
        Basis::rotation};
    result.finish_s = std::move(reached_s_);
    return result;
  }

 private:
  static void add(const std::vector<std::int64_t>& bytes, std::vector<std::int64_t>& port) {
    std::ranges::transform(port, bytes, port.begin(), std::plus{});
  }

  /// Every rank's message with the rank that is as far from it as `peer` is from rank 0.
  void pass(const std::vector<std::int64_t>& bytes, Rank peer, OnReceive on_receive,
            std::vector<double>& done_s) const {
    for (Rank rank = 0; rank < ranks_; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      const double begun_s =
          std::max(reached_s_[at], reached_s_[static_cast<std::size_t>(rotated(peer, rank, ranks_))]);
      done_s[at] = std::max(
          done_s[at], arrival_s(network_, begun_s, bytes[at]) + combining_s(network_, on_receive, bytes[at]));
    }
  }

  Rank ranks_;
  const Network& network_;
  std::vector<double> reached_s_;
  std::vector<std::int64_t> sent_bytes_;
  std::vector<std::int64_t> received_bytes_;
};

}  // namespace

std::vector<Run> runs_of(const Problem& problem, const BlockBytes& bytes) {
  std::vector<Run> runs{{0, 1}};
  for (Rank owner = 1; owner < problem.ranks; ++owner) {
    if (is_alike(owner, owner - 1, problem.blocks, bytes)) {
      runs.back().end = owner + 1;
    } else {
      runs.push_back({owner, owner + 1});
    }
  }
  return runs;
}

Way way_to_simulate(const Schedule& schedule, const BlockBytes& bytes) {
  const double ranks = schedule.problem.ranks;
  const auto rounds = static_cast<double>(schedule.rounds);
  const auto blocks = static_cast<double>(lower_bound(schedule.problem).port_blocks);
  const Way plain{Basis::every_rank, ranks * (rounds + blocks)};
  if (schedule.symmetry != Symmetry::rotation) return plain;
  const auto runs = static_cast<double>(runs_of(schedule.problem, bytes).size());
  if (runs == 1) return {Basis::one_for_all, rounds + blocks};
  const Way rotation{Basis::rotation, rounds * ranks * runs + blocks};
  return rotation.steps < plain.steps ? rotation : plain;
}

namespace {

/// Calls play(step) for all of rank 0's steps.
template <typename Play>
void play_all(const Schedule& schedule, const OnRound& on_round, const Play& play) {
  const RankSchedule first = schedule.of_rank(0);
  for (Round round = 0; round < schedule.rounds; ++round) {
    const Step step = first(round);
    if (!step.send.blocks.empty()) require_peer(0, step.send.peer, schedule.problem.ranks);
    if (!step.receive.blocks.empty()) require_peer(0, step.receive.peer, schedule.problem.ranks);
    play(step);
    if (on_round) on_round(round + 1);
  }
}

}  // namespace

Simulation simulate_rotation(const Schedule& schedule, const Network& network, const BlockBytes& bytes,
                             const OnRound& on_round) {
  require_valid(schedule.problem);
  if (schedule.symmetry != Symmetry::rotation)
    throw std::invalid_argument("a schedule that does not rotate; simulate plays it rank by rank");
  const std::vector<Run> runs = runs_of(schedule.problem, bytes);
  if (runs.size() == 1) {
    OnePlay everybody(network, bytes);
    play_all(schedule, on_round, [&](const Step& step) { everybody.play(step); });
    return everybody.result(schedule.problem.ranks);
  }
  RotatedPlay all(schedule.problem.ranks, network);
  play_all(schedule, on_round, [&](const Step& step) { all.play(step, runs, bytes); });
  return std::move(all).result();
}

}  // namespace rota
