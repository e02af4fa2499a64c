#include "rota/schedule/host_rotation.hpp"

#include <algorithm>
#include <vector>

#include "rota/schedule/rotation.hpp"

namespace rota {

namespace {

/// Moves ranks by so many hosts.
class Move {
 public:
  Move(const Hosts& hosts, Rank by) : hosts_(hosts), by_(by) {}

  Rank operator()(Rank rank) const {
    const Rank host = rotated(hosts_.of_rank[static_cast<std::size_t>(rank)], by_, hosts_.count());
    return hosts_.ranks[static_cast<std::size_t>(host)][static_cast<std::size_t>(place_of(hosts_, rank))];
  }

  Message operator()(const Message& message) const {
    if (message.blocks.empty()) return {};
    std::vector<Block> moved(message.blocks.begin(), message.blocks.end());
    for (Block& block : moved) block.owner = (*this)(block.owner);
    std::ranges::sort(moved);
    return {(*this)(message.peer), moved.size() == 1 ? Blocks(moved[0]) : Blocks(std::move(moved))};
  }

 private:
  const Hosts& hosts_;
  Rank by_;
};

bool is_same(const Message& one, const Message& other) {
  if (one.blocks.empty() && other.blocks.empty()) return true;
  return one.peer == other.peer && one.blocks == other.blocks;
}

bool is_moved(const Step& first, const Move& move, const Step& step) {
  const bool stores = first.on_receive == OnReceive::store;
  return is_same(move(first.send), step.send) && is_same(move(first.receive), step.receive) &&
         stores == (step.on_receive == OnReceive::store) && first.combinations.empty() &&
         step.combinations.empty();
}

}  // namespace

Rank place_of(const Hosts& hosts, Rank rank) {
  const std::vector<Rank>& ranks =
      hosts.ranks[static_cast<std::size_t>(hosts.of_rank[static_cast<std::size_t>(rank)])];
  return static_cast<Rank>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

std::optional<std::string> host_rotation_fault(const Schedule& schedule) {
  const Hosts& hosts = *schedule.problem.hosts;
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const Move move(hosts, hosts.of_rank[static_cast<std::size_t>(rank)]);
    const RankSchedule steps = schedule.of_rank(rank);
    const RankSchedule first =
        schedule.of_rank(hosts.ranks[0][static_cast<std::size_t>(place_of(hosts, rank))]);
    for (Round round = 0; round < schedule.rounds; ++round) {
      if (is_moved(first(round), move, steps(round))) continue;
      return "rank " + std::to_string(rank) + " does not do in round " + std::to_string(round) +
             " what the rank at its place of host 0 does";
    }
  }
  return std::nullopt;
}

}  // namespace rota
