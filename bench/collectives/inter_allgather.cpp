// MPI_Allgather of bytes between two groups of ranks: one way, or both.
#include <mpi.h>

#include <algorithm>

#include "bytes.hpp"
#include "contest.hpp"
#include "rota.h"

namespace rota::bench {

namespace {

using Function = int(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

/// A group that has data, as this rank sees it.
struct Direction {
  int owners = 0;
  int bytes = 0;  // of each
};

class BetweenGroups {
 public:
  BetweenGroups(const Problem& problem, int bytes_back)
      : ranks_(problem.ranks),
        first_group_(problem.first_group),
        there_{problem.first_group, problem.bytes},
        back_{problem.ranks - problem.first_group, bytes_back} {
    const bool is_first = problem.rank < problem.first_group;
    const Direction own = is_first ? there_ : back_;
    const Direction other = is_first ? back_ : there_;
    mine_.resize(static_cast<std::size_t>(own.bytes));
    theirs_.resize(static_cast<std::size_t>(other.owners) * static_cast<std::size_t>(other.bytes));
    received_bytes_ = other.bytes;
    const int number = is_first ? problem.rank : problem.rank - problem.first_group;
    fill(mine_, static_cast<std::size_t>(number) * mine_.size());
    connect(is_first);
  }

  Load load() const {
    std::vector<std::int64_t> shares(static_cast<std::size_t>(ranks_), back_.bytes);
    std::fill_n(shares.begin(), first_group_, there_.bytes);
    const auto bytes = [](const Direction& one) { return std::int64_t{one.owners} * one.bytes; };
    return {std::max(bytes(there_), bytes(back_)), std::move(shares)};
  }
  void call(Function* allgather) {
    allgather(mine_.data(), static_cast<int>(mine_.size()), MPI_BYTE, theirs_.data(), received_bytes_,
              MPI_BYTE, between_);
  }
  void reset() { spoil(theirs_, 0); }
  bool correct() const { return holds(theirs_, 0); }

 private:
  /// The communicators live as long as the job, as a program's do.
  void connect(bool is_first) {
    MPI_Comm side = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, is_first ? 0 : 1, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? first_group_ : 0, 1, &between_);
    MPI_Comm_free(&side);
  }

  int ranks_;
  int first_group_;
  Direction there_;
  Direction back_;
  int received_bytes_ = 0;
  std::vector<unsigned char> mine_;
  std::vector<unsigned char> theirs_;
  MPI_Comm between_ = MPI_COMM_NULL;
};

}  // namespace

Contest inter_allgather(const Problem& problem) {
  return contest_on(BetweenGroups(problem, 0), MPI_Allgather, rota_allgather);
}

Contest inter_allgather_both_ways(const Problem& problem) {
  return contest_on(BetweenGroups(problem, problem.bytes), MPI_Allgather, rota_allgather);
}

}  // namespace rota::bench
