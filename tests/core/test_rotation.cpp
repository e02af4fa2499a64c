// Schedules that say that they rotate do, for every rank of small p; and one rank's play stands for all: to the bit
// what the plain simulator finds, for shares alike and not.
#include "rota/schedule/rotation.hpp"

#include <iostream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "extent.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/generators/names.hpp"
#include "rota/model/simulate_rotation.hpp"

namespace {

using namespace rota;

constexpr Network network{
    .latency_s = 1.7e-6, .seconds_per_byte = 3.1e-10, .seconds_per_combined_byte = 1.3e-10};

std::string words(const Algorithm& algorithm, const Problem& problem) {
  return std::string(algorithm.name) + " " + std::string(name(algorithm.collective)) +
         ", p = " + std::to_string(problem.ranks) + ", n = " + std::to_string(problem.blocks);
}

std::vector<Rank> all_ranks(Rank ranks) {
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void require_same(const Simulation& plain, const Simulation& fast, const std::string& what) {
  require(
      plain.seconds == fast.seconds && plain.port_bytes == fast.port_bytes && plain.finish_s == fast.finish_s,
      what + ": one rank's play is not everybody's");
}

void require_played_alike(const Schedule& schedule, const BlockBytes& bytes, const std::string& what) {
  require_same(simulate(schedule, network, bytes), simulate_rotation(schedule, network, bytes), what);
}

/// Shares in a few runs, some of them empty.
std::vector<std::int64_t> uneven_shares(Rank ranks) {
  std::vector<std::int64_t> shares;
  for (Rank rank = 0; rank < ranks; ++rank) shares.push_back(rank % 5 < 2 ? 1000 : 7 * (rank / 3));
  return shares;
}

/// The names of those that rotated.
void play_all_of(Rank ranks, BlockIndex blocks, std::set<std::string>& rotating) {
  for (const Algorithm& algorithm : algorithms()) {
    Problem problem{algorithm.collective, ranks, 0, blocks};
    if (is_inter_group(problem.collective) || !algorithm.solves(problem)) continue;
    const Schedule schedule = algorithm.schedule(problem);
    if (schedule.symmetry != Symmetry::rotation) continue;
    const std::string what = words(algorithm, problem);
    rotating.insert(std::string(algorithm.name) + " " + std::string(name(algorithm.collective)));
    const auto fault = rotation_fault(schedule, all_ranks(ranks));
    require(!fault.has_value(), what + ": " + fault.value_or(""));
    for (const std::int64_t bytes : {0, 1, 1000, 1009, 64 * 3 * 5 * 7 * ranks})
      require_played_alike(schedule, equal_cuts(schedule.problem, bytes), what);
    require_played_alike(schedule, cuts_of_shares(schedule.problem, uneven_shares(ranks)), what);
  }
}

void every_schedule_that_says_so() {
  std::set<std::string> rotating;
  for (Rank ranks = 1; ranks <= ranks_up_to(40); ++ranks) {
    for (const BlockIndex blocks : {1, 2, 3, 8}) play_all_of(ranks, blocks, rotating);
  }
  const std::set<std::string> expected{
      "circulant allgather", "circulant reduce_scatter", "circulant allreduce", "circulant_chunks allreduce",
      "ring allgather",      "ring reduce_scatter",      "ring allreduce"};
  require(rotating == expected, "other schedules rotate than were thought to");
}

void some_owners_do_not_rotate() {
  const Problem problem{Collective::allgather, 9, 0, 1, {0, 3, 4}};
  for (const char* const each : {"circulant", "ring"}) {
    const Schedule schedule = find_algorithm(Collective::allgather, each)->schedule(problem);
    require(schedule.symmetry == Symmetry::none, std::string(each) + " of some owners says that it rotates");
  }
}

/// A rank that goes another way is found, and a broadcast.
void what_does_not_rotate_is_found() {
  Schedule schedule =
      find_algorithm(Collective::allgather, "circulant")->schedule({Collective::allgather, 9});
  const auto honest = schedule.of_rank;
  schedule.of_rank = [honest](Rank rank) { return honest(rank == 7 ? 6 : rank); };
  const auto fault = rotation_fault(schedule, all_ranks(9));
  require(fault.has_value() && fault->starts_with("rank 7 "), "rank 7 was not found");
  const Schedule broadcast =
      find_algorithm(Collective::broadcast, "circulant")->schedule({Collective::broadcast, 9});
  require(rotation_fault(broadcast, all_ranks(9)).has_value(), "a broadcast was taken to rotate");
  require(broadcast.symmetry == Symmetry::none, "a broadcast says that it rotates");
}

void large_ones() {
  const Rank ranks = 100'003;
  const std::vector<Rank> some{1, 2, 65'536, ranks - 1};
  for (const Collective collective :
       {Collective::allgather, Collective::reduce_scatter, Collective::allreduce}) {
    const Schedule schedule = find_algorithm(collective, "circulant")->schedule({collective, ranks});
    const auto fault = rotation_fault(schedule, some);
    require(!fault.has_value(), fault.value_or(""));
    const BlockBytes bytes = equal_cuts(schedule.problem, std::int64_t{64} * ranks);
    require(way_to_simulate(schedule, bytes).basis == Basis::one_for_all, "one does not stand for all");
    const Simulation played = simulate_rotation(schedule, network, bytes);
    require(
        played.port_bytes == std::int64_t{64} * (ranks - 1) * (collective == Collective::allreduce ? 2 : 1),
        "other bytes than those of all others");
  }
}

}  // namespace

int main() {
  every_schedule_that_says_so();
  some_owners_do_not_rotate();
  what_does_not_rotate_is_found();
  large_ones();
  std::cout << "ok\n";
}
