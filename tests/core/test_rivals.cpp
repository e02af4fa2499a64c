// The schedules that others use and the papers compare with: right for every number of ranks, as many rounds and bytes as their
// files say, and never predicted to be faster than what Rota has where that is as free in the order of ranks.
#include <algorithm>
#include <bit>
#include <cmath>
#include <iostream>
#include <string>

#include "extent.hpp"
#include "require.hpp"
#include "rota/generators/butterfly/butterfly_allreduce.hpp"
#include "rota/generators/butterfly/butterfly_reduce.hpp"
#include "rota/generators/butterfly/halving.hpp"
#include "rota/generators/classic/scatter_allgather.hpp"
#include "rota/generators/classic/scatter_ring.hpp"
#include "rota/generators/index.hpp"
#include "rota/model/bound.hpp"
#include "rota/model/cost.hpp"
#include "rota/model/simulate.hpp"
#include "rota/proof/verify.hpp"

namespace {

using namespace rota;

std::string named(const char* algorithm, const Problem& problem) {
  return std::string(algorithm) + ", p = " + std::to_string(problem.ranks) + ", root " +
         std::to_string(problem.root);
}

void require_correct(const Schedule& schedule, const std::string& what) {
  const std::vector<Violation> violations = verify(schedule);
  require(violations.empty(), what + ": " + (violations.empty() ? std::string() : violations[0].fault));
}

/// Without latency, of data that is cut evenly: how many times its bytes' time a schedule takes.
double times_the_bytes(const Schedule& schedule) {
  const std::int64_t bytes = std::int64_t{720720} * schedule.problem.blocks;
  const Network no_latency{0, 1, 0};
  return simulate(schedule, no_latency, equal_cuts(schedule.problem, bytes)).seconds /
         static_cast<double>(bytes);
}

void scattered(Rank ranks, Rank root) {
  const Problem problem{Collective::broadcast, ranks, root, 3};
  const int q = ceil_log2(ranks);
  const Schedule in_log = scatter_allgather(problem);
  const Schedule on_ring = scatter_ring(problem);
  require_correct(in_log, named("scatter_allgather", problem));
  require_correct(on_ring, named("scatter_ring", problem));
  require(in_log.rounds == 2 * q, named("scatter_allgather", problem) + ": rounds");
  require(on_ring.rounds == q + ranks - 1, named("scatter_ring", problem) + ": rounds");
  const double most = 2.0 * (ranks - 1) / ranks;
  for (const Schedule& schedule : {in_log, on_ring}) {
    const double taken = times_the_bytes(schedule);
    require(ranks == 1 || (taken > 0.6 * most && taken < most * (1 + 1e-12)),
            named("a scatter", problem) + ": " + std::to_string(taken) + " times the bytes");
  }
}

Round halving_rounds(Rank ranks) {
  Round rounds = 0;
  for (; ranks > 1; ranks /= 2) rounds += ranks % 2 == 0 ? 1 : 2;
  return rounds;
}

bool is_power_of_two(Rank ranks) { return std::has_single_bit(static_cast<std::uint32_t>(ranks)); }

void butterfly_to_all(Rank ranks) {
  const Problem problem{Collective::allreduce, ranks, 0, 3, {}, true};
  const Schedule schedule = butterfly_allreduce(problem);
  const std::string what = named("butterfly allreduce", problem);
  require_correct(schedule, what);
  require(schedule.rounds == 2 * halving_rounds(ranks), what + ": rounds");
  const double taken = times_the_bytes(schedule);
  require(taken <= 3 + 1e-12, what + ": " + std::to_string(taken) + " times the bytes");
  const double predicted = butterfly_allreduce_pipeline({Collective::allreduce, ranks, 1}).bytes;
  require(std::abs(taken - predicted) < 1e-9, what + ": predicted " + std::to_string(predicted));
  if (is_power_of_two(ranks)) require(taken == 2.0 * (ranks - 1) / ranks, what + ": the least bytes");
}

void butterfly_to_one(Rank ranks, Rank root) {
  const Problem problem{Collective::reduce, ranks, root, 3, {}, true};
  const Schedule schedule = butterfly_reduce(problem);
  const std::string what = named("butterfly reduce", problem);
  require_correct(schedule, what);
  require(schedule.rounds == halving_rounds(ranks) + halvings(ranks), what + ": rounds");
  const double taken = times_the_bytes(schedule);
  require(taken <= 2.5 + 1e-12, what + ": " + std::to_string(taken) + " times the bytes");
  if (is_power_of_two(ranks)) require(taken == 2.0 * (ranks - 1) / ranks, what + ": bytes");
}

void every_number_of_ranks() {
  for (Rank ranks = 1; ranks <= ranks_up_to(70); ++ranks) {
    butterfly_to_all(ranks);
    for (Rank root = 0; root < ranks; root += ranks <= 20 ? 1 : 7) {
      scattered(ranks, root);
      butterfly_to_one(ranks, root);
    }
  }
  for (const Rank ranks : {127, 128, 150, 191, 255}) {
    butterfly_to_all(ranks);
    butterfly_to_one(ranks, ranks - 1);
    scattered(ranks, 1);
  }
}

/// Time alone, without the number of blocks that data can be cut into.
double predicted_s(const char* name, const Problem& problem, double bytes, const Network& network) {
  const Algorithm& algorithm = *find_algorithm(problem.collective, name);
  const double share = problem.collective == Collective::allreduce ? bytes / problem.ranks : bytes;
  const Pipeline pipeline = algorithm.pipeline({problem.collective, problem.ranks, bytes, share, share});
  return predicted_seconds(pipeline, network, best_blocks(pipeline, network, 1 << 30));
}

/// Where combining costs nothing: a butterfly has the ranks share that work, which is worth a little of few
/// ranks.
void rivals_lose_to(const char* ours, const char* rival, Collective collective) {
  for (Rank ranks = 2; ranks <= 200; ++ranks) {
    for (double bytes = 1; bytes < 1e10; bytes *= 4) {
      for (const Network& network : {Network{1e-6, 1e-10}, Network{3e-6, 1e-9}, Network{1e-4, 1e-7}}) {
        const Problem problem{collective, ranks};
        require(predicted_s(ours, problem, bytes, network) <=
                    predicted_s(rival, problem, bytes, network) * (1 + 1e-12),
                named(rival, problem) + ": " + std::to_string(bytes) + " bytes");
      }
    }
  }
}

}  // namespace

int main() try {
  every_number_of_ranks();
  rivals_lose_to("circulant", "scatter_allgather", Collective::broadcast);
  rivals_lose_to("circulant", "scatter_ring", Collective::broadcast);
  rivals_lose_to("circulant", "butterfly", Collective::reduce);
  rivals_lose_to("circulant", "butterfly", Collective::allreduce);
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
