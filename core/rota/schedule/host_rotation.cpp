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
    return hosts_.ranks[static_cast<std::size_t>(host)][static_cast<std::size_t>(hosts_.place_of(rank))];
  }

  Step operator()(const Step& step) const {
    return {(*this)(step.send), (*this)(step.receive), step.on_receive, step.combinations};
  }

 private:
  Message operator()(const Message& message) const {
    if (message.blocks.empty()) return {};
    std::vector<Block> moved(message.blocks.begin(), message.blocks.end());
    for (Block& block : moved) block.owner = (*this)(block.owner);
    std::ranges::sort(moved);
    return {(*this)(message.peer), moved.size() == 1 ? Blocks(moved[0]) : Blocks(std::move(moved))};
  }

  const Hosts& hosts_;
  Rank by_;
};

}  // namespace

std::optional<std::string> host_rotation_fault(const Schedule& schedule) {
  const Hosts& hosts = *schedule.problem.hosts;
  for (Rank rank = 0; rank < schedule.problem.ranks; ++rank) {
    const Move move(hosts, hosts.of_rank[static_cast<std::size_t>(rank)]);
    const RankSchedule steps = schedule.of_rank(rank);
    const RankSchedule first =
        schedule.of_rank(hosts.ranks[0][static_cast<std::size_t>(hosts.place_of(rank))]);
    for (Round round = 0; round < schedule.rounds; ++round) {
      if (are_alike(move(first(round)), steps(round))) continue;
      return "rank " + std::to_string(rank) + " does not do in round " + std::to_string(round) +
             " what the rank at its place of host 0 does";
    }
  }
  return std::nullopt;
}

}  // namespace rota
