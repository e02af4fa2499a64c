#include "rota/model/in_flight.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rota/model/player.hpp"

namespace rota {

namespace {

/// The message of a round from one rank to another. They pass in the order of rounds.
struct Passage {
  Round round = 0;
  Rank sender = 0;
  Rank receiver = 0;
  std::int64_t bytes = 0;

  auto operator<=>(const Passage&) const = default;
};

/// One way in or out of a rank: one message after the other, of those that are there that of the first round.
class Port {
 public:
  void wait(const Passage& passage) { waiting_.insert(passage); }
  void leave() { is_busy_ = false; }

  std::optional<Passage> enter() {
    if (is_busy_ || waiting_.empty()) return std::nullopt;
    is_busy_ = true;
    bytes_ += waiting_.begin()->bytes;
    return waiting_.extract(waiting_.begin()).value();
  }

  /// That have passed.
  std::int64_t bytes() const { return bytes_; }

 private:
  bool is_busy_ = false;
  std::int64_t bytes_ = 0;
  std::set<Passage> waiting_;
};

/// What happens; at one and the same time in this order.
enum class Kind : std::uint8_t { is_out, is_in, is_taken, is_answered, may_leave, comes, has_processor };

struct Event {
  double at_s = 0;
  Kind kind = Kind::is_out;
  Passage passage;  // of a processor: its rank is the sender

  auto operator<=>(const Event&) const = default;
};

class Flight {
 public:
  Flight(const Schedule& schedule, Round in_flight, const Machines& machines, const BlockBytes& bytes,
         const OnRound& on_round)
      : machines_(machines),
        bytes_(bytes),
        on_round_(on_round),
        hosts_(static_cast<std::size_t>(schedule.problem.ranks)) {
    result_.finish_s.resize(hosts_.size());
    players_.reserve(hosts_.size());
    for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
      players_.emplace_back(schedule.of_rank(rank), schedule.rounds, in_flight);
    }
  }

  InFlightSimulation play() && {
    for (Rank rank = 0; rank < ranks(); ++rank) wake(rank);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_s_ = event.at_s;
      happen(event);
    }
    for (Rank rank = 0; rank < ranks(); ++rank) {
      require_through(rank);
      result_.port_bytes = std::max({result_.port_bytes, host(rank).out.bytes(), host(rank).in.bytes()});
    }
    return std::move(result_);
  }

 private:
  /// A rank's processor, and its port each way.
  struct Host {
    Task doing = Task::none;
    const MessageEnd* awaited = nullptr;
    double awaited_since_s = 0;
    Port out;
    Port in;
  };

  Rank ranks() const { return static_cast<Rank>(players_.size()); }
  Player& player(Rank rank) { return players_[static_cast<std::size_t>(rank)]; }
  Host& host(Rank rank) { return hosts_[static_cast<std::size_t>(rank)]; }
  void at(double time_s, Kind kind, const Passage& passage) { events_.push({time_s, kind, passage}); }
  double awake_s(Rank rank, double from_s) const { return rota::awake_s(machines_.pauses, rank, from_s); }
  void wake(Rank rank) { at(looks_s(rank, now_s_), Kind::has_processor, {0, rank, rank, 0}); }

  /// When a rank's processor hears of what happens to its messages.
  double looks_s(Rank rank, double from_s) {
    const Host& one = host(rank);
    if (one.awaited == nullptr || machines_.nap_s == 0) return awake_s(rank, from_s);
    constexpr double rounding = 1e-9;
    const double naps = std::ceil((from_s - one.awaited_since_s) / machines_.nap_s - rounding);
    return awake_s(rank, std::max(from_s, one.awaited_since_s + naps * machines_.nap_s));
  }

  void happen(const Event& event) {
    const Passage& passage = event.passage;
    switch (event.kind) {
      case Kind::is_answered:
        return at(looks_s(passage.sender, now_s_), Kind::may_leave, passage);
      case Kind::may_leave:
        host(passage.sender).out.wait(passage);
        return let_out(passage.sender);
      case Kind::is_out:
        host(passage.sender).out.leave();
        return let_out(passage.sender);
      case Kind::comes:
        host(passage.receiver).in.wait(passage);
        return let_in(passage.receiver);
      case Kind::is_in:
        host(passage.receiver).in.leave();
        let_in(passage.receiver);
        return arrive(passage);
      case Kind::is_taken:
        return take(passage);
      case Kind::has_processor:
        return go_on(passage.sender);
    }
  }

  // The processor of a rank.

  /// Does what can be done, until that takes time or there is nothing left to do.
  void go_on(Rank rank) {
    finish(rank, std::exchange(host(rank).doing, Task::none));
    for (;;) {
      while (player(rank).may_begin()) begin(rank);
      const Task task = player(rank).next();
      if (task == Task::none) {
        if (player(rank).is_through() || !wait(rank)) return;
        continue;
      }
      const double takes_s = seconds_of(rank, task);
      if (takes_s == 0) {
        finish(rank, task);
        continue;
      }
      host(rank).doing = task;
      return at(worked_s(machines_.pauses, rank, now_s_, takes_s), Kind::has_processor, {0, rank, rank, 0});
    }
  }

  /// Is there something to do after a look? If not, the end of a message will wake the rank.
  bool wait(Rank rank) {
    Player& waiting = player(rank);
    const MessageEnd& oldest = waiting.oldest();
    if (oldest.is_over || machines_.waits == Waits::for_any) waiting.look();
    if (waiting.next() != Task::none) return true;
    host(rank).awaited = &oldest;
    host(rank).awaited_since_s = now_s_;
    return false;
  }

  double seconds_of(Rank rank, Task task) {
    const Turn& turn = player(rank).turn(player(rank).round_of(task));
    if (task == Task::send) return turn.send.bytes > 0 ? machines_.overhead_s : 0;
    if (task == Task::arrive) return turn.receive.bytes > 0 ? machines_.overhead_s : 0;
    if (task != Task::settle) return 0;
    std::int64_t combined = turn.step.on_receive == OnReceive::store ? 0 : turn.receive.bytes;
    for (const Combination& each : turn.step.combinations) combined += bytes_(each.from);
    return static_cast<double>(combined) * machines_.network.seconds_per_combined_byte;
  }

  void finish(Rank rank, Task task) {
    if (task == Task::none) return;
    const Round round = player(rank).round_of(task)++;
    if (task == Task::send) post(rank, round);
    if (task == Task::settle) tell();
    if (player(rank).is_through()) result_.finish_s[static_cast<std::size_t>(rank)] = now_s_;
    result_.seconds = now_s_;
  }

  void begin(Rank rank) {
    const Round round = player(rank).begun();
    player(rank).begin(bytes_);
    const Turn& turn = player(rank).turn(round);
    if (turn.send.bytes > 0) notice_drift(rank, turn.step.send.peer, round);
    if (turn.receive.bytes == 0) return;
    const Rank sender = turn.step.receive.peer;
    notice_drift(rank, sender, round);
    if (!player(sender).has_sent(round)) return;
    const Passage passage{round, sender, rank, turn.receive.bytes};
    if (is_rendezvous(passage)) return shake_hands(passage);
    if (player(sender).turn(round).has_arrived) at(now_s_, Kind::is_taken, passage);
  }

  void post(Rank rank, Round round) {
    const Turn& turn = player(rank).turn(round);
    if (turn.send.bytes == 0) return;
    const Passage passage{round, rank, turn.step.send.peer, turn.send.bytes};
    const Player& receiver = player(passage.receiver);
    result_.unasked = std::max(result_.unasked, player(rank).unasked(passage.receiver, receiver.begun()));
    if (!is_rendezvous(passage)) return at(now_s_, Kind::may_leave, passage);
    if (receiver.has_asked(rank, round)) shake_hands(passage);
  }

  // Messages on their way.

  bool is_rendezvous(const Passage& passage) const { return passage.bytes >= machines_.rendezvous_from; }

  /// The receiver answers, and the sender hears of it.
  void shake_hands(const Passage& passage) {
    at(looks_s(passage.receiver, now_s_) + machines_.handshake_s, Kind::is_answered, passage);
  }

  double port_s(const Passage& passage) const {
    return static_cast<double>(passage.bytes) * machines_.network.seconds_per_byte;
  }

  /// Its first byte comes a latency after it has left.
  void let_out(Rank sender) {
    const std::optional<Passage> next = host(sender).out.enter();
    if (!next) return;
    at(now_s_ + port_s(*next), Kind::is_out, *next);
    at(now_s_ + machines_.network.latency_s, Kind::comes, *next);
  }

  void let_in(Rank receiver) {
    const std::optional<Passage> next = host(receiver).in.enter();
    if (next) at(now_s_ + port_s(*next), Kind::is_in, *next);
  }

  void arrive(const Passage& passage) {
    player(passage.sender).turn(passage.round).has_arrived = true;
    if (!player(passage.receiver).has_asked(passage.sender, passage.round)) return;
    // That a short message has found its receiver, the receiver's processor must say.
    const bool is_known = is_rendezvous(passage);
    at(is_known ? now_s_ : looks_s(passage.receiver, now_s_), Kind::is_taken, passage);
  }

  void take(const Passage& passage) {
    end(passage.sender, player(passage.sender).turn(passage.round).send);
    end(passage.receiver, player(passage.receiver).turn(passage.round).receive);
  }

  void end(Rank rank, MessageEnd& transfer) {
    transfer.is_over = true;
    const MessageEnd*& awaited = host(rank).awaited;
    if (awaited == nullptr || (awaited != &transfer && machines_.waits == Waits::for_oldest)) return;
    wake(rank);
    awaited = nullptr;
  }

  // What is noticed.

  /// A rank begins a round that it shares with another: how far ahead is that one?
  void notice_drift(Rank rank, Rank peer, Round round) {
    require_peer(rank, peer, ranks());
    result_.drift = std::max(result_.drift, player(peer).begun() - round);
  }

  void tell() {
    if (++settled_ % ranks() == 0 && on_round_) on_round_(settled_ / ranks());
  }

  void require_through(Rank rank) {
    if (player(rank).is_through()) return;
    throw std::invalid_argument("rank " + std::to_string(rank) + ", in round " +
                                std::to_string(player(rank).begun() - 1) +
                                ", waits forever for a message; verify the schedule first");
  }

  const Machines& machines_;
  const BlockBytes& bytes_;
  const OnRound& on_round_;
  std::vector<Player> players_;
  std::vector<Host> hosts_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  double now_s_ = 0;
  std::int64_t settled_ = 0;  // steps of all ranks
  InFlightSimulation result_;
};

}  // namespace

InFlightSimulation simulate_in_flight(const Schedule& schedule, Round in_flight, const Machines& machines,
                                      const BlockBytes& bytes, const OnRound& on_round) {
  require_valid(schedule.problem);
  if (in_flight < 1)
    throw std::invalid_argument(std::to_string(in_flight) + " rounds in flight; give 1 or more");
  // More than all rounds make no difference.
  return Flight(schedule, std::min(in_flight, schedule.rounds + 1), machines, bytes, on_round).play();
}

}  // namespace rota
