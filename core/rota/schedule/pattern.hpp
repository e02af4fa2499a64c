// Who sends how many bytes to whom: the communication matrix of all-to-many personalized communication, as sparse as it is.
//
//            to 0   1   2   3                   row of rank 0: 1 (30 bytes), 3 (10 bytes)
//   from 0      .  30   .  10   sent 40         degree D        2: ranks 0 and 2 send two messages, 3 receives two
//        1      .   .   .  20        20         port bytes      40: rank 0 sends so many, 0 and 3 are as busy or less
//        2     15   .   .   5        20
//        3      .   .  25   .        25         No schedule has fewer than D rounds, or passes fewer bytes through its
//   received   15  30  25  35                   busiest port.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rota/schedule/types.hpp"

namespace rota {

/// `bytes` that rank `from` has for rank `to`.
struct Shipment {
  Rank from = 0;
  Rank to = 0;
  std::int64_t bytes = 0;
};

/// A communication matrix. What a rank has for itself is copied, not sent: it is no message, and no part of
/// degrees or sums. Neither is what has no bytes.
class Pattern {
 public:
  /// Among `ranks` ranks, in any order. Throws std::invalid_argument for ranks < 1, a rank that is none,
  /// bytes < 0, a pair of ranks named twice, and sums beyond 2^62. O(ranks + shipments).
  Pattern(Rank ranks, std::span<const Shipment> shipments);

  /// One rank's messages: to whom, in increasing order, and of how many bytes.
  struct Row {
    std::span<const Rank> to;
    std::span<const std::int64_t> bytes;

    std::size_t size() const { return to.size(); }
  };

  Rank ranks() const { return ranks_; }
  Row row(Rank from) const;

  /// All messages, in the order of senders and then of receivers.
  std::vector<Shipment> shipments() const;
  std::int64_t messages() const { return static_cast<std::int64_t>(to_.size()); }
  std::int64_t total_bytes() const { return total_bytes_; }

  /// D, the most messages that one rank sends, or receives.
  Rank degree() const { return degree_; }

  /// The largest row or column sum: the most bytes that one rank sends, or receives.
  std::int64_t port_bytes() const { return port_bytes_; }

  /// Of all messages together, what ranks have for themselves.
  std::int64_t local_bytes() const { return local_bytes_; }

  bool operator==(const Pattern&) const = default;

 private:
  void sort_in(std::span<const Shipment> shipments);
  void require_no_repetition() const;
  void measure();

  Rank ranks_;
  std::vector<std::size_t> row_begins_;
  std::vector<Rank> to_;
  std::vector<std::int64_t> bytes_;
  Rank degree_ = 0;
  std::int64_t port_bytes_ = 0;
  std::int64_t total_bytes_ = 0;
  std::int64_t local_bytes_ = 0;
};

/// What passes one rank's port one way.
struct PortLoad {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// Of every rank: what it sends, and what it receives.
struct PortLoads {
  std::vector<PortLoad> sent;
  std::vector<PortLoad> received;
};

/// O(ranks + messages).
PortLoads port_loads(const Pattern& pattern);

}  // namespace rota
