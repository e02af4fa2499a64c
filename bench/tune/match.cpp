#include "match.hpp"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "contest.hpp"
#include "median.hpp"
#include "rivals.hpp"
#include "rota.h"
#include "rota/generators/names.hpp"
#include "timing.hpp"

namespace rota::tune {

namespace {

/// Bytes that stay together: of doubles where they are added up.
std::int64_t item_bytes(Collective collective) {
  const bool is_moved = collective == Collective::broadcast || collective == Collective::allgather;
  return is_moved ? 1 : 8;
}

/// One way of the call with its times; the native one has no rival.
struct Entrant {
  std::optional<Rival> rival;
  std::function<void()> call;
  std::vector<double> times_s;
};

bench::Contest contest_of(const Match& match) {
  bench::Problem problem;
  problem.bytes = static_cast<int>(match.bytes);
  MPI_Comm_rank(MPI_COMM_WORLD, &problem.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &problem.ranks);
  return bench::find_collective(call_name(match.collective))->contest(problem);
}

/// Makes Rota's collective the rival's schedule.
void prepare(const Rival& rival, Collective collective) {
  const std::string wish = std::string(call_name(collective)) + "=" + std::string(rival.algorithm->name);
  rota_configure("ROTA_ALGORITHM", wish.c_str());
  rota_configure("ROTA_BLOCK_BYTES", std::to_string(rival.message_bytes).c_str());
}

std::vector<Entrant> entrants_of(const Match& match, const mpi::Profile& profile,
                                 const bench::Contest& contest) {
  std::vector<Entrant> all{{{}, contest.native, {}}};
  for (const Rival& rival : rivals(match.collective, match.bytes, item_bytes(match.collective), profile)) {
    all.push_back({rival, contest.rota, {}});
  }
  return all;
}

/// Times an entrant's first call and checks what it gives.
double first_time(const Match& match, const bench::Contest& contest, const Entrant& entrant) {
  if (entrant.rival) prepare(*entrant.rival, match.collective);
  double first_s = 0;
  if (!bench::correct_after(contest, [&] { first_s = bench::seconds_of(entrant.call); })) {
    const std::string name = entrant.rival ? std::string(entrant.rival->algorithm->name) : "native";
    throw std::runtime_error("wrong results of " + std::string(call_name(match.collective)) + ", " +
                             std::to_string(match.bytes) + " bytes, " + name);
  }
  return first_s;
}

void visit(const Match& match, Entrant& entrant, int calls) {
  if (entrant.rival) prepare(*entrant.rival, match.collective);
  for (int i = 0; i < calls; ++i) entrant.times_s.push_back(bench::seconds_of(entrant.call));
}

/// How often each entrant is called: `visits` times, between those of the others, `calls` calls in a row.
struct Effort {
  int visits = 3;
  int calls = 1;
  bool counts_first = true;  // short calls are slower at first, when connections are made and caches cold
};

Effort effort_for(double native_s) {
  if (native_s < 1e-3) return {3, 5, false};
  if (native_s < 1e-2) return {3, 3, false};
  if (native_s < 1e-1) return {3, 1, true};
  return {2, 1, true};
}

/// Schedules that took more than half as long again as the best entrant's first call are given up.
void drop_hopeless(std::vector<Entrant>& entrants) {
  const auto first = [](const Entrant& entrant) { return entrant.times_s.front(); };
  const double best_s = first(*std::ranges::min_element(entrants, {}, first));
  const auto best_rival = std::ranges::min_element(entrants.begin() + 1, entrants.end(), {}, first);
  const double limit_s = std::max(1.5 * best_s, first(*best_rival));
  std::erase_if(entrants, [&](const Entrant& each) { return each.rival && first(each) > limit_s; });
}

void play(const Match& match, const bench::Contest& contest, std::vector<Entrant>& entrants) {
  std::vector<double> firsts_s;
  firsts_s.reserve(entrants.size());
  for (const Entrant& each : entrants) firsts_s.push_back(first_time(match, contest, each));
  const Effort effort = effort_for(firsts_s.front());
  if (effort.counts_first) {
    for (std::size_t i = 0; i < entrants.size(); ++i) entrants[i].times_s.push_back(firsts_s[i]);
    drop_hopeless(entrants);
  }
  for (int i = 0; i < effort.visits; ++i) {
    for (Entrant& each : entrants) visit(match, each, effort.calls);
  }
}

}  // namespace

std::int64_t whole_bytes(Collective collective, std::int64_t bytes, Rank ranks) {
  const bool has_shares = collective == Collective::allgather || collective == Collective::reduce_scatter;
  const std::int64_t unit = item_bytes(collective) * (has_shares ? ranks : 1);
  return (bytes + unit - 1) / unit * unit;
}

mpi::Measurement winner(const Match& match, const mpi::Profile& profile) {
  const bench::Contest contest = contest_of(match);
  std::vector<Entrant> entrants = entrants_of(match, profile, contest);
  play(match, contest, entrants);
  const auto time_s = [](const Entrant& each) { return bench::median(each.times_s); };
  const auto best = std::ranges::min_element(entrants.begin() + 1, entrants.end(), {}, time_s);
  if (!best->rival) throw std::logic_error("only the first entrant is no schedule");
  const Rival& rival = *best->rival;
  return {match.bytes, time_s(entrants.front()), time_s(*best),
          static_cast<int>(rival.algorithm - algorithms().data()), static_cast<double>(rival.message_bytes)};
}

}  // namespace rota::tune
