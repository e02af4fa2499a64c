#include "rota/schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace rota {

bool Blocks::contains(Block block) const { return std::ranges::find(*this, block) != end(); }

bool operator==(const Blocks& left, const Blocks& right) { return std::ranges::equal(left, right); }

void require_valid(const Problem& problem) {
  const auto refuse = [](const std::string& fault, const std::string& remedy) {
    throw std::invalid_argument(fault + "; " + remedy);
  };
  if (problem.ranks < 1) {
    refuse(std::to_string(problem.ranks) + " ranks", "a collective needs at least 1");
  }
  if (problem.root < 0 || problem.root >= problem.ranks) {
    refuse("root " + std::to_string(problem.root) + " is no rank",
           "the root must lie in 0.." + std::to_string(problem.ranks - 1));
  }
  if (problem.blocks < 1) {
    refuse(std::to_string(problem.blocks) + " blocks", "the data must be cut into at least 1");
  }
}

namespace {

Collective dual(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
      return Collective::reduce;
    case Collective::reduce:
      return Collective::broadcast;
  }
  throw std::logic_error("a collective without a dual");
}

OnReceive dual_reception(Collective collective) {
  return collective == Collective::broadcast ? OnReceive::combine_right : OnReceive::store;
}

}  // namespace

Schedule reversed(const Schedule& schedule) {
  const OnReceive on_receive = dual_reception(schedule.problem.collective);
  Schedule backwards = schedule;
  backwards.problem.collective = dual(schedule.problem.collective);
  backwards.of_rank = [forwards = schedule, on_receive](Rank rank) -> RankSchedule {
    return [steps = forwards.of_rank(rank), last = forwards.rounds - 1, on_receive](Round round) {
      Step step = steps(last - round);
      return Step{std::move(step.receive), std::move(step.send), on_receive};
    };
  };
  return backwards;
}

}  // namespace rota
