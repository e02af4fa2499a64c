#include "rota/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "rota/parcels.hpp"

namespace rota {

bool Blocks::contains(Block block) const { return std::ranges::binary_search(*this, block); }

bool Blocks::overlaps(const Blocks& other) const {
  const Block* mine = begin();
  const Block* theirs = other.begin();
  while (mine != end() && theirs != other.end()) {
    if (*mine == *theirs) return true;
    *mine < *theirs ? ++mine : ++theirs;
  }
  return false;
}

bool operator==(const Blocks& left, const Blocks& right) { return std::ranges::equal(left, right); }

std::vector<Rank> owners_of(const Problem& problem) {
  if (problem.collective == Collective::broadcast || problem.collective == Collective::reduce)
    return {problem.root};
  if (!problem.owners.empty()) return problem.owners;
  std::vector<Rank> everyone(static_cast<std::size_t>(problem.ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  return everyone;
}

namespace {

[[noreturn]] void refuse(const std::string& fault, const std::string& remedy) {
  throw std::invalid_argument(fault + "; " + remedy);
}

void require_owners(const Problem& problem) {
  Rank previous = -1;
  for (const Rank owner : problem.owners) {
    if (owner <= previous || owner >= problem.ranks) {
      refuse("owner " + std::to_string(owner) + " after " + std::to_string(previous),
             "owners are ranks 0.." + std::to_string(problem.ranks - 1) + " in increasing order");
    }
    previous = owner;
  }
}

void require_parcels(const Problem& problem) {
  const bool has_parcels = problem.parcels != nullptr;
  if (has_parcels != (problem.collective == Collective::all_to_many)) {
    refuse(has_parcels ? "parcels in another collective" : "all-to-many without parcels",
           "parcels are what moves in all-to-many, and only there");
  }
  if (has_parcels && problem.parcels->pattern().ranks() != problem.ranks) {
    refuse("parcels of " + std::to_string(problem.parcels->pattern().ranks()) + " ranks",
           "the problem has " + std::to_string(problem.ranks));
  }
}

}  // namespace

void require_valid(const Problem& problem) {
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
  require_owners(problem);
  require_parcels(problem);
}

namespace {

Collective dual(Collective collective) {
  switch (collective) {
    case Collective::broadcast:
      return Collective::reduce;
    case Collective::allgather:
      return Collective::reduce_scatter;
    default:
      refuse("only broadcasts and allgathers can be played backwards", "reverse one of these");
  }
}

Step backwards(Step step, Rank rank) {
  const OnReceive side = step.send.peer < rank ? OnReceive::combine_left : OnReceive::combine_right;
  return Step{std::move(step.receive), std::move(step.send), side, {}};
}

}  // namespace

Schedule reversed(const Schedule& schedule) {
  Schedule result = schedule;
  result.problem.collective = dual(schedule.problem.collective);
  result.of_rank = [forwards = schedule](Rank rank) -> RankSchedule {
    return [steps = forwards.of_rank(rank), last = forwards.rounds - 1, rank](Round round) {
      return backwards(steps(last - round), rank);
    };
  };
  return result;
}

Schedule then(const Problem& problem, const Schedule& first, const Schedule& second) {
  if (first.problem.ranks != problem.ranks || second.problem.ranks != problem.ranks) {
    refuse("schedules of " + std::to_string(first.problem.ranks) + " and " +
               std::to_string(second.problem.ranks) + " ranks",
           "both must be for " + std::to_string(problem.ranks));
  }
  return {problem, first.rounds + second.rounds, [first, second](Rank rank) -> RankSchedule {
            return [one = first.of_rank(rank), two = second.of_rank(rank), rounds = first.rounds](
                       Round round) { return round < rounds ? one(round) : two(round - rounds); };
          }};
}

Schedule nothing(const Problem& problem) {
  return {problem, 0, [](Rank) -> RankSchedule { return [](Round) { return Step{}; }; }};
}

}  // namespace rota
