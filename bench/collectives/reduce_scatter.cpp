// MPI_Reduce_scatter and MPI_Reduce_scatter_block: sums of doubles.
#include <algorithm>

#include "contest.hpp"
#include "rota.h"
#include "sums.hpp"

namespace rota::bench {

namespace {

using Function = int(const void*, void*, const int[], MPI_Datatype, MPI_Op, MPI_Comm);
using BlockFunction = int(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);

struct Scattering {
  Shares shares;
  std::size_t start;
  double weight;
  std::vector<double> all;
  std::vector<double> result;

  Scattering(const Problem& problem, Shares cut)
      : shares(std::move(cut)),
        start(static_cast<std::size_t>(shares.offsets[static_cast<std::size_t>(problem.rank)])),
        weight(weight_below(problem.ranks)),
        all(numbers(static_cast<std::size_t>(shares.total()), weight_of_rank(problem.rank))),
        result(static_cast<std::size_t>(shares.counts[static_cast<std::size_t>(problem.rank)])) {}

  Load load() const {
    Load load{static_cast<std::int64_t>(all.size() * sizeof(double)), {}};
    for (const int count : shares.counts) {
      load.share_bytes.push_back(static_cast<std::int64_t>(count) * std::int64_t{sizeof(double)});
    }
    return load;
  }
  void call(Function* reduce_scatter) {
    reduce_scatter(all.data(), result.data(), shares.counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  void call(BlockFunction* reduce_scatter_block) {
    reduce_scatter_block(all.data(), result.data(), shares.counts.front(), MPI_DOUBLE, MPI_SUM,
                         MPI_COMM_WORLD);
  }
  void reset() { std::ranges::fill(result, 0); }
  bool correct() const { return holds(result, start, weight); }
};

int doubles(const Problem& problem) { return items_of(problem.bytes, sizeof(double)); }

}  // namespace

Contest reduce_scatter(const Problem& problem) {
  return contest_on(Scattering(problem, shares(doubles(problem), problem.shape, problem.ranks)),
                    MPI_Reduce_scatter, rota_reduce_scatter);
}

Contest reduce_scatter_block(const Problem& problem) {
  return contest_on(Scattering(problem, equal_shares(doubles(problem), problem.ranks)),
                    MPI_Reduce_scatter_block, rota_reduce_scatter_block);
}

}  // namespace rota::bench
