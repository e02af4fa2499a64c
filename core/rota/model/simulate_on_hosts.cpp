#include "rota/model/simulate_on_hosts.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

std::size_t at(Rank rank) { return static_cast<std::size_t>(rank); }

/// Who plays: ranks whose steps are asked for. Each rank has a player that stands for it.
struct Cast {
  std::vector<Rank> rank_of;            // by player
  std::vector<std::size_t> host_of;     // by player
  std::vector<std::size_t> player_for;  // by rank
};

Cast every_rank(const Hosts& hosts) {
  Cast cast;
  for (Rank rank = 0; at(rank) < hosts.of_rank.size(); ++rank) {
    cast.rank_of.push_back(rank);
    cast.host_of.push_back(at(hosts.of_rank[at(rank)]));
    cast.player_for.push_back(at(rank));
  }
  return cast;
}

/// Host 0's ranks, which stand for those at their places.
Cast one_host_for_all(const Hosts& hosts) {
  Cast cast;
  cast.rank_of = hosts.ranks[0];
  cast.host_of.assign(cast.rank_of.size(), 0);
  for (Rank rank = 0; at(rank) < hosts.of_rank.size(); ++rank)
    cast.player_for.push_back(at(hosts.place_of(rank)));
  return cast;
}

/// What happens, at one time in this order: messages are over, ranks go on, messages come to their links, and
/// links take what waits for them.
enum class Kind : std::uint8_t { over, reached, wired, taken };

struct Event {
  double time_s = 0;
  Kind kind = Kind::over;
  Rank place = 0;
  std::size_t player = 0;  // of a message its sender

  auto operator<=>(const Event&) const = default;
};

/// A message that waits for its links, in the order in which links take them.
struct Waiting {
  double since_s = 0;
  Rank place = 0;
  std::size_t sender = 0;

  auto operator<=>(const Waiting&) const = default;
};

/// A host's links in one direction.
struct Links {
  Rank free = 1;
  std::int64_t bytes = 0;
  std::vector<Waiting> waiting;
};

/// A player in the round that it has come to. The bytes of a message of no blocks are -1.
struct Player {
  RankSchedule steps;
  Rank place = 0;
  Round round = -1;
  std::size_t receiver = 0;
  std::size_t sender = 0;
  std::int64_t sent_bytes = -1;
  std::int64_t received_bytes = -1;
  bool within = false;  // what it sends
  bool begun = false;
  int open = 0;  // messages that are not over
  double receive_combining_s = 0;
  double combining_s = 0;
  double done_s = 0;
};

class Play {
 public:
  Play(const Schedule& schedule, const HostNetwork& network, const BlockBytes& bytes, Cast cast)
      : hosts_(*schedule.problem.hosts),
        cast_(std::move(cast)),
        rounds_(schedule.rounds),
        network_(network),
        bytes_(bytes),
        players_(cast_.rank_of.size()),
        out_(std::ranges::max(cast_.host_of) + 1, Links{hosts_.links, 0, {}}),
        in_(out_) {
    for (std::size_t i = 0; i < players_.size(); ++i) {
      players_[i].steps = schedule.of_rank(cast_.rank_of[i]);
      players_[i].place = hosts_.place_of(cast_.rank_of[i]);
      events_.push({0, Kind::reached, players_[i].place, i});
    }
  }

  void play(const OnRound& on_round) {
    constexpr std::int64_t between_looks = std::int64_t{1} << 16;
    for (std::int64_t played = 1; !events_.empty(); ++played) {
      const Event event = events_.top();
      events_.pop();
      happen(event);
      if (on_round && played % between_looks == 0) on_round(players_[0].round);
    }
    if (std::ranges::any_of(players_, [&](const Player& each) { return each.round < rounds_; }))
      throw std::invalid_argument("ranks wait for each other for ever; verify the schedule first");
    if (on_round) on_round(rounds_);
  }

  Simulation result(Basis basis) const {
    Simulation result{0, 0, {}, basis};
    for (const auto* const links : {&out_, &in_}) {
      for (const Links& each : *links) result.port_bytes = std::max(result.port_bytes, each.bytes);
    }
    for (const std::size_t player : cast_.player_for) result.finish_s.push_back(players_[player].done_s);
    result.seconds = *std::ranges::max_element(result.finish_s);
    return result;
  }

 private:
  std::size_t player_for(Rank peer) const {
    require_peer(peer, peer, static_cast<Rank>(cast_.player_for.size()));
    return cast_.player_for[at(peer)];
  }

  void happen(const Event& event) {
    switch (event.kind) {
      case Kind::over:
        return end(event.player, event.time_s);
      case Kind::reached:
        return reach(event.player, event.time_s);
      case Kind::wired:
        return wire(event.player, event.time_s);
      case Kind::taken:
        return take_waiting(event.time_s);
    }
  }

  /// The player goes on to its next round with a message, or to the end.
  void reach(std::size_t player, double now_s) {
    Player& self = players_[player];
    self.done_s = now_s;
    while (++self.round < rounds_) {
      take(player, self.steps(self.round));
      if (self.open > 0) break;
      if (self.combining_s > 0)
        return events_.push({now_s + self.combining_s, Kind::reached, self.place, player});
    }
    if (self.round >= rounds_) return;
    if (self.sent_bytes >= 0) begin(player, now_s);
    if (self.received_bytes >= 0) begin(self.sender, now_s);
  }

  void take(std::size_t player, const Step& step) {
    Player& self = players_[player];
    self.sent_bytes = self.received_bytes = -1;
    self.begun = false;
    self.open = 0;
    self.combining_s = self.receive_combining_s = 0;
    if (!step.send.blocks.empty()) {
      self.receiver = player_for(step.send.peer);
      self.within = hosts_.share(cast_.rank_of[player], step.send.peer);
      self.sent_bytes = size_of(step.send.blocks, bytes_);
      ++self.open;
    }
    if (!step.receive.blocks.empty()) {
      self.sender = player_for(step.receive.peer);
      self.received_bytes = size_of(step.receive.blocks, bytes_);
      self.receive_combining_s = combining_s(network_.links, step.on_receive, self.received_bytes);
      ++self.open;
    }
    for (const Combination& each : step.combinations)
      self.combining_s += combining_s(network_.links, OnReceive::combine_left, bytes_(each.from));
  }

  /// The message of a sender, if both its ranks are there.
  void begin(std::size_t sender, double now_s) {
    Player& from = players_[sender];
    const Player& to = players_[from.receiver];
    if (from.begun || from.sent_bytes < 0 || to.round != from.round || to.received_bytes < 0 ||
        to.sender != sender)
      return;
    from.begun = true;
    if (from.within) {
      const double over_s = now_s + network_.within_latency_s +
                            static_cast<double>(from.sent_bytes) * network_.within_seconds_per_byte;
      events_.push({over_s, Kind::over, from.place, sender});
      return;
    }
    events_.push({now_s + network_.links.latency_s, Kind::wired, from.place, sender});
  }

  /// It comes to its links; of no bytes it needs none.
  void wire(std::size_t sender, double now_s) {
    const Player& from = players_[sender];
    if (from.sent_bytes == 0) return events_.push({now_s, Kind::over, from.place, sender});
    const Waiting waiting{now_s, from.place, sender};
    out_of(sender).waiting.push_back(waiting);
    in_of(sender).waiting.push_back(waiting);
    look_at_links_of(sender, now_s);
  }

  /// Links at both ends of a sender's message may take one that waits.
  void look_at_links_of(std::size_t sender, double now_s) {
    if (changed_.empty()) events_.push({now_s, Kind::taken, 0, 0});
    changed_.push_back(&out_of(sender));
    changed_.push_back(&in_of(sender));
  }

  /// Of all that wait for these links, the first ones that find a link free at both ends.
  void take_waiting(double now_s) {
    std::vector<Waiting> all;
    for (const Links* const links : changed_)
      all.insert(all.end(), links->waiting.begin(), links->waiting.end());
    changed_.clear();
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    for (const Waiting& each : all) {
      if (out_of(each.sender).free > 0 && in_of(each.sender).free > 0) occupy(each, now_s);
    }
  }

  void occupy(const Waiting& message, double now_s) {
    const Player& from = players_[message.sender];
    for (Links* const links : {&out_of(message.sender), &in_of(message.sender)}) {
      --links->free;
      links->bytes += from.sent_bytes;
      std::erase(links->waiting, message);
    }
    const double over_s = now_s + static_cast<double>(from.sent_bytes) * network_.links.seconds_per_byte;
    events_.push({over_s, Kind::over, from.place, message.sender});
  }

  void end(std::size_t sender, double now_s) {
    const Player& from = players_[sender];
    const std::size_t receiver = from.receiver;
    if (!from.within && from.sent_bytes > 0) {
      ++out_of(sender).free;
      ++in_of(sender).free;
      look_at_links_of(sender, now_s);
    }
    close(sender, now_s);
    close(receiver, now_s + players_[receiver].receive_combining_s);
  }

  Links& out_of(std::size_t sender) { return out_[cast_.host_of[sender]]; }
  Links& in_of(std::size_t sender) { return in_[cast_.host_of[players_[sender].receiver]]; }

  void close(std::size_t player, double done_s) {
    Player& self = players_[player];
    self.done_s = std::max(self.done_s, done_s);
    if (--self.open > 0) return;
    events_.push({self.done_s + self.combining_s, Kind::reached, self.place, player});
  }

  const Hosts& hosts_;
  Cast cast_;
  Round rounds_;
  const HostNetwork& network_;
  const BlockBytes& bytes_;
  std::vector<Player> players_;
  std::vector<Links> out_;  // by host
  std::vector<Links> in_;
  std::vector<Links*> changed_;  // some became free, or have more that wait
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

void require_hosts(const Schedule& schedule) {
  if (!schedule.problem.hosts) throw std::invalid_argument("no hosts; say which ranks share one");
}

/// Have the owners at one place data of one size on all hosts?
bool have_alike(const Schedule& schedule, const BlockBytes& bytes) {
  const Hosts& hosts = *schedule.problem.hosts;
  for (const Rank owner : owners_of(schedule.problem)) {
    const Rank first = hosts.ranks[0][at(hosts.place_of(owner))];
    for (BlockIndex index = 0; index < schedule.problem.blocks; ++index) {
      if (bytes({owner, index}) != bytes({first, index})) return false;
    }
  }
  return true;
}

Simulation played(Play play, const OnRound& on_round, Basis basis) {
  play.play(on_round);
  return play.result(basis);
}

}  // namespace

Simulation simulate_all_hosts(const Schedule& schedule, const HostNetwork& network, const BlockBytes& bytes,
                              const OnRound& on_round) {
  require_hosts(schedule);
  return played({schedule, network, bytes, every_rank(*schedule.problem.hosts)}, on_round, Basis::every_rank);
}

Simulation simulate_on_hosts(const Schedule& schedule, const HostNetwork& network, const BlockBytes& bytes,
                             const OnRound& on_round) {
  require_hosts(schedule);
  const bool are_alike = schedule.symmetry == Symmetry::rotation_of_hosts && have_alike(schedule, bytes);
  if (!are_alike) return simulate_all_hosts(schedule, network, bytes, on_round);
  return played({schedule, network, bytes, one_host_for_all(*schedule.problem.hosts)}, on_round,
                Basis::one_host_for_all);
}

}  // namespace rota
