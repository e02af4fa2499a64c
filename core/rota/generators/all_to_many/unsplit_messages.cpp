#include "rota/generators/all_to_many/unsplit_messages.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "rota/generators/all_to_many/exact_permutations.hpp"
#include "rota/model/all_to_many_bound.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }

/// One direction of one rank.
struct Port {
  std::vector<std::size_t> messages;  // not started yet
  std::int64_t left = 0;              // what these and the running one take
  bool is_free = true;
  std::size_t number = 0;  // senders first
};

/// A message that is through at `end`.
struct Running {
  std::int64_t end;
  std::size_t message;

  bool operator>(const Running& other) const {
    return std::tie(end, message) > std::tie(other.end, other.message);
  }
};

class OpenShop {
 public:
  OpenShop(const Pattern& pattern, std::int64_t start_bytes)
      : shipments_(pattern.shipments()),
        start_bytes_(start_bytes),
        senders_(index(pattern.ranks())),
        receivers_(index(pattern.ranks())) {
    std::size_t ports = 0;
    for (Port& port : senders_) port.number = ports++;
    for (Port& port : receivers_) port.number = ports++;
    for (std::size_t i = 0; i < shipments_.size(); ++i) {
      for (Port* const port : {&sender_of(i), &receiver_of(i)}) {
        port->messages.push_back(i);
        port->left += time_of(i);
      }
    }
  }

  /// The messages in the order in which they start.
  std::vector<TimedParcel> play() && {
    std::vector<Port*> freed;
    freed.reserve(senders_.size());
    for (Port& port : senders_) freed.push_back(&port);
    start_at(freed);
    while (!running_.empty()) {
      now_ = running_.top().end;
      freed.clear();
      for (; !running_.empty() && running_.top().end == now_; running_.pop()) {
        for (Port* const port : {&sender_of(running_.top().message), &receiver_of(running_.top().message)}) {
          port->is_free = true;
          port->left -= time_of(running_.top().message);
          freed.push_back(port);
        }
      }
      start_at(freed);
    }
    return std::move(started_);
  }

 private:
  Port& sender_of(std::size_t message) { return senders_[index(shipments_[message].from)]; }
  Port& receiver_of(std::size_t message) { return receivers_[index(shipments_[message].to)]; }
  std::int64_t time_of(std::size_t message) const { return shipments_[message].bytes + start_bytes_; }

  /// No other ports can have become able to start something.
  void start_at(std::vector<Port*>& freed) {
    std::ranges::sort(freed, [](const Port* one, const Port* other) {
      return std::pair(-one->left, one->number) < std::pair(-other->left, other->number);
    });
    for (Port* const port : freed) {
      if (port->is_free) start_best_of(*port);
    }
  }

  /// The message whose other port is free and has most left to do; among several, the longest.
  void start_best_of(Port& port) {
    const bool is_sender = port.number < senders_.size();
    std::pair<std::int64_t, std::int64_t> best{-1, -1};
    std::size_t position = 0;
    for (std::size_t i = 0; i < port.messages.size(); ++i) {
      const std::size_t message = port.messages[i];
      const Port& other = is_sender ? receiver_of(message) : sender_of(message);
      const std::pair value(other.left, shipments_[message].bytes);
      if (other.is_free && value > best) {
        best = value;
        position = i;
      }
    }
    if (best.first >= 0) start(port.messages[position]);
  }

  void start(std::size_t message) {
    for (Port* const port : {&sender_of(message), &receiver_of(message)}) {
      port->messages.erase(std::ranges::find(port->messages, message));
      port->is_free = false;
    }
    running_.push({now_ + time_of(message), message});
    const Shipment& shipment = shipments_[message];
    started_.push_back({shipment.from, {shipment.to, 0, shipment.bytes}});
  }

  std::vector<Shipment> shipments_;
  std::int64_t start_bytes_;
  std::vector<Port> senders_;
  std::vector<Port> receivers_;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
  std::int64_t now_ = 0;
  std::vector<TimedParcel> started_;
};

}  // namespace

Schedule unsplit_messages_with_start(const std::shared_ptr<const Pattern>& pattern,
                                     std::int64_t start_bytes) {
  if (start_bytes < 0)
    throw std::invalid_argument("a start of " + std::to_string(start_bytes) + " bytes; give 0 or more");
  Schedule listed_order = ordered_schedule(pattern, OpenShop(*pattern, start_bytes).play());
  Schedule colours = exact_permutations(pattern, 0);
  colours.round_bytes = nullptr;
  const Network network{static_cast<double>(start_bytes), 1, 0};
  const bool are_colours_shorter =
      unsynchronised_seconds(colours, network) < unsynchronised_seconds(listed_order, network);
  return are_colours_shorter ? colours : listed_order;
}

Schedule unsplit_messages(const std::shared_ptr<const Pattern>& pattern, std::uint64_t /*seed*/) {
  return unsplit_messages_with_start(pattern, 0);
}

}  // namespace rota
