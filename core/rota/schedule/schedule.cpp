#include "rota/schedule/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/parcels.hpp"
#include "rota/schedule/series.hpp"

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

bool changes(const Step& step, const Blocks& blocks) {
  return blocks.overlaps(step.receive.blocks) ||
         std::ranges::any_of(step.combinations,
                             [&](const Combination& each) { return blocks.contains(each.into); });
}

bool sends_changed(const Step& step, const Step& changing) {
  return !step.send.blocks.empty() && changes(changing, step.send.blocks);
}

bool operator==(const Blocks& left, const Blocks& right) { return std::ranges::equal(left, right); }

bool operator==(const Message& left, const Message& right) {
  return left.blocks == right.blocks && (left.blocks.empty() || left.peer == right.peer);
}

bool operator==(const Step& left, const Step& right) {
  return left.send == right.send && left.receive == right.receive &&
         (left.receive.blocks.empty() || left.on_receive == right.on_receive) &&
         left.combinations == right.combinations;
}

namespace {

template <class T>
bool point_to_the_same(const std::shared_ptr<const T>& left, const std::shared_ptr<const T>& right) {
  return left == right || (left != nullptr && right != nullptr && *left == *right);
}

bool last_as_long(const Schedule& left, const Schedule& right) {
  if (!left.round_bytes || !right.round_bytes) return !left.round_bytes && !right.round_bytes;
  for (Round round = 0; round < left.rounds; ++round) {
    if (left.round_bytes(round) != right.round_bytes(round)) return false;
  }
  return true;
}

}  // namespace

bool operator==(const Problem& left, const Problem& right) {
  const auto plain = [](const Problem& problem) {
    return std::tie(problem.collective, problem.ranks, problem.root, problem.blocks, problem.owners,
                    problem.in_order, problem.first_group, problem.shares, problem.series);
  };
  return plain(left) == plain(right) && point_to_the_same(left.parcels, right.parcels) &&
         point_to_the_same(left.hosts, right.hosts);
}

bool do_the_same(const Schedule& left, const Schedule& right) {
  if (left.problem != right.problem || left.rounds != right.rounds || !last_as_long(left, right))
    return false;
  for (Rank rank = 0; rank < left.problem.ranks; ++rank) {
    const RankSchedule lefts = left.of_rank(rank);
    const RankSchedule rights = right.of_rank(rank);
    for (Round round = 0; round < left.rounds; ++round) {
      if (lefts(round) != rights(round)) return false;
    }
  }
  return true;
}

bool owns(const Problem& problem, Rank rank) {
  return problem.owners.empty() || std::ranges::binary_search(problem.owners, rank);
}

std::vector<Rank> owners_of(const Problem& problem) {
  if (problem.collective == Collective::broadcast || problem.collective == Collective::reduce ||
      problem.collective == Collective::inter_broadcast || problem.collective == Collective::inter_reduce)
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

void require_series(const Problem& problem) {
  const bool has_series = problem.series != nullptr;
  if (has_series != (problem.collective == Collective::series)) {
    refuse(has_series ? "a series in another collective" : "a series without its messages",
           "say where messages come from in a series, and only there");
  }
  if (!has_series) return;
  const auto require_rank = [&](Rank rank) {
    if (rank >= 0 && rank < problem.ranks) return;
    refuse("rank " + std::to_string(rank) + " in a series of " + std::to_string(problem.ranks), "name ranks");
  };
  for (const Origin& origin : problem.series->origins) require_rank(origin.rank);
  for (const Delivery& delivery : problem.series->deliveries) require_rank(delivery.rank);
}

void require_groups(const Problem& problem) {
  if (!is_inter_group(problem.collective)) {
    if (problem.first_group != 0) refuse("two groups of ranks", "only collectives between groups have them");
    return;
  }
  if (problem.first_group < 1 || problem.first_group >= problem.ranks) {
    refuse("a first group of " + std::to_string(problem.first_group) + " ranks",
           "of " + std::to_string(problem.ranks) + " ranks each group needs at least 1");
  }
}

void require_hosts(const Problem& problem) {
  if (!problem.hosts) return;
  const std::size_t placed = problem.hosts->of_rank.size();
  if (placed == static_cast<std::size_t>(problem.ranks)) return;
  refuse("hosts of " + std::to_string(placed) + " ranks",
         "say it of each of the " + std::to_string(problem.ranks) + " ranks");
}

void require_shares(const Problem& problem) {
  const bool has_shares = problem.collective == Collective::inter_allgather;
  const std::size_t needed = has_shares ? static_cast<std::size_t>(problem.ranks) : 0;
  if (problem.shares.size() != needed) {
    refuse(std::to_string(problem.shares.size()) + " shares",
           has_shares ? "give one for each of the " + std::to_string(problem.ranks) + " ranks"
                      : "only the allgather between groups has them");
  }
  if (std::ranges::any_of(problem.shares, [](std::int64_t bytes) { return bytes < 0; }))
    refuse("a share of less than 0 bytes", "give 0 or more");
}

}  // namespace

bool is_inter_group(Collective collective) {
  return collective == Collective::inter_allgather || collective == Collective::inter_broadcast ||
         collective == Collective::inter_reduce || collective == Collective::inter_allreduce;
}

bool is_reduction(Collective collective) {
  switch (collective) {
    case Collective::reduce:
    case Collective::reduce_scatter:
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
    case Collective::inter_reduce:
    case Collective::inter_allreduce:
      return true;
    default:
      return false;
  }
}

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
  require_series(problem);
  require_groups(problem);
  require_shares(problem);
  require_hosts(problem);
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

namespace {

void require_as_many_ranks(const Problem& problem, const Schedule& first, const Schedule& second) {
  if (first.problem.ranks == problem.ranks && second.problem.ranks == problem.ranks) return;
  refuse("schedules of " + std::to_string(first.problem.ranks) + " and " +
             std::to_string(second.problem.ranks) + " ranks",
         "both must be for " + std::to_string(problem.ranks));
}

/// Where round `round` of two schedules in turns is one of the first, or of the second.
struct Turn {
  bool is_first;
  Round round;
};

/// The first's `lead` rounds alone, pairs of a round of the second and one of the first while the first has
/// any, then the second's alone.
Turn turn_of(Round round, Round first_rounds, Round lead) {
  const Round alone = std::min(lead, first_rounds);
  if (round < alone) return {true, round};
  const Round beyond = round - alone;
  const Round pairs = first_rounds - alone;
  if (beyond >= 2 * pairs) return {false, beyond - pairs};
  const Round pair = beyond / 2;
  return beyond % 2 == 0 ? Turn{false, pair} : Turn{true, alone + pair};
}

}  // namespace

Schedule then(const Problem& problem, const Schedule& first, const Schedule& second) {
  require_as_many_ranks(problem, first, second);
  return {problem,
          first.rounds + second.rounds,
          [first, second](Rank rank) -> RankSchedule {
            return [one = first.of_rank(rank), two = second.of_rank(rank), rounds = first.rounds](
                       Round round) { return round < rounds ? one(round) : two(round - rounds); };
          },
          {},
          first.symmetry == second.symmetry ? first.symmetry : Symmetry::none};
}

Schedule in_turns(const Problem& problem, const Schedule& first, const Schedule& second, Round lead) {
  require_as_many_ranks(problem, first, second);
  const Round pairs = std::max<Round>(0, first.rounds - lead);
  return {problem, first.rounds + std::max(second.rounds, pairs),
          [first, second, lead](Rank rank) -> RankSchedule {
            return [one = first.of_rank(rank), two = second.of_rank(rank), first_rounds = first.rounds,
                    second_rounds = second.rounds, lead](Round round) {
              const Turn turn = turn_of(round, first_rounds, lead);
              if (turn.is_first) return one(turn.round);
              return turn.round < second_rounds ? two(turn.round) : Step{};
            };
          }};
}

namespace {

/// The blocks that stand for those of a part's message.
Blocks outer(const Embedded& part, const Blocks& inner) {
  if (inner.size() == 1) return part.blocks(*inner.begin());
  std::vector<Block> blocks;
  for (const Block each : inner) {
    const Blocks found = part.blocks(each);
    blocks.insert(blocks.end(), found.begin(), found.end());
  }
  std::ranges::sort(blocks);
  return Blocks(std::move(blocks));
}

Message outer(const Embedded& part, const Message& inner) {
  if (inner.blocks.empty()) return {};
  Message message{part.ranks[static_cast<std::size_t>(inner.peer)], outer(part, inner.blocks)};
  return message.blocks.empty() ? Message{} : message;
}

Step outer(const Embedded& part, const Step& inner) {
  Step step{outer(part, inner.send), outer(part, inner.receive), inner.on_receive, {}};
  for (const Combination& each : inner.combinations) {
    const Blocks from = part.blocks(each.from);
    const Blocks into = part.blocks(each.into);
    for (std::size_t i = 0; i < from.size(); ++i)
      step.combinations.push_back({from.begin()[i], into.begin()[i]});
  }
  return step;
}

/// Where a rank is among the parts.
struct Position {
  std::size_t part = 0;
  Rank rank = -1;  // none: it has nothing to do
};

struct SideBySide {
  std::vector<Embedded> parts;
  std::vector<Position> positions;  // by rank
};

void place(SideBySide& whole, std::size_t part) {
  const std::vector<Rank>& ranks = whole.parts[part].ranks;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    if (ranks[i] < 0 || rank >= whole.positions.size())
      refuse("rank " + std::to_string(ranks[i]) + " in a part", "parts have ranks of the whole");
    if (whole.positions[rank].rank >= 0)
      refuse("rank " + std::to_string(rank) + " in two parts", "parts share no rank");
    whole.positions[rank] = {part, static_cast<Rank>(i)};
  }
}

RankSchedule of_rank(const std::shared_ptr<const SideBySide>& whole, Rank rank) {
  const Position at = whole->positions[static_cast<std::size_t>(rank)];
  if (at.rank < 0) return [](Round) { return Step{}; };
  const Schedule& inner = whole->parts[at.part].schedule;
  return [whole, at, steps = inner.of_rank(at.rank), rounds = inner.rounds](Round round) {
    return round < rounds ? outer(whole->parts[at.part], steps(round)) : Step{};
  };
}

}  // namespace

Schedule side_by_side(const Problem& problem, std::vector<Embedded> parts) {
  auto whole = std::make_shared<SideBySide>();
  whole->parts = std::move(parts);
  whole->positions.resize(static_cast<std::size_t>(problem.ranks));
  Round rounds = 0;
  for (std::size_t part = 0; part < whole->parts.size(); ++part) {
    if (static_cast<Rank>(whole->parts[part].ranks.size()) != whole->parts[part].schedule.problem.ranks)
      refuse("a part with other ranks than its schedule", "name one for each of them");
    place(*whole, part);
    rounds = std::max(rounds, whole->parts[part].schedule.rounds);
  }
  return {problem, rounds, [whole = std::shared_ptr<const SideBySide>(std::move(whole))](Rank rank) {
            return of_rank(whole, rank);
          }};
}

Schedule nothing(const Problem& problem) {
  return {problem, 0, [](Rank) -> RankSchedule { return [](Round) { return Step{}; }; }};
}

}  // namespace rota
