// What the report says, before anybody prints it: pure, but for what rank 0 knows of the network.
//
//     notes -> lines, those with most to gain first -> table | JSON
//
// What can be gained is the time beyond the links' bound, or all of it where links' rate is not known. The bound counts a call's
// bytes and nothing else: where these take a link less time than the rounds' latency does, it means nothing, and nothing can be
// gained. Nor is it known of calls of which the start alone was timed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rota_mpi/decide/found_network.hpp"
#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

/// How the job came to its end, which says who has told what is in the report.
enum class Ending : std::uint8_t {
  finalized,    // by MPI_Finalize: all ranks
  aborted,      // by MPI_Abort: the rank that called it alone
  terminated,   // by SIGTERM: rank 0 alone, and in what follows
  interrupted,  // by SIGINT
};

/// "MPI_Finalize"
const char* name_of(Ending ending);

/// One line of the report. Seconds and bytes are means over its calls; a time is that of the slowest rank.
struct Line {
  std::string call;  // MPI's name; "inter_..." where schedules between groups might serve it
  std::string collective;
  std::string schedule;
  std::string reason;
  std::int64_t ranks = 0;
  std::int64_t size_class_bytes = 0;
  std::int64_t calls = 0;
  std::int64_t blocks = 0;
  std::int64_t rounds = 0;
  std::int64_t least_rounds = 0;
  std::int64_t schedules_made = 0;
  double bytes = 0;
  double seconds = 0;
  double bound_bytes = 0;  // that must pass the busiest port, of a rank or of a host that ranks share
  double bound_s = 0;      // 0: the links' rate is not known
  std::optional<double>
      overlapped;                 // of calls that returned at once: the share of the time in no call of MPI's
  bool is_small = false;          // do the bytes take less than the latency of the least rounds?
  bool is_start_only = false;     // it returned at once, and natively: `seconds` are not until its end
  bool is_bound_telling = false;  // does the time beside the bound mean anything?

  double total_s() const { return static_cast<double>(calls) * seconds; }
};

struct Report {
  Ending ending = Ending::finalized;
  std::optional<Rank> noted_by;  // alone; nullopt: by all ranks
  std::vector<Line> lines;
  std::vector<CellNote> cells;                        // those whose calls took most time first
  std::map<std::vector<int>, FoundNetwork> networks;  // by hosts
  std::size_t ranks = 0;                              // of MPI_COMM_WORLD; 0: not known
  std::size_t hosts = 0;                              // that these are on
};

/// What a report says of these notes.
Report report_of(const Notes& notes, Ending ending);

/// The time of all calls in which both ways compete.
double total_s(const CellNote& cell);

}  // namespace rota::mpi
