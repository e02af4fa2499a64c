#include "rota/parcels.hpp"

#include <algorithm>
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
  std::vector<std::vector<Round>> rounds;  // of each sender's parcels, in increasing order
  std::vector<std::int64_t> round_bytes;
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
      arriving_.push_back({all_->rounds[index(block.owner)][index(block.index)], block});
    std::ranges::sort(arriving_, {}, &Arriving::round);
  }

  Step step(Round round) const {
    Step result;
    const std::vector<Round>& sent = all_->rounds[index(rank_)];
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

void require_rounds(std::span<const TimedParcel> parcels, Rank ranks, Round rounds) {
  for (const TimedParcel& each : parcels) {
    if (each.round < 0 || each.round >= rounds) {
      throw std::invalid_argument("a parcel in round " + std::to_string(each.round) + "; there are " +
                                  std::to_string(rounds));
    }
    if (each.from < 0 || each.from >= ranks) {
      throw std::invalid_argument("a parcel from rank " + std::to_string(each.from) + ", which is none");
    }
  }
}

/// The positions of all parcels, in the order of rounds.
std::vector<std::size_t> in_order_of_rounds(std::span<const TimedParcel> parcels, Round rounds) {
  std::vector<std::size_t> counts(index(rounds));
  for (const TimedParcel& each : parcels) ++counts[index(each.round)];
  std::vector<std::size_t> next = begins_of(counts);
  std::vector<std::size_t> order(parcels.size());
  for (std::size_t i = 0; i < parcels.size(); ++i) order[next[index(parcels[i].round)]++] = i;
  return order;
}

Timetable timetable(std::shared_ptr<const Pattern> pattern, std::span<const TimedParcel> parcels,
                    Round rounds) {
  const std::size_t ranks = index(pattern->ranks());
  Timetable result{nullptr, std::vector<std::vector<Round>>(ranks), std::vector<std::int64_t>(index(rounds))};
  std::vector<std::size_t> counts(ranks);
  for (const TimedParcel& each : parcels) ++counts[index(each.from)];
  for (std::size_t rank = 0; rank < ranks; ++rank) result.rounds[rank].reserve(counts[rank]);
  std::vector<std::size_t> next = begins_of(counts);
  std::vector<Parcel> sorted(parcels.size());
  for (const std::size_t i : in_order_of_rounds(parcels, rounds)) {
    const TimedParcel& each = parcels[i];
    sorted[next[index(each.from)]++] = each.parcel;
    result.rounds[index(each.from)].push_back(each.round);
    std::int64_t& length = result.round_bytes[index(each.round)];
    length = std::max(length, each.parcel.bytes);
  }
  result.parcels = std::make_shared<const Parcels>(std::move(pattern), std::move(sorted), counts);
  return result;
}

}  // namespace

Schedule timed_schedule(std::shared_ptr<const Pattern> pattern, std::span<const TimedParcel> parcels,
                        Round rounds) {
  require_rounds(parcels, pattern->ranks(), rounds);
  const auto all = std::make_shared<const Timetable>(timetable(std::move(pattern), parcels, rounds));
  Problem problem;
  problem.collective = Collective::all_to_many;
  problem.ranks = all->parcels->pattern().ranks();
  problem.parcels = all->parcels;
  return {problem, rounds,
          [all](Rank rank) -> RankSchedule {
            return [mine = RankTimetable(all, rank)](Round round) { return mine.step(round); };
          },
          [all](Round round) { return all->round_bytes[index(round)]; }};
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
