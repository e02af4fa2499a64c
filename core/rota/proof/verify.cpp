#include "rota/proof/verify.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "rota/proof/contract.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"
#include "rota/schedule/series.hpp"

namespace rota {

namespace {

std::string name(Rank rank) { return "rank " + std::to_string(rank); }

/// One schedule being played: who holds what, and which violations were met so far.
class Play {
 public:
  Play(const Schedule& schedule, const Links& links) : schedule_(schedule), links_(links) {
    of_rank_.reserve(static_cast<std::size_t>(ranks()));
    held_.reserve(static_cast<std::size_t>(ranks()));
    for (Rank rank = 0; rank < ranks(); ++rank) {
      of_rank_.push_back(schedule.of_rank(rank));
      held_.push_back(precondition(schedule.problem, rank));
    }
  }

  std::vector<Violation> violations() && {
    check_parcels();
    for (round_ = 0; round_ < schedule_.rounds; ++round_) {
      play_round();
    }
    check_postcondition();
    return std::move(violations_);
  }

 private:
  Rank ranks() const { return schedule_.problem.ranks; }

  void report(Rank rank, Block block, std::string fault) {
    violations_.push_back({round_, rank, block, std::move(fault)});
  }

  void play_round() {
    std::vector<Step> steps;
    steps.reserve(of_rank_.size());
    for (const RankSchedule& of_rank : of_rank_) {
      steps.push_back(of_rank(round_));
    }
    for (Rank rank = 0; rank < ranks(); ++rank) {
      check_send(steps, rank);
      check_receive(steps, rank);
    }
    check_hosts(steps);
    // The messages of one round cross: all are read before the first one takes effect.
    std::vector<Arrival> crossing;
    for (Rank rank = 0; rank < ranks(); ++rank) {
      std::ranges::move(arrivals(steps, rank), std::back_inserter(crossing));
    }
    for (Arrival& arrival : crossing) {
      take(std::move(arrival));
    }
    for (Rank rank = 0; rank < ranks(); ++rank) {
      for (const Combination& combination : steps[static_cast<std::size_t>(rank)].combinations) {
        combine(rank, combination);
      }
    }
  }

  /// The pieces of every message must be that message.
  void check_parcels() {
    if (!schedule_.problem.parcels) return;
    for (const MiscutMessage& miscut : miscut_messages(*schedule_.problem.parcels)) {
      report(miscut.from, {miscut.from, 0},
             "has parcels to " + name(miscut.to) + " that are not, each byte once, its message");
    }
  }

  /// No message may be longer than its round.
  void check_length(Rank rank, const Message& sent) {
    if (!schedule_.round_bytes) return;
    std::int64_t length = 0;
    for (const Block block : sent.blocks) length += length_of(rank, sent.peer, block);
    if (length > schedule_.round_bytes(round_))
      report(rank, *sent.blocks.begin(), "sends a message that is longer than its round");
  }

  /// In the units of the rounds' lengths; 0 where blocks have none.
  std::int64_t length_of(Rank from, Rank to, Block block) const {
    const Problem& problem = schedule_.problem;
    if (problem.parcels) return problem.parcels->has(block) ? problem.parcels->at(block).bytes : 0;
    if (problem.series && problem.series->block_time)
      return problem.series->block_time(round_, from, to, block);
    return 0;
  }

  bool is_peer(Rank rank, Rank peer) const { return peer >= 0 && peer < ranks() && peer != rank; }

  void check_send(const std::vector<Step>& steps, Rank rank) {
    const Message& sent = steps[static_cast<std::size_t>(rank)].send;
    if (sent.blocks.empty()) return;
    const Block first = *sent.blocks.begin();
    if (!is_peer(rank, sent.peer)) {
      report(rank, first, "sends to " + name(sent.peer) + ", which is no other rank");
      return;
    }
    if (!links_(rank, sent.peer)) {
      report(rank, first, "sends to " + name(sent.peer) + ", but there is no such link");
    }
    const Message& received = steps[static_cast<std::size_t>(sent.peer)].receive;
    if (received.peer != rank || !(received.blocks == sent.blocks)) {
      report(rank, first, "sends to " + name(sent.peer) + ", which does not receive that message");
    }
    check_length(rank, sent);
    for (const Block block : sent.blocks) {
      if (!held_[static_cast<std::size_t>(rank)].contains(block)) {
        report(rank, block, "sends a block that it does not hold");
      }
    }
  }

  void check_receive(const std::vector<Step>& steps, Rank rank) {
    const Message& received = steps[static_cast<std::size_t>(rank)].receive;
    if (received.blocks.empty()) return;
    const Block first = *received.blocks.begin();
    if (!is_peer(rank, received.peer)) {
      report(rank, first, "receives from " + name(received.peer) + ", which is no other rank");
      return;
    }
    const Message& sent = steps[static_cast<std::size_t>(received.peer)].send;
    if (sent.blocks.empty() || sent.peer != rank) {
      report(rank, first, "receives from " + name(received.peer) + ", which sends it nothing");
    }
  }

  /// Each link of a host is for one other host in a round, each way.
  void check_hosts(const std::vector<Step>& steps) {
    const auto& hosts = schedule_.problem.hosts;
    if (!hosts) return;
    std::vector<std::set<Rank>> sends_to(hosts->ranks.size());
    std::vector<std::set<Rank>> receives_from(hosts->ranks.size());
    const auto is_beyond = [&](std::set<Rank>& so_far, Rank host) {
      return so_far.insert(host).second && so_far.size() > static_cast<std::size_t>(hosts->links);
    };
    for (Rank rank = 0; rank < ranks(); ++rank) {
      const Message& sent = steps[static_cast<std::size_t>(rank)].send;
      if (sent.blocks.empty() || !is_peer(rank, sent.peer)) continue;
      const Rank from = hosts->of_rank[static_cast<std::size_t>(rank)];
      const Rank to = hosts->of_rank[static_cast<std::size_t>(sent.peer)];
      if (from == to) continue;
      const Block first = *sent.blocks.begin();
      if (is_beyond(sends_to[static_cast<std::size_t>(from)], to))
        report(rank, first, "sends to another host than " + others_of(*hosts));
      if (is_beyond(receives_from[static_cast<std::size_t>(to)], from))
        report(sent.peer, first, "receives from another host than " + others_of(*hosts));
    }
  }

  static std::string others_of(const Hosts& hosts) {
    if (hosts.links == 1) return "its host's others";
    return "its host's others, which use its " + std::to_string(hosts.links) + " links";
  }

  /// A block on its way to `rank`, with the value that its sender held before the round.
  struct Arrival {
    Rank rank;
    Block block;
    Contributions value;
    OnReceive on_receive;
  };

  /// What reaches `rank`: blocks that it expects, that were sent, and that were there; the rest has been
  /// reported.
  std::vector<Arrival> arrivals(const std::vector<Step>& steps, Rank rank) const {
    std::vector<Arrival> result;
    const Step& step = steps[static_cast<std::size_t>(rank)];
    if (!is_peer(rank, step.receive.peer)) return result;
    const Message& sent = steps[static_cast<std::size_t>(step.receive.peer)].send;
    const Holdings& source = held_[static_cast<std::size_t>(step.receive.peer)];
    for (const Block block : step.receive.blocks) {
      const auto found = source.find(block);
      if (sent.peer == rank && sent.blocks.contains(block) && found != source.end()) {
        result.push_back({rank, block, found->second, step.on_receive});
      }
    }
    return result;
  }

  void take(Arrival arrival) {
    Holdings& held = held_[static_cast<std::size_t>(arrival.rank)];
    if (arrival.on_receive != OnReceive::store && !held.contains(arrival.block))
      report(arrival.rank, arrival.block, "combines what it receives with a block that it does not hold");
    Contributions& own = held[arrival.block];
    switch (arrival.on_receive) {
      case OnReceive::store:
        own = std::move(arrival.value);
        break;
      case OnReceive::combine_left:
        own = arrival.value.combined_with(own);
        break;
      case OnReceive::combine_right:
        own = own.combined_with(arrival.value);
        break;
    }
  }

  void combine(Rank rank, const Combination& combination) {
    Holdings& held = held_[static_cast<std::size_t>(rank)];
    for (const Block block : {combination.from, combination.into}) {
      if (!held.contains(block)) report(rank, block, "combines a block that it does not hold");
    }
    held[combination.into] = held[combination.from].combined_with(held[combination.into]);
  }

  bool is_as_promised(const Contributions& value, const Contributions& promised) const {
    return (order_matters(schedule_.problem) ? value : value.sorted()) == promised;
  }

  void check_postcondition() {
    for (Rank rank = 0; rank < ranks(); ++rank) {
      const Holdings& held = held_[static_cast<std::size_t>(rank)];
      for (const auto& [block, value] : postcondition(schedule_.problem, rank)) {
        const auto found = held.find(block);
        if (found == held.end()) {
          report(rank, block, "ends without a block that it was promised");
        } else if (!is_as_promised(found->second, value)) {
          report(rank, block,
                 "ends with a value that does not hold each contribution exactly once, or in another order");
        }
      }
    }
  }

  const Schedule& schedule_;
  const Links& links_;
  std::vector<RankSchedule> of_rank_;
  std::vector<Holdings> held_;
  Round round_ = 0;
  std::vector<Violation> violations_;
};

}  // namespace

Links ring_links(Rank ranks) {
  return [last = ranks - 1](Rank from, Rank to) {
    const Rank lower = std::min(from, to);
    const Rank higher = std::max(from, to);
    return higher == lower + 1 || (lower == 0 && higher == last);
  };
}

std::vector<Violation> verify(const Schedule& schedule, const Links& links) {
  require_valid(schedule.problem);
  return Play(schedule, links).violations();
}

std::vector<Violation> verify(const Schedule& schedule) {
  return verify(schedule, [](Rank, Rank) { return true; });
}

}  // namespace rota
