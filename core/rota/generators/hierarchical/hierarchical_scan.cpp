#include "rota/generators/hierarchical/hierarchical_scan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rota/generators/counting.hpp"
#include "rota/schedule/hosts.hpp"

namespace rota {

namespace {

/// The rounds in which the first block passes a host's edges; the others follow in every other round.
class Timetable {
 public:
  explicit Timetable(const Hosts& hosts) : lead_(rounds_to_leader(hosts.most_ranks() - 1)) {}

  /// Over edge d of a host with so many, towards its leader.
  static Round towards(Rank d, Rank edges) { return rounds_to_leader(edges) - 1 - d; }
  /// Over the link into a host.
  Round over_link(Rank host) const { return lead_ + 2 * (Round{host} - 1); }
  /// Over edge d of a host, away from its leader.
  Round away(Rank d, Rank host) const { return over_link(host) + 1 + d; }

 private:
  static Round rounds_to_leader(Rank edges) { return Round{2} * ((edges + 1) / 2); }

  Round lead_;
};

/// A rank among those of its host.
struct Place {
  Rank rank = 0;
  Rank host = 0;
  Rank d = 0;             // ranks from here to the leader
  Rank edges = 0;         // of the host
  Rank before = -1;       // the leader of the host before, if there is one
  Rank next_leader = -1;  // of the host behind, if there is one

  bool is_first() const { return d == edges; }
  /// Is the combination of its host's contributions up to here wanted by anybody else?
  bool is_passed_on() const { return d > 0 || next_leader >= 0; }
};

Place place_of(const Hosts& hosts, Rank rank) {
  const Rank host = hosts.of_rank[static_cast<std::size_t>(rank)];
  const auto leader_of = [&](Rank of) -> Rank {
    return of < 0 || of >= hosts.count() ? -1 : hosts.ranks[static_cast<std::size_t>(of)].back();
  };
  const auto edges = static_cast<Rank>(hosts.ranks[static_cast<std::size_t>(host)].size()) - 1;
  return {rank, host, leader_of(host) - rank, edges, leader_of(host - 1), leader_of(host + 1)};
}

/// What one rank does.
class Part {
 public:
  Part(Problem problem, const Timetable& times, const Place& place)
      : problem_(std::move(problem)), times_(times), at_(place) {}

  Step step(Round round) const {
    if ((round - at_.d) % 2 != 0) return at_.is_first() ? Step{} : away_from_leader(round);
    return at_.d == 0 ? over_link(round) : towards_leader(round);
  }

 private:
  Step over_link(Round round) const {
    Step result;
    if (at_.next_leader >= 0)
      result.send = {at_.next_leader, carried(at_.rank, round, times_.over_link(at_.host + 1))};
    if (at_.before >= 0) take_before(at_.before, round, times_.over_link(at_.host), result);
    return result;
  }

  Step towards_leader(Round round) const {
    Step result;
    const Rank edge = at_.d - 1;
    result.send = {at_.rank + 1, carried(at_.rank, round, Timetable::towards(edge, at_.edges))};
    if (at_.before >= 0) take_before(at_.rank + 1, round, times_.away(edge, at_.host), result);
    return result;
  }

  Step away_from_leader(Round round) const {
    Step result;
    const Rank lower = at_.rank - 1;
    result.receive = {lower, carried(lower, round, Timetable::towards(at_.d, at_.edges))};
    if (is_scan() || at_.is_passed_on()) combine(lower, at_.rank, result);
    if (at_.before >= 0) result.send = {lower, carried(at_.before, round, times_.away(at_.d, at_.host))};
    return result;
  }

  /// What comes before the host comes from `peer`.
  void take_before(Rank peer, Round round, Round first, Step& result) const {
    result.receive = {peer, carried(at_.before, round, first)};
    if (is_scan() || (at_.d == 0 && at_.is_passed_on())) combine(at_.before, at_.rank, result);
    if (!is_scan() && !at_.is_first()) combine(at_.before, at_.rank - 1, result);
  }

  /// The block received, which is of `from`, into the one of `into`.
  static void combine(Rank from, Rank into, Step& result) {
    for (const Block received : result.receive.blocks)
      result.combinations.push_back({.from = {from, received.index}, .into = {into, received.index}});
  }

  /// The block of `owner` that passes in this round where block 0 does in round `first`.
  Blocks carried(Rank owner, Round round, Round first) const {
    return round < first ? Blocks{} : block_if_any(problem_, owner, (round - first) / 2);
  }

  bool is_scan() const { return problem_.collective == Collective::scan; }

  Problem problem_;
  Timetable times_;
  Place at_;
};

/// Until the last block is where it is wanted.
Round rounds_of(const Problem& problem, const Timetable& times) {
  const Hosts& hosts = *problem.hosts;
  Round last = -2 * (problem.blocks - 1) - 1;
  for (Rank host = 0; host < hosts.count(); ++host) {
    const auto edges = static_cast<Rank>(hosts.ranks[static_cast<std::size_t>(host)].size()) - 1;
    if (edges > 0) last = std::max(last, Timetable::towards(0, edges));
    if (host > 0) last = std::max(last, edges > 0 ? times.away(edges - 1, host) : times.over_link(host));
  }
  return last + 2 * (problem.blocks - 1) + 1;
}

}  // namespace

Schedule hierarchical_scan(const Problem& problem) {
  require_valid(problem);
  if (!problem.hosts || !problem.hosts->are_in_a_row())
    throw std::invalid_argument("no hosts whose ranks are in a row; give such, or take another schedule");
  const Timetable times(*problem.hosts);
  return {problem, rounds_of(problem, times), [problem, times](Rank rank) -> RankSchedule {
            return [part = Part(problem, times, place_of(*problem.hosts, rank))](Round round) {
              return part.step(round);
            };
          }};
}

Pipeline hierarchical_scan_pipeline(const Load& load) {
  const double hosts = load.placement.hosts;
  const double edges = load.placement.most_ranks - 1;
  const double lead = 2 * std::floor((edges + 1) / 2);
  // A leader combines its host's sum, and what comes before the host. Within a host a block goes from rank to rank twice, and
  // is combined each time; at each leader, a block comes and goes within the host before the next one is at the link.
  return {.per_block = 1,
          .fixed = hosts - 2,
          .bytes = load.bytes,
          .spread_bytes = (hosts - 2) * load.bytes,
          .combined_part = 2,
          .silent_per_block = 1,
          .silent_fixed = hosts - 3 + lead + edges,
          .silent_spread_bytes = (4 * edges + hosts - 2) * load.bytes};
}

}  // namespace rota
