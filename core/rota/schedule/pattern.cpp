#include "rota/schedule/pattern.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rota {

namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 62;

[[noreturn]] void refuse(const Shipment& shipment, const std::string& fault) {
  throw std::invalid_argument("from rank " + std::to_string(shipment.from) + " to rank " +
                              std::to_string(shipment.to) + ": " + fault);
}

void require_valid(Rank ranks, const Shipment& shipment) {
  for (const Rank rank : {shipment.from, shipment.to}) {
    if (rank < 0 || rank >= ranks) refuse(shipment, "ranks are 0.." + std::to_string(ranks - 1));
  }
  if (shipment.bytes < 0) refuse(shipment, std::to_string(shipment.bytes) + " bytes; give 0 or more");
}

std::int64_t sum(std::int64_t left, std::int64_t right) {
  if (left > most_bytes - right) {
    throw std::invalid_argument("all messages together have more than 2^62 bytes; give smaller sizes");
  }
  return left + right;
}

bool is_sent(const Shipment& shipment) { return shipment.bytes > 0 && shipment.from != shipment.to; }

/// The shipments that are messages, in the order of key(shipment), and otherwise in the order that they were
/// in.
template <class Key>
std::vector<Shipment> sorted(Rank ranks, std::span<const Shipment> shipments, const Key& key) {
  std::vector<std::size_t> next(static_cast<std::size_t>(ranks) + 1);
  for (const Shipment& each : shipments) ++next[static_cast<std::size_t>(key(each)) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<Shipment> result(shipments.size());
  for (const Shipment& each : shipments) result[next[static_cast<std::size_t>(key(each))]++] = each;
  return result;
}

}  // namespace

Pattern::Pattern(Rank ranks, std::span<const Shipment> shipments) : ranks_(ranks) {
  if (ranks < 1) throw std::invalid_argument(std::to_string(ranks) + " ranks; a pattern needs at least 1");
  for (const Shipment& each : shipments) require_valid(ranks, each);
  sort_in(shipments);
  require_no_repetition();
  measure();
}

void Pattern::sort_in(std::span<const Shipment> shipments) {
  std::vector<Shipment> sent;
  sent.reserve(shipments.size());
  for (const Shipment& each : shipments) {
    if (is_sent(each)) {
      sent.push_back(each);
    } else {
      local_bytes_ = sum(local_bytes_, each.bytes);
    }
  }
  sent = sorted(ranks_, sent, [](const Shipment& each) { return each.to; });
  sent = sorted(ranks_, sent, [](const Shipment& each) { return each.from; });
  row_begins_.assign(static_cast<std::size_t>(ranks_) + 1, 0);
  to_.reserve(sent.size());
  bytes_.reserve(sent.size());
  for (const Shipment& each : sent) {
    ++row_begins_[static_cast<std::size_t>(each.from) + 1];
    to_.push_back(each.to);
    bytes_.push_back(each.bytes);
  }
  for (std::size_t i = 1; i < row_begins_.size(); ++i) row_begins_[i] += row_begins_[i - 1];
}

void Pattern::require_no_repetition() const {
  for (Rank from = 0; from < ranks_; ++from) {
    const Row messages = row(from);
    const auto found = std::ranges::adjacent_find(messages.to);
    if (found != messages.to.end()) refuse({from, *found}, "named twice; give each pair of ranks once");
  }
}

void Pattern::measure() {
  for (const std::int64_t bytes : bytes_) total_bytes_ = sum(total_bytes_, bytes);
  const PortLoads loads = port_loads(*this);
  for (const auto* const direction : {&loads.sent, &loads.received}) {
    for (const PortLoad& load : *direction) {
      degree_ = std::max(degree_, static_cast<Rank>(load.messages));
      port_bytes_ = std::max(port_bytes_, load.bytes);
    }
  }
}

Pattern::Row Pattern::row(Rank from) const {
  const std::size_t begin = row_begins_[static_cast<std::size_t>(from)];
  const std::size_t size = row_begins_[static_cast<std::size_t>(from) + 1] - begin;
  return {std::span(to_).subspan(begin, size), std::span(bytes_).subspan(begin, size)};
}

std::vector<Shipment> Pattern::shipments() const {
  std::vector<Shipment> result;
  result.reserve(to_.size());
  for (Rank from = 0; from < ranks_; ++from) {
    const Row messages = row(from);
    for (std::size_t i = 0; i < messages.size(); ++i)
      result.push_back({from, messages.to[i], messages.bytes[i]});
  }
  return result;
}

PortLoads port_loads(const Pattern& pattern) {
  const auto ranks = static_cast<std::size_t>(pattern.ranks());
  PortLoads loads{std::vector<PortLoad>(ranks), std::vector<PortLoad>(ranks)};
  for (std::size_t from = 0; from < ranks; ++from) {
    const Pattern::Row messages = pattern.row(static_cast<Rank>(from));
    for (std::size_t i = 0; i < messages.size(); ++i) {
      for (PortLoad* const load :
           {&loads.sent[from], &loads.received[static_cast<std::size_t>(messages.to[i])]}) {
        ++load->messages;
        load->bytes += messages.bytes[i];
      }
    }
  }
  return loads;
}

}  // namespace rota
