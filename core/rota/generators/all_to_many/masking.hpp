// What both masking algorithms of paper 2 share: permutations, one after the other, in each of which every rank in turn takes
// one of its messages that are left.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rota/matchings/random.hpp"
#include "rota/schedule/parcels.hpp"

namespace rota {

/// A message that is left, of a sender that is known.
struct LeftMessage {
  Rank to = 0;
  std::int64_t bytes = 0;
};

/// Every rank's messages, in increasing order of receivers.
inline std::vector<std::vector<LeftMessage>> rows_of(const Pattern& pattern) {
  std::vector<std::vector<LeftMessage>> rows(static_cast<std::size_t>(pattern.ranks()));
  for (Rank from = 0; from < pattern.ranks(); ++from) {
    const Pattern::Row row = pattern.row(from);
    for (std::size_t i = 0; i < row.size(); ++i)
      rows[static_cast<std::size_t>(from)].push_back({row.to[i], row.bytes[i]});
  }
  return rows;
}

/// Figures 4 and 6, step 2: a random first rank; then each in turn takes a message to a receiver that is
/// still free. take(row, is_free) removes that message from the row and returns it; nothing, if there is
/// none. Rounds go on until no message is left.
template <class Take>
Schedule masked(const std::shared_ptr<const Pattern>& pattern, std::vector<std::vector<LeftMessage>> rows,
                Random& random, const Take& take) {
  const std::size_t ranks = rows.size();
  const auto messages = static_cast<std::size_t>(pattern->messages());
  std::vector<TimedParcel> parcels;
  parcels.reserve(messages);
  std::vector<Round> taken_in(ranks, -1);  // by receiver: the last round in which it receives
  Round round = 0;
  for (; parcels.size() < messages; ++round) {
    const auto is_free = [&](const LeftMessage& message) {
      return taken_in[static_cast<std::size_t>(message.to)] != round;
    };
    std::size_t from = random.below(static_cast<std::uint32_t>(ranks));
    for (std::size_t k = 0; k < ranks; ++k) {
      if (const std::optional<LeftMessage> taken = take(rows[from], is_free)) {
        taken_in[static_cast<std::size_t>(taken->to)] = round;
        parcels.push_back({static_cast<Rank>(from), {taken->to, 0, taken->bytes}, round});
      }
      from = from + 1 == ranks ? 0 : from + 1;
    }
  }
  return timed_schedule(pattern, parcels, round);
}

}  // namespace rota
