// The data of one group in a row, rank after rank, cut into intervals for the ranks of the other.
#pragma once

#include <algorithm>
#include <vector>

#include "rota/schedule/groups.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The blocks that one group has for the other, in a row: so many of each rank.
class Row {
 public:
  Row(const Group& senders, const Group& receivers, const std::vector<BlockIndex>& counts)
      : senders_(senders), receivers_(receivers), begins_{0} {
    for (Rank rank = senders.first; rank < senders.end; ++rank)
      begins_.push_back(begins_.back() + counts[static_cast<std::size_t>(rank)]);
  }

  const Group& senders() const { return senders_; }
  const Group& receivers() const { return receivers_; }
  std::int64_t size() const { return begins_.back(); }

  /// Where the blocks of a sender begin, and the interval of a receiver, each by its number in its group.
  std::int64_t begin_of_sender(Rank number) const { return begins_[static_cast<std::size_t>(number)]; }
  std::int64_t begin_of_receiver(Rank number) const { return cut_begin(size(), receivers_.size(), number); }
  std::int64_t most_of_a_receiver() const { return (size() + receivers_.size() - 1) / receivers_.size(); }

  /// T: the most that one rank sends or receives.
  std::int64_t most_of_a_rank() const {
    std::int64_t most = most_of_a_receiver();
    for (Rank number = 0; number < senders_.size(); ++number)
      most = std::max(most, begin_of_sender(number + 1) - begin_of_sender(number));
    return most;
  }

  /// The blocks first..end - 1 of the row.
  Blocks blocks(std::int64_t first, std::int64_t end) const {
    std::vector<Block> result;
    auto number = static_cast<Rank>(std::ranges::upper_bound(begins_, first) - begins_.begin() - 1);
    for (std::int64_t x = first; x < end; ++x) {
      while (x >= begin_of_sender(number + 1)) ++number;
      result.push_back({senders_.first + number, x - begin_of_sender(number)});
    }
    return result.size() == 1 ? Blocks(result[0]) : Blocks(std::move(result));
  }

 private:
  Group senders_;
  Group receivers_;
  std::vector<std::int64_t> begins_;
};

}  // namespace rota
