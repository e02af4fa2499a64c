// The trace as JSON for Perfetto and chrome://tracing: a process a rank, and on it as many threads as overlap.
//
//     rank 3 (host)    calls            [ bcast 4 MiB: circulant                      ]
//                      model            [ by the model            ]                       what it should have taken
//                      rounds: sends       [to 4][to 5][to 7] ...                          from when it is posted
//                      rounds: receives    [from 2][from 1] ...                            until this rank has seen its end
//
// An arrow goes from a message's one end to the other. Times are microseconds of rank 0's clock, from MPI_Init.
//
// Source: the Trace Event Format (complete events "X", flows "s" and "f", metadata "M").
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "rota_mpi/report/clock.hpp"
#include "rota_mpi/report/lines.hpp"
#include "rota_mpi/report/records.hpp"

namespace rota::mpi {

/// What one rank has kept.
struct RankTrace {
  Rank rank = 0;
  std::string host;
  Clock clock;
  Records records;
};

/// Writes one rank after the other, and keeps nothing of them. Without a file it only counts.
class TraceWriter {
 public:
  /// `zero_s` by rank 0's clock is the trace's 0. The file stays as long as the writer does.
  TraceWriter(std::FILE* file, double zero_s);

  /// O(n log n) in its records. Throws std::bad_alloc.
  void add(const RankTrace& trace);
  /// Nothing more comes, for that is how the job ended.
  void end(Ending ending);

  /// By all ranks so far.
  const Lost& lost() const { return lost_; }

 private:
  struct Told {
    Rank rank;
    std::string host;
    Clock clock;
    Lost lost;
  };

  void write_ranks() const;

  std::FILE* file_;
  double zero_s_;
  Lost lost_;
  std::vector<Told> told_;
  bool has_model_ = false;
};

}  // namespace rota::mpi
