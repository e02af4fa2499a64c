#include "rota/generators/all_to_many/whole_over_links.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rota/generators/all_to_many/on_hosts.hpp"
#include "rota/generators/all_to_many/placed.hpp"

namespace rota {

namespace {

std::size_t index(Rank number) { return static_cast<std::size_t>(number); }

/// What carries one message at a time: a rank one way, or a link one way.
struct Port {
  bool is_free = true;
  Round next = 0;
};

/// A rank one way: what it has left to do, and which of its messages have not started yet.
struct End {
  Port port;
  std::vector<std::size_t> messages;
  std::int64_t left = 0;
};

/// A host's links one way, and its ranks.
struct Gate {
  std::vector<Port> links;
  std::vector<End*> ends;
  std::int64_t left = 0;

  Port* free_link() {
    const auto found = std::ranges::find_if(links, &Port::is_free);
    return found == links.end() ? nullptr : &*found;
  }
};

/// All ranks and hosts one way, out or in.
struct Way {
  explicit Way(const Hosts& hosts)
      : ends(hosts.of_rank.size()),
        gates(hosts.ranks.size(), Gate{std::vector<Port>(index(hosts.links)), {}, 0}) {
    for (std::size_t rank = 0; rank < ends.size(); ++rank)
      gates[index(hosts.of_rank[rank])].ends.push_back(&ends[rank]);
  }

  std::vector<End> ends;
  std::vector<Gate> gates;
};

/// A message that is through at `end`, and what it occupies until then.
struct Running {
  std::int64_t end;
  std::size_t message;
  std::array<Port*, 4> ports;

  bool operator>(const Running& other) const {
    return std::tie(end, message) > std::tie(other.end, other.message);
  }
};

class OpenShop {
 public:
  OpenShop(std::vector<Shipment> shipments, const Hosts& hosts, std::int64_t start_bytes)
      : shipments_(std::move(shipments)), hosts_(hosts), start_bytes_(start_bytes), out_(hosts), in_(hosts) {
    for (std::size_t i = 0; i < shipments_.size(); ++i) {
      add_left(i, time_of(i));
      for (End* const end : ends_of(i)) end->messages.push_back(i);
    }
  }

  /// All messages with their rounds.
  Timed play() && {
    for (Gate& gate : out_.gates) start_at(gate);
    while (!running_.empty()) {
      const std::int64_t now = running_.top().end;
      std::vector<Gate*> freed;
      for (; !running_.empty() && running_.top().end == now; running_.pop()) {
        for (Port* const port : running_.top().ports) port->is_free = true;
        add_left(running_.top().message, -time_of(running_.top().message));
        for (Gate* const gate : gates_of(running_.top().message)) freed.push_back(gate);
      }
      now_ = now;
      for (Gate* const gate : freed) start_at(*gate);
    }
    return std::move(timed_);
  }

 private:
  std::int64_t time_of(std::size_t message) const { return shipments_[message].bytes + start_bytes_; }
  End& sender_of(std::size_t message) { return out_.ends[index(shipments_[message].from)]; }
  End& receiver_of(std::size_t message) { return in_.ends[index(shipments_[message].to)]; }
  Gate& out_of(std::size_t message) {
    return out_.gates[index(hosts_.of_rank[index(shipments_[message].from)])];
  }
  Gate& into(std::size_t message) { return in_.gates[index(hosts_.of_rank[index(shipments_[message].to)])]; }
  std::array<End*, 2> ends_of(std::size_t message) { return {&sender_of(message), &receiver_of(message)}; }
  std::array<Gate*, 2> gates_of(std::size_t message) { return {&out_of(message), &into(message)}; }

  void add_left(std::size_t message, std::int64_t time) {
    for (End* const end : ends_of(message)) end->left += time;
    for (Gate* const gate : gates_of(message)) gate->left += time;
  }

  bool can_start(std::size_t message) {
    return sender_of(message).port.is_free && receiver_of(message).port.is_free &&
           out_of(message).free_link() != nullptr && into(message).free_link() != nullptr;
  }

  /// Of its ports the one with most left to do; among several messages, the longest.
  std::pair<std::int64_t, std::int64_t> urgency(std::size_t message) {
    const std::int64_t ranks = std::max(sender_of(message).left, receiver_of(message).left);
    const std::int64_t gates = std::max(out_of(message).left, into(message).left);
    return {std::max(ranks, gates / hosts_.links), shipments_[message].bytes};
  }

  /// As many as can, of ranks that have most left first; what needs no link of a gate that has become free
  /// cannot have become able to start.
  void start_at(Gate& gate) {
    std::ranges::sort(gate.ends, [](const End* one, const End* other) {
      return std::pair(-one->left, one) < std::pair(-other->left, other);
    });
    for (End* const end : gate.ends) {
      if (gate.free_link() == nullptr) return;
      if (end->port.is_free) start_best_of(*end);
    }
  }

  void start_best_of(const End& end) {
    std::size_t best = shipments_.size();
    for (const std::size_t each : end.messages) {
      if (can_start(each) && (best == shipments_.size() || urgency(each) > urgency(best))) best = each;
    }
    if (best < shipments_.size()) start(best);
  }

  void start(std::size_t message) {
    const std::array<Port*, 4> ports{&sender_of(message).port, &receiver_of(message).port,
                                     out_of(message).free_link(), into(message).free_link()};
    for (const Port* const port : ports) round_ = std::max(round_, port->next);
    for (Port* const port : ports) *port = {false, round_ + 1};
    for (End* const end : ends_of(message)) std::erase(end->messages, message);
    running_.push({now_ + time_of(message), message, ports});
    const Shipment& shipment = shipments_[message];
    timed_.parcels.push_back({shipment.from, {shipment.to, 0, shipment.bytes}, round_});
    timed_.rounds = round_ + 1;
  }

  std::vector<Shipment> shipments_;
  const Hosts& hosts_;
  std::int64_t start_bytes_;
  Way out_;
  Way in_;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  std::int64_t now_ = 0;
  Round round_ =
      0;  // no message is in a round before one that started earlier: links take them in that order
  Timed timed_;
};

}  // namespace

Schedule whole_messages_over_links(const std::shared_ptr<const Pattern>& pattern,
                                   const std::shared_ptr<const Hosts>& hosts, std::int64_t start_bytes,
                                   std::uint64_t seed) {
  require_same_ranks(*pattern, *hosts);
  if (start_bytes < 0)
    throw std::invalid_argument("a start of " + std::to_string(start_bytes) + " bytes; give 0 or more");
  const Divided messages = divided(*pattern, *hosts);
  return schedule_on_hosts(pattern, hosts,
                           spread(in_fewest_rounds(pattern->ranks(), messages.within, seed),
                                  OpenShop(messages.between, *hosts, start_bytes).play()));
}

}  // namespace rota
