#include "rota/generators/between_groups/inter_ring.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "rota/generators/between_groups/inter_parts.hpp"
#include "rota/schedule/groups.hpp"
#include "rota/schedule/message_list.hpp"

namespace rota {

namespace {

/// `message` goes from one rank of the ring to a neighbour.
struct Hop {
  Round round = 0;
  Rank from = 0;
  Rank to = 0;
  Rank message = 0;
};

/// By rounds, and within one in an order that is the same everywhere.
std::tuple<Round, Rank, Rank> in_order(const Hop& hop) { return {hop.round, hop.from, hop.to}; }

constexpr Rank right = 1;
constexpr Rank left = -1;

/// The hops of the paper's algorithms for even p and q, round by round.
class EvenRing {
 public:
  EvenRing(Rank senders, Rank receivers)
      : p_(senders), q_(receivers), half_(std::min(senders, receivers) / 2) {}

  std::vector<Hop> hops() && {
    for (Rank i = 0; i < half_; ++i) first_stage(i);
    for (Rank i = 0; i < second_stage_rounds(); ++i) second_stage(i);
    for (Rank i = 0; i < half_; ++i) third_stage(i);
    return std::move(hops_);
  }

 private:
  bool has_fourth() const { return p_ < q_; }
  Rank second_stage_rounds() const { return std::max(p_, q_) - half_ - (has_fourth() ? q_ / 2 - half_ : 0); }

  void add(Rank from, Rank direction, Rank message) {
    const Rank ranks = p_ + q_;
    const auto on_ring = [&](Rank rank) { return (rank % ranks + ranks) % ranks; };
    hops_.push_back({round_, on_ring(from), on_ring(from + direction), message});
  }

  /// #1 after so many rounds, as far as there are receivers.
  void send_first(Rank rounds) {
    for (Rank j = half_; j < p_; ++j) {
      if (j + rounds + 1 < p_ + q_) add(j + rounds, right, j);
    }
  }

  void first_stage(Rank i) {
    send_first(i);
    for (Rank j = 0; j < half_; ++j) add(j - i, left, j);                                          // #2
    for (Rank j = 0; j < i; ++j) add(half_ - i + 2 * j, right, half_ - i + j);                     // #3
    for (Rank j = half_; has_fourth() && j < half_ + i; ++j) add(2 * j - i - half_ + 1, left, j);  // #4
    ++round_;
  }

  void second_stage(Rank i) {
    send_first(half_ + i);
    if (has_fourth() && i < q_ / 2 - half_) {
      for (Rank j = 0; j < half_; ++j) add(half_ + q_ - i + j, left, j);  // #2
    }
    for (Rank j = 0; j < half_; ++j) add(2 * j + i, right, j);  // #3
    if (has_fourth()) second_stage_fourth(i);
    ++round_;
  }

  /// #4: what is still among the senders, and what is already among the receivers, as far as it is needed.
  void second_stage_fourth(Rank i) {
    const Rank crossed = std::min(half_ + (i + 1) / 2, p_);
    for (Rank j = crossed; j < p_; ++j) add(2 * j - i - p_ + 1, left, j);
    for (Rank j = half_; j < crossed; ++j) {
      if (2 * j > 2 * i + 3 * half_ - q_) add(2 * j - i + q_ + 1, left, j);
    }
  }

  void third_stage(Rank i) {
    send_first(half_ + second_stage_rounds() + i);
    const Rank meeting = p_ + q_ / 2;
    for (Rank j = 1; j <= i; ++j) add(meeting - i + 2 * j - 1, left, j - 1);            // #2
    for (Rank j = 0; j < half_; ++j) add(second_stage_rounds() + i + 2 * j, right, j);  // #3
    ++round_;
  }

  Rank p_;
  Rank q_;
  Rank half_;
  Round round_ = 0;
  std::vector<Hop> hops_;
};

/// The ring without the ranks that only make p and q even.
class RealRing {
 public:
  RealRing(Rank even_ranks, const std::set<Rank>& dummies)
      : numbers_(static_cast<std::size_t>(even_ranks), -1) {
    Rank number = 0;
    for (Rank rank = 0; rank < even_ranks; ++rank) {
      if (!dummies.contains(rank)) numbers_[static_cast<std::size_t>(rank)] = number++;
    }
  }

  bool has(Rank rank) const { return numbers_[static_cast<std::size_t>(rank)] >= 0; }
  Rank number(Rank rank) const { return numbers_[static_cast<std::size_t>(rank)]; }

  /// Hops from real rank to real rank: two that pass a dummy are one.
  std::vector<Hop> direct(const std::vector<Hop>& hops) const {
    std::map<std::pair<Rank, Rank>, Rank> passing;  // dummy, message -> from whom it came
    std::vector<Hop> result;
    for (const Hop& hop : hops) {
      if (!has(hop.message)) continue;
      if (!has(hop.to)) {
        passing[{hop.to, hop.message}] = hop.from;
        continue;
      }
      const Rank from = has(hop.from) ? hop.from : passing.at({hop.from, hop.message});
      result.push_back({hop.round, number(from), number(hop.to), number(hop.message)});
    }
    return result;
  }

 private:
  std::vector<Rank> numbers_;  // by rank of the even ring; -1: not there
};

/// The hops, in their order, each as early as its ports are free and its message is there.
std::vector<Hop> as_early_as_possible(const std::vector<Hop>& hops, Rank senders, Rank ranks) {
  std::vector<std::set<Round>> sending(static_cast<std::size_t>(ranks));
  std::vector<std::set<Round>> receiving(static_cast<std::size_t>(ranks));
  std::map<std::pair<Rank, Rank>, Round> there;  // rank, message -> from which round on
  for (Rank sender = 0; sender < senders; ++sender) there[{sender, sender}] = 0;
  std::vector<Hop> result;
  for (Hop hop : hops) {
    if (there.contains({hop.to, hop.message})) continue;
    auto& sends = sending[static_cast<std::size_t>(hop.from)];
    auto& receives = receiving[static_cast<std::size_t>(hop.to)];
    hop.round = there.at({hop.from, hop.message});
    while (sends.contains(hop.round) || receives.contains(hop.round)) ++hop.round;
    sends.insert(hop.round);
    receives.insert(hop.round);
    there[{hop.to, hop.message}] = hop.round + 1;
    result.push_back(hop);
  }
  std::ranges::sort(result, {}, in_order);
  return result;
}

/// Without the hops on which no receiver depends.
std::vector<Hop> needed(const std::vector<Hop>& hops, Rank senders) {
  std::set<std::pair<Rank, Rank>> wanted;  // rank, message
  std::vector<Hop> result;
  for (const Hop& hop : std::views::reverse(hops)) {
    if (hop.to < senders && !wanted.contains({hop.to, hop.message})) continue;
    wanted.insert({hop.from, hop.message});
    result.push_back(hop);
  }
  return result;
}

std::vector<Hop> hops_of(Rank senders, Rank receivers) {
  const Rank p = senders + senders % 2;
  const Rank q = receivers + receivers % 2;
  std::vector<Hop> even = EvenRing(p, q).hops();
  if (p == senders && q == receivers) return even;
  std::set<Rank> dummies;
  if (p > senders) dummies.insert(std::min(p, q) / 2);
  if (q > receivers) dummies.insert(p + q / 2);
  std::ranges::sort(even, {}, in_order);
  const std::vector<Hop> direct = RealRing(p + q, dummies).direct(even);
  return needed(as_early_as_possible(direct, senders, senders + receivers), senders);
}

}  // namespace

Schedule inter_ring(const Problem& problem) {
  require_valid(problem);
  Problem whole = problem;
  whole.blocks = 1;
  if (!is_half_duplex(whole)) throw std::invalid_argument("both groups have data; on a ring only one may");
  const Group senders = senders_of(whole);
  const std::vector<BlockIndex> counts = block_counts(whole);
  const auto rank_of = [&](Rank number) { return (senders.first + number) % whole.ranks; };
  std::vector<TimedMessage> messages;
  for (const Hop& hop : hops_of(senders.size(), whole.ranks - senders.size())) {
    const Rank owner = rank_of(hop.message);
    // A share that is much smaller than the largest is still one block.
    if (counts[static_cast<std::size_t>(owner)] > 0)
      messages.push_back({hop.round, rank_of(hop.from), rank_of(hop.to), Block{owner, 0}});
  }
  return schedule_of_messages(whole, std::move(messages));
}

Pipeline inter_ring_pipeline(const Load& load) {
  const GroupLoad& senders = load.groups[load.groups[1].bytes > 0 ? 1 : 0];
  const Rank receivers = load.ranks - senders.ranks;
  const double rounds = senders.ranks + (receivers == 1 ? 0 : (receivers + 1) / 2);  // NOLINT: rounded up
  return {0, rounds, rounds * load.largest_share_bytes, 0, 0};
}

Round inter_ring_least_rounds(Rank senders, Rank receivers) { return Round{senders} + (receivers - 1) / 2; }

}  // namespace rota
