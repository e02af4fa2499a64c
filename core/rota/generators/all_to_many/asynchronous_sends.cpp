#include "rota/generators/all_to_many/asynchronous_sends.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "rota/schedule/parcels.hpp"

namespace rota {

namespace {

/// A sender that is ready for its next message at `since`.
struct Waiting {
  std::int64_t since;
  Rank sender;

  auto operator<=>(const Waiting&) const = default;
};

}  // namespace

Schedule asynchronous_sends(const std::shared_ptr<const Pattern>& pattern, std::uint64_t /*seed*/) {
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  for (Rank rank = 0; rank < pattern->ranks(); ++rank) waiting.push({0, rank});
  std::vector<std::size_t> sent(static_cast<std::size_t>(pattern->ranks()));
  std::vector<std::int64_t> receiver_free(sent.size());
  std::vector<TimedParcel> parcels;
  while (!waiting.empty()) {
    const Waiting next = waiting.top();
    waiting.pop();
    const Pattern::Row row = pattern->row(next.sender);
    const std::size_t message = sent[static_cast<std::size_t>(next.sender)]++;
    if (message == row.size()) continue;
    std::int64_t& free = receiver_free[static_cast<std::size_t>(row.to[message])];
    free = std::max(free, next.since) + row.bytes[message];
    waiting.push({free, next.sender});
    parcels.push_back({next.sender, {row.to[message], 0, row.bytes[message]}});
  }
  return ordered_schedule(pattern, std::move(parcels));
}

}  // namespace rota
