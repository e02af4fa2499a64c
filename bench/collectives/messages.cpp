#include "messages.hpp"

#include <algorithm>
#include <numeric>

#include "rota/matchings/random.hpp"

namespace rota::bench {

namespace {

constexpr std::uint32_t orders_of_two =
    14;  // the skewed messages' sizes: 1 to 8192, nearly four orders of ten

int destinations(Shape shape, int ranks) {
  switch (shape) {
    case Shape::sparse4:
      return std::min(4, ranks - 1);
    case Shape::sparse8:
    case Shape::skewed:
      return std::min(8, ranks - 1);
    default:
      return ranks - 1;
  }
}

/// Every rank to `degree` others and as many to it: neighbours on a circle on which ranks stand at random.
std::vector<Message> of_one_weight(int degree, int ranks, Random& random) {
  std::vector<int> circle(static_cast<std::size_t>(ranks));
  std::iota(circle.begin(), circle.end(), 0);
  random.shuffle(circle);
  const auto at = [&](int place) { return circle[static_cast<std::size_t>(place % ranks)]; };
  std::vector<Message> messages;
  for (int place = 0; place < ranks; ++place) {
    for (int ahead = 1; ahead <= degree; ++ahead) messages.push_back({at(place), at(place + ahead), 1});
  }
  return messages;
}

Shares laid_out(std::vector<int> counts) {
  Shares shares{std::move(counts), {}};
  shares.offsets.resize(shares.counts.size());
  std::exclusive_scan(shares.counts.begin(), shares.counts.end(), shares.offsets.begin(), 0);
  return shares;
}

}  // namespace

std::int64_t port_bytes(const std::vector<Message>& messages, int ranks) {
  std::vector<std::int64_t> sent(static_cast<std::size_t>(ranks));
  std::vector<std::int64_t> received(static_cast<std::size_t>(ranks));
  for (const Message& message : messages) {
    sent[static_cast<std::size_t>(message.from)] += message.bytes;
    received[static_cast<std::size_t>(message.to)] += message.bytes;
  }
  return std::max(std::ranges::max(sent), std::ranges::max(received));
}

std::vector<Message> messages(int bytes, Shape shape, int ranks) {
  Random random(1);
  std::vector<Message> messages = of_one_weight(destinations(shape, ranks), ranks, random);
  if (shape == Shape::skewed) {
    for (Message& message : messages) message.bytes = std::int64_t{1} << random.below(orders_of_two);
  }
  const std::int64_t weight = port_bytes(messages, ranks);
  for (Message& message : messages) message.bytes = (message.bytes * bytes + weight - 1) / weight;
  return messages;
}

Shares sent_by(int rank, const std::vector<Message>& messages, int ranks) {
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  for (const Message& message : messages) {
    if (message.from == rank) counts[static_cast<std::size_t>(message.to)] = static_cast<int>(message.bytes);
  }
  return laid_out(std::move(counts));
}

Shares received_by(int rank, const std::vector<Message>& messages, int ranks) {
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  for (const Message& message : messages) {
    if (message.to == rank) counts[static_cast<std::size_t>(message.from)] = static_cast<int>(message.bytes);
  }
  return laid_out(std::move(counts));
}

}  // namespace rota::bench
