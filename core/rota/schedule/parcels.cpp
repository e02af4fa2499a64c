#include "rota/schedule/parcels.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace rota {

namespace {

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Of counts, where each part begins, and where the last one ends.
std::vector<std::size_t> begins_of(std::span<const std::size_t> counts) {
  std::vector<std::size_t> begins{0};
  begins.reserve(counts.size() + 1);
  for (const std::size_t count : counts) begins.push_back(begins.back() + count);
  return begins;
}

}  // namespace

Parcels::Parcels(std::shared_ptr<const Pattern> pattern, std::vector<Parcel> parcels,
                 std::span<const std::size_t> counts)
    : pattern_(std::move(pattern)), parcels_(std::move(parcels)), sender_begins_(begins_of(counts)) {
  const std::size_t ranks = index(pattern_->ranks());
  if (counts.size() != ranks || sender_begins_.back() != parcels_.size()) {
    throw std::invalid_argument("parcels without a sender; count them for every rank");
  }
  std::vector<std::size_t> arriving(ranks);
  for (const Parcel& parcel : parcels_) {
    if (parcel.to < 0 || index(parcel.to) >= ranks) {
      throw std::invalid_argument("a parcel for rank " + std::to_string(parcel.to) + ", which is none");
    }
    ++arriving[index(parcel.to)];
  }
  receiver_begins_ = begins_of(arriving);
  by_receiver_.resize(parcels_.size());
  std::vector<std::size_t> next = receiver_begins_;
  for (Rank sender = 0; sender < pattern_->ranks(); ++sender) {
    const std::span<const Parcel> sent = from(sender);
    for (std::size_t k = 0; k < sent.size(); ++k)
      by_receiver_[next[index(sent[k].to)]++] = {sender, static_cast<BlockIndex>(k)};
  }
}

std::span<const Parcel> Parcels::from(Rank sender) const {
  const std::size_t begin = sender_begins_[index(sender)];
  return std::span(parcels_).subspan(begin, sender_begins_[index(sender) + 1] - begin);
}

std::span<const Block> Parcels::for_rank(Rank receiver) const {
  const std::size_t begin = receiver_begins_[index(receiver)];
  return std::span(by_receiver_).subspan(begin, receiver_begins_[index(receiver) + 1] - begin);
}

// Who receives what follows from who sends it.
bool operator==(const Parcels& left, const Parcels& right) {
  return *left.pattern_ == *right.pattern_ && left.sender_begins_ == right.sender_begins_ &&
         left.parcels_ == right.parcels_;
}

bool Parcels::has(Block block) const {
  return block.owner >= 0 && block.owner < pattern_->ranks() && block.index >= 0 &&
         index(block.index) < from(block.owner).size();
}

const Parcel& Parcels::at(Block block) const {
  return parcels_[sender_begins_[index(block.owner)] + index(block.index)];
}

namespace {

/// Do the parcels, all to one receiver and in the order of offsets, begin at 0, end at `bytes` and leave no
/// gap?
bool make_up(std::span<const Parcel> parcels, std::int64_t bytes) {
  std::int64_t end = 0;
  for (const Parcel& parcel : parcels) {
    if (parcel.offset_bytes != end || parcel.bytes < 1) return false;
    end += parcel.bytes;
  }
  return end == bytes;
}

void add_miscut(const Pattern& pattern, Rank from, std::vector<Parcel> parcels,
                std::vector<MiscutMessage>& miscut) {
  std::ranges::sort(parcels, {},
                    [](const Parcel& parcel) { return std::pair(parcel.to, parcel.offset_bytes); });
  const Pattern::Row row = pattern.row(from);
  const std::span<const Parcel> all = parcels;
  std::size_t begin = 0;
  std::size_t message = 0;
  while (begin < all.size() || message < row.size()) {
    const bool is_parcel_next =
        message == row.size() || (begin < all.size() && all[begin].to < row.to[message]);
    const Rank to = is_parcel_next ? all[begin].to : row.to[message];
    std::size_t end = begin;
    while (end < all.size() && all[end].to == to) ++end;
    const std::int64_t bytes = is_parcel_next ? 0 : row.bytes[message++];
    if (bytes == 0 || !make_up(all.subspan(begin, end - begin), bytes)) miscut.push_back({from, to});
    begin = end;
  }
}

}  // namespace

std::vector<MiscutMessage> miscut_messages(const Parcels& parcels) {
  std::vector<MiscutMessage> miscut;
  for (Rank from = 0; from < parcels.pattern().ranks(); ++from) {
    const std::span<const Parcel> sent = parcels.from(from);
    add_miscut(parcels.pattern(), from, {sent.begin(), sent.end()}, miscut);
  }
  return miscut;
}

namespace {

/// Parcels with their rounds, as ranks look them up.
struct Timetable {
  std::shared_ptr<const Parcels> parcels;
  std::vector<Round> rounds;  // of each sender's parcels in increasing order, in the order of senders
  std::vector<std::size_t> sender_begins;
  std::vector<std::int64_t> round_bytes;

  std::span<const Round> rounds_of(Rank sender) const {
    const std::size_t begin = sender_begins[index(sender)];
    return std::span(rounds).subspan(begin, sender_begins[index(sender) + 1] - begin);
  }
};

/// A parcel that a rank receives.
struct Arriving {
  Round round;
  Block block;
};

/// One rank's part of a timetable: what it sends is numbered in the order of rounds, what it receives is
/// sorted here.
class RankTimetable {
 public:
  RankTimetable(std::shared_ptr<const Timetable> all, Rank rank) : all_(std::move(all)), rank_(rank) {
    const std::span<const Block> blocks = all_->parcels->for_rank(rank);
    arriving_.reserve(blocks.size());
    for (const Block block : blocks)
      arriving_.push_back({all_->rounds_of(block.owner)[index(block.index)], block});
    std::ranges::sort(arriving_, {}, &Arriving::round);
  }

  Step step(Round round) const {
    Step result;
    const std::span<const Round> sent = all_->rounds_of(rank_);
    const auto send = std::ranges::lower_bound(sent, round);
    if (send != sent.end() && *send == round) {
      const Block block{rank_, send - sent.begin()};
      result.send = {all_->parcels->at(block).to, block};
    }
    const auto receive = std::ranges::lower_bound(arriving_, round, {}, &Arriving::round);
    if (receive != arriving_.end() && receive->round == round)
      result.receive = {receive->block.owner, receive->block};
    return result;
  }

 private:
  std::shared_ptr<const Timetable> all_;
  Rank rank_;
  std::vector<Arriving> arriving_;
};

/// The positions of all parcels, in the order of rounds.
std::vector<std::uint32_t> in_order_of_rounds(std::span<const TimedParcel> parcels, Round rounds) {
  std::vector<std::size_t> counts(index(rounds));
  for (const TimedParcel& each : parcels) ++counts[index(each.round)];
  std::vector<std::size_t> next = begins_of(counts);
  std::vector<std::uint32_t> order(parcels.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[next[index(parcels[i].round)]++] = i;
  return order;
}

Timetable timetable(std::shared_ptr<const Pattern> pattern, std::span<const TimedParcel> parcels,
                    Round rounds) {
  std::vector<std::size_t> counts(index(pattern->ranks()));
  for (const TimedParcel& each : parcels) ++counts[index(each.from)];
  Timetable result{nullptr, std::vector<Round>(parcels.size()), begins_of(counts),
                   std::vector<std::int64_t>(index(rounds))};
  std::vector<std::size_t> next = result.sender_begins;
  std::vector<Parcel> sorted(parcels.size());
  for (const std::uint32_t i : in_order_of_rounds(parcels, rounds)) {
    const TimedParcel& each = parcels[i];
    const std::size_t place = next[index(each.from)]++;
    sorted[place] = each.parcel;
    result.rounds[place] = each.round;
    std::int64_t& length = result.round_bytes[index(each.round)];
    length = std::max(length, each.parcel.bytes);
  }
  result.parcels = std::make_shared<const Parcels>(std::move(pattern), std::move(sorted), counts);
  return result;
}

/// Puts rows in the order of rounds, of which a row has no two messages in the same.
class RowOrder {
 public:
  explicit RowOrder(Round rounds) : at_(index(rounds), none) {}

  /// The positions of a row's messages, of which rounds[i] is the i-th one's round.
  std::span<const std::uint32_t> of(std::span<const Round> rounds) {
    order_.resize(rounds.size());
    if (rounds.size() < at_.size() / 8) {
      std::iota(order_.begin(), order_.end(), 0U);
      std::ranges::sort(order_, {}, [&](std::uint32_t i) { return rounds[i]; });
    } else {
      collect(rounds);
    }
    return order_;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Where most rounds have a message, going through all of them is faster than sorting.
  void collect(std::span<const Round> rounds) {
    for (std::uint32_t i = 0; i < rounds.size(); ++i) at_[index(rounds[i])] = i;
    std::size_t next = 0;
    for (std::uint32_t& message : at_) {
      if (message != none) order_[next++] = std::exchange(message, none);
    }
  }

  std::vector<std::uint32_t> at_;  // by round
  std::vector<std::uint32_t> order_;
};

/// The same for whole messages, of which rounds[i] is that of the pattern's i-th: their senders are in order
/// already.
Timetable timetable(std::shared_ptr<const Pattern> pattern, std::span<const Round> rounds, Round count) {
  Timetable result{nullptr, {}, {0}, std::vector<std::int64_t>(index(count))};
  result.rounds.reserve(rounds.size());
  std::vector<Parcel> parcels;
  parcels.reserve(rounds.size());
  std::vector<std::size_t> counts;
  counts.reserve(index(pattern->ranks()));
  RowOrder order(count);
  for (Rank from = 0; from < pattern->ranks(); ++from) {
    const Pattern::Row row = pattern->row(from);
    const std::span<const Round> row_rounds = rounds.subspan(parcels.size(), row.size());
    for (const std::uint32_t i : order.of(row_rounds)) {
      const Round round = row_rounds[i];
      result.rounds.push_back(round);
      parcels.push_back({row.to[i], 0, row.bytes[i]});
      result.round_bytes[index(round)] = std::max(result.round_bytes[index(round)], row.bytes[i]);
    }
    counts.push_back(row.size());
    result.sender_begins.push_back(parcels.size());
  }
  result.parcels = std::make_shared<const Parcels>(std::move(pattern), std::move(parcels), counts);
  return result;
}

void require_round(Round round, Round rounds) {
  if (round >= 0 && round < rounds) return;
  throw std::invalid_argument("a parcel in round " + std::to_string(round) + "; there are " +
                              std::to_string(rounds));
}

void require_valid(std::span<const TimedParcel> parcels, Rank ranks, Round rounds) {
  if (parcels.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("more than 2^32 - 1 parcels; schedule fewer at a time");
  for (const TimedParcel& each : parcels) {
    require_round(each.round, rounds);
    if (each.from < 0 || each.from >= ranks)
      throw std::invalid_argument("a parcel from rank " + std::to_string(each.from) + ", which is none");
  }
}

void require_one_a_round(const Pattern& pattern, std::span<const Round> rounds, Round count) {
  std::vector<Rank> last_sender(index(count), -1);
  std::size_t next = 0;
  for (Rank from = 0; from < pattern.ranks(); ++from) {
    for (const Round round : rounds.subspan(next, pattern.row(from).size())) {
      if (std::exchange(last_sender[index(round)], from) == from) {
        throw std::invalid_argument("rank " + std::to_string(from) + " sends twice in round " +
                                    std::to_string(round));
      }
    }
    next += pattern.row(from).size();
  }
}

Schedule schedule_of(Timetable timetable) {
  const auto all = std::make_shared<const Timetable>(std::move(timetable));
  Problem problem;
  problem.collective = Collective::all_to_many;
  problem.ranks = all->parcels->pattern().ranks();
  problem.parcels = all->parcels;
  return {problem, static_cast<Round>(all->round_bytes.size()),
          [all](Rank rank) -> RankSchedule {
            return [mine = RankTimetable(all, rank)](Round round) { return mine.step(round); };
          },
          [all](Round round) { return all->round_bytes[index(round)]; }};
}

}  // namespace

Schedule timed_schedule(std::shared_ptr<const Pattern> pattern, std::span<const TimedParcel> parcels,
                        Round rounds) {
  require_valid(parcels, pattern->ranks(), rounds);
  return schedule_of(timetable(std::move(pattern), parcels, rounds));
}

Schedule whole_schedule(std::shared_ptr<const Pattern> pattern, std::span<const Round> rounds, Round count) {
  if (std::cmp_not_equal(rounds.size(), pattern->messages()))
    throw std::invalid_argument("rounds that are not one for each message; give as many");
  for (const Round round : rounds) require_round(round, count);
  require_one_a_round(*pattern, rounds, count);
  return schedule_of(timetable(std::move(pattern), rounds, count));
}

Schedule ordered_schedule(std::shared_ptr<const Pattern> pattern, std::vector<TimedParcel> parcels) {
  std::vector<Round> sender_rounds(index(pattern->ranks()));
  std::vector<Round> receiver_rounds(index(pattern->ranks()));
  Round rounds = 0;
  for (TimedParcel& each : parcels) {
    Round& sender = sender_rounds.at(index(each.from));
    Round& receiver = receiver_rounds.at(index(each.parcel.to));
    each.round = std::max(sender, receiver);
    sender = receiver = each.round + 1;
    rounds = std::max(rounds, sender);
  }
  Schedule schedule = timed_schedule(std::move(pattern), parcels, rounds);
  schedule.round_bytes = nullptr;
  return schedule;
}

std::vector<TimedParcel> listed(const Schedule& schedule) {
  require_valid(schedule.problem);
  if (!schedule.problem.parcels) throw std::invalid_argument("no parcels; only all-to-many has them");
  std::vector<RankSchedule> ranks;
  ranks.reserve(index(schedule.problem.ranks));
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) ranks.push_back(schedule.of_rank(rank));
  std::vector<TimedParcel> result;
  for (Round round = 0; round < schedule.rounds; ++round) {
    for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
      for (const Block block : ranks[index(rank)](round).send.blocks)
        result.push_back({rank, schedule.problem.parcels->at(block), round});
    }
  }
  return result;
}

}  // namespace rota
