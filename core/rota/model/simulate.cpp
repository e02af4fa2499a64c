#include "rota/model/simulate.hpp"

#include <algorithm>
#include <cstddef>
#include <future>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "rota/model/link_bound.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

std::int64_t divided_up(std::int64_t bytes, std::int64_t parts) { return (bytes + parts - 1) / parts; }

void require_size(std::int64_t bytes) {
  if (bytes < 0) throw std::invalid_argument(std::to_string(bytes) + " bytes; give 0 or more");
}

/// One owner's data, in blocks of block_bytes as far as it goes.
struct Share {
  std::int64_t bytes = 0;
  std::int64_t block_bytes = 1;

  std::int64_t size_of(BlockIndex index) const {
    return std::clamp<std::int64_t>(bytes - index * block_bytes, 0, block_bytes);
  }
};

Share cut(std::int64_t bytes, BlockIndex blocks) {
  require_size(bytes);
  return {bytes, divided_up(bytes, blocks)};
}

/// `bytes` in shares that differ by one byte at most.
std::vector<std::int64_t> even_shares(std::int64_t bytes, std::int64_t owners) {
  std::vector<std::int64_t> shares;
  shares.reserve(static_cast<std::size_t>(owners));
  for (std::int64_t k = 0; k < owners; ++k) shares.push_back((bytes + k) / owners);
  return shares;
}

}  // namespace

namespace {

/// Each group's data in even parts for its ranks.
BlockBytes inter_allreduce_cuts(const Problem& problem, std::int64_t bytes) {
  std::vector<Share> by_rank;
  for (const Group& group : groups_of(problem)) {
    for (const std::int64_t part : even_shares(bytes, group.size()))
      by_rank.push_back(cut(part, problem.blocks));
  }
  return [by_rank = std::move(by_rank)](Block block) {
    return by_rank[static_cast<std::size_t>(block.owner)].size_of(block.index);
  };
}

}  // namespace

BlockBytes equal_cuts(const Problem& problem, std::int64_t bytes) {
  if (!problem.shares.empty()) throw std::invalid_argument("the problem has shares: their bytes count");
  if (problem.collective == Collective::inter_allreduce) {
    require_size(bytes);
    return inter_allreduce_cuts(problem, bytes);
  }
  if (!is_shared_out(problem.collective)) {
    return [share = cut(bytes, problem.blocks)](Block block) { return share.size_of(block.index); };
  }
  require_size(bytes);
  return cuts_of_shares(problem, even_shares(bytes, static_cast<std::int64_t>(owners_of(problem).size())));
}

BlockBytes parcel_bytes(const Problem& problem) {
  require_valid(problem);
  if (!problem.parcels) throw std::invalid_argument("no parcels; their bytes are those of all-to-many");
  return [parcels = problem.parcels](Block block) { return parcels->at(block).bytes; };
}

BlockBytes inter_share_bytes(const Problem& problem) {
  require_valid(problem);
  if (problem.shares.empty())
    throw std::invalid_argument("no shares; their bytes are those of an allgather between groups");
  return [shares = problem.shares, counts = block_counts(problem)](Block block) {
    const std::int64_t bytes = shares[static_cast<std::size_t>(block.owner)];
    const BlockIndex blocks = counts[static_cast<std::size_t>(block.owner)];
    return cut_begin(bytes, blocks, block.index + 1) - cut_begin(bytes, blocks, block.index);
  };
}

BlockBytes cuts_of_shares(const Problem& problem, const std::vector<std::int64_t>& share_bytes) {
  const std::vector<Rank> owners = owners_of(problem);
  if (share_bytes.size() != owners.size()) {
    throw std::invalid_argument(std::to_string(share_bytes.size()) + " shares; give one for each of the " +
                                std::to_string(owners.size()) + " owners");
  }
  std::vector<Share> by_rank(static_cast<std::size_t>(problem.ranks));
  for (std::size_t k = 0; k < owners.size(); ++k) {
    by_rank[static_cast<std::size_t>(owners[k])] = cut(share_bytes[k], problem.blocks);
  }
  return [by_rank = std::move(by_rank)](Block block) {
    return by_rank[static_cast<std::size_t>(block.owner)].size_of(block.index);
  };
}

namespace {

GroupLoad load_of(const Group& group, const std::vector<std::int64_t>& shares) {
  const auto first = shares.begin() + group.first;
  const auto end = shares.begin() + group.end;
  return {group.size(), static_cast<double>(std::accumulate(first, end, std::int64_t{0})),
          static_cast<double>(*std::max_element(first, end))};
}

Load inter_load_of(const Problem& problem, double bytes) {
  const auto groups = groups_of(problem);
  Load load{problem.collective, problem.ranks, bytes, bytes, bytes};
  load.placement = placement_of(problem);
  if (problem.hosts) load.placement.link_bytes = link_bytes_between(problem, bytes);
  if (problem.collective == Collective::inter_allgather) {
    load.groups = {load_of(groups[0], problem.shares), load_of(groups[1], problem.shares)};
    load.bytes = std::max(load.groups[0].bytes, load.groups[1].bytes);
    load.smallest_share_bytes = static_cast<double>(std::ranges::min(problem.shares));
    load.largest_share_bytes = static_cast<double>(std::ranges::max(problem.shares));
    return load;
  }
  load.groups = {GroupLoad{groups[0].size(), bytes, bytes}, GroupLoad{groups[1].size(), bytes, bytes}};
  const bool is_rooted = problem.collective != Collective::inter_allreduce;
  if (is_rooted && !groups[0].has(problem.root)) std::swap(load.groups[0], load.groups[1]);
  return load;
}

}  // namespace

Load load_of(const Problem& problem, std::int64_t bytes) {
  if (is_inter_group(problem.collective)) return inter_load_of(problem, static_cast<double>(bytes));
  if (problem.parcels) bytes = problem.parcels->pattern().port_bytes();
  const auto all = static_cast<double>(bytes);
  Load load{problem.collective, problem.ranks, all, all, all};
  load.placement = placement_of(problem);
  if (!is_shared_out(problem.collective)) return load;
  const auto owners = static_cast<std::int64_t>(owners_of(problem).size());
  load.smallest_share_bytes = static_cast<double>(owners == problem.ranks ? bytes / owners : 0);
  load.largest_share_bytes = static_cast<double>(divided_up(bytes, owners));
  return load;
}

std::int64_t size_of(const Blocks& blocks, const BlockBytes& bytes) {
  std::int64_t size = 0;
  for (const Block block : blocks) size += bytes(block);
  return size;
}

void require_peer(Rank rank, Rank peer, Rank ranks) {
  if (0 <= peer && peer < ranks) return;
  throw std::invalid_argument("rank " + std::to_string(rank) + " has a message to or from " +
                              std::to_string(peer) + ", which is no rank; verify the schedule first");
}

namespace {

/// So few ranks that a thread of their own gains nothing.
constexpr std::size_t ranks_per_thread = std::size_t{1} << 14;

/// Calls work(first, last) for parts of 0..ranks - 1 that touch nothing in common, on all cores if there are
/// many ranks. What one of them throws is thrown here.
template <typename Work>
void in_parts(std::size_t ranks, const Work& work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t parts = std::clamp<std::size_t>(ranks / ranks_per_thread, 1, cores);
  std::vector<std::future<void>> others;
  others.reserve(parts - 1);
  for (std::size_t part = 1; part < parts; ++part) {
    // A part for which the system has no thread is worked on below, by get.
    others.push_back(std::async(
        [&work, first = ranks * part / parts, last = ranks * (part + 1) / parts] { work(first, last); }));
  }
  work(0, ranks / parts);
  for (std::future<void>& other : others) other.get();
}

/// One schedule being played: when each rank reached the present round, and what went through its ports.
/// Within a round no rank's end depends on another's, so that ranks are played on all cores.
class Play {
 public:
  Play(const Schedule& schedule, const Network& network, const BlockBytes& bytes)
      : network_(network),
        bytes_(bytes),
        steps_(static_cast<std::size_t>(schedule.problem.ranks)),
        reached_s_(steps_.size()),
        done_s_(steps_.size()),
        ports_(steps_.size()) {
    in_parts(steps_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) {
        steps_[rank] = schedule.of_rank(static_cast<Rank>(rank));
      }
    });
  }

  void play(Round round) {
    in_parts(steps_.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t rank = first; rank < last; ++rank) done_s_[rank] = done_s(rank, round);
    });
    reached_s_.swap(done_s_);
  }

  /// The messages of the round that is to be played next.
  std::vector<Transfer> transfers(Round round) const {
    std::vector<Transfer> found;
    for (std::size_t rank = 0; rank < steps_.size(); ++rank) {
      const Message sent = steps_[rank](round).send;
      if (sent.blocks.empty()) continue;
      const std::int64_t bytes = size_of(sent.blocks, bytes_);
      const double end_s = over_s(rank, sent.peer, bytes);
      const double start_s = std::max(reached_s_[rank], reached_s_[static_cast<std::size_t>(sent.peer)]);
      found.push_back({round, static_cast<Rank>(rank), sent.peer, bytes, start_s, end_s});
    }
    return found;
  }

  Simulation result() && {
    Simulation result;
    for (const Port& port : ports_) {
      result.port_bytes = std::max({result.port_bytes, port.sent_bytes, port.received_bytes});
    }
    result.seconds = *std::ranges::max_element(reached_s_);
    result.finish_s = std::move(reached_s_);
    return result;
  }

 private:
  struct Port {
    std::int64_t sent_bytes = 0;
    std::int64_t received_bytes = 0;
  };

  double done_s(std::size_t rank, Round round) {
    const Step step = steps_[rank](round);
    double done = reached_s_[rank];
    if (!step.send.blocks.empty()) {
      const std::int64_t sent = size_of(step.send.blocks, bytes_);
      ports_[rank].sent_bytes += sent;
      done = std::max(done, over_s(rank, step.send.peer, sent));
    }
    if (!step.receive.blocks.empty()) {
      const std::int64_t received = size_of(step.receive.blocks, bytes_);
      ports_[rank].received_bytes += received;
      done = std::max(
          done, over_s(rank, step.receive.peer, received) + combining_s(network_, step.on_receive, received));
    }
    for (const Combination& combination : step.combinations)
      done += combining_s(network_, OnReceive::combine_left, bytes_(combination.from));
    return done;
  }

  /// When a message of this round between `rank` and `peer` is over.
  double over_s(std::size_t rank, Rank peer, std::int64_t bytes) const {
    require_peer(static_cast<Rank>(rank), peer, static_cast<Rank>(reached_s_.size()));
    return arrival_s(network_, std::max(reached_s_[rank], reached_s_[static_cast<std::size_t>(peer)]), bytes);
  }

  const Network& network_;
  const BlockBytes& bytes_;
  std::vector<RankSchedule> steps_;
  std::vector<double> reached_s_;
  std::vector<double> done_s_;
  std::vector<Port> ports_;
};

}  // namespace

Simulation simulate(const Schedule& schedule, const Network& network, const BlockBytes& bytes,
                    const OnRound& on_round) {
  require_valid(schedule.problem);
  Play play(schedule, network, bytes);
  for (Round round = 0; round < schedule.rounds; ++round) {
    play.play(round);
    if (on_round) on_round(round + 1);
  }
  return std::move(play).result();
}

std::vector<Transfer> transfers(const Schedule& schedule, const Network& network, const BlockBytes& bytes) {
  require_valid(schedule.problem);
  Play play(schedule, network, bytes);
  std::vector<Transfer> all;
  for (Round round = 0; round < schedule.rounds; ++round) {
    const std::vector<Transfer> found = play.transfers(round);
    all.insert(all.end(), found.begin(), found.end());
    play.play(round);
  }
  return all;
}

namespace {

/// In which a contribution can have reached all ranks that need it.
int least_rounds(const Load& load) {
  const Rank larger = std::max(load.groups[0].ranks, load.groups[1].ranks);
  switch (load.collective) {
    case Collective::inter_broadcast:
    case Collective::inter_reduce:
      return ceil_log2(1 + load.groups[1].ranks);
    case Collective::inter_allgather:  // ranks without data may be many: only what holds for one sender
      return ceil_log2(1 + std::max(load.groups[0].bytes > 0 ? load.groups[1].ranks : 0,
                                    load.groups[1].bytes > 0 ? load.groups[0].ranks : 0));
    case Collective::inter_allreduce:
      return ceil_log2(1 + larger);
    default:
      return ceil_log2(load.ranks);
  }
}

}  // namespace

double least_seconds(const Load& load, const Network& network) {
  const double bytes_s = port_bytes_bound(load) * network.seconds_per_byte;
  // One rank's messages need not be passed on; their number, a load does not know.
  if (load.collective == Collective::all_to_many) return (load.bytes > 0 ? network.latency_s : 0) + bytes_s;
  return std::max(least_rounds(load) * network.latency_s, bytes_s);
}

}  // namespace rota
