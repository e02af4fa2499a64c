// Notes of the calls on this rank, and how those of all ranks come together.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "rota_mpi/decide/cell.hpp"
#include "rota_mpi/decide/choose.hpp"
#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

/// The call has no record yet.
constexpr std::int64_t unrecorded = -1;

/// One call that was served. `blocks` and `rounds` are 0 for a native one.
struct Served {
  Call call{};
  int algorithm = -1;       // position in algorithms(), or in all_to_many_algorithms(); -1: native
  const char* reason = "";  // why it is native
  std::int64_t blocks = 0;  // all-to-many: the most messages, or parts of messages, that one rank sends
  std::int64_t rounds = 0;
  std::int64_t least_rounds = 0;  // all-to-many: the most messages that one rank sends or receives; and
                                  // between groups
  std::optional<std::int64_t>
      port_bytes;                  // all-to-many: that must pass the busiest port, of a rank or a host
  bool made_schedule = false;      // all-to-many: in this call, for it and those like it that follow
  std::chrono::nanoseconds nap{};  // that this rank sleeps between two looks while it waits
  double start_s = 0;              // this rank's MPI_Wtime; unless nobody takes notes
  double seconds = 0;
  bool is_start_only = false;         // these are of a native call that returned at once: not until its end
  double expected_s = 0;              // by the model; 0: nothing is known of the network
  std::int64_t record = unrecorded;   // its place among the records of the trace
  std::optional<double> elsewhere_s;  // of a call that returned at once: in no call of MPI's, from its start
                                      // to its end
};

/// The least that must pass the busiest port, of a rank or of a host that ranks share, in a call with this
/// load.
double port_bytes_of(const Served& served, const Load& load);

/// One that this choice serves.
Served served_by(const Call& call, const Choice& choice);

/// What calls must share to be one line of the report.
struct Kind {
  char name[32];  // MPI's, of the call: of one collective there are several
  Collective collective;
  Rank ranks;
  int size_class;  // calls of 2^size_class bytes or more, and less than twice that
  int algorithm;   // as in Served
  std::int64_t blocks;
  std::int64_t rounds;
  std::int64_t least_rounds;  // as in Served
  char reason[64];

  auto key() const {
    return std::tuple(std::string_view(name), collective, ranks, size_class, algorithm, blocks, rounds,
                      least_rounds, std::string_view(reason));
  }
  bool operator<(const Kind& other) const { return key() < other.key(); }
};

Kind kind_of(const char* name, const Served& served);

struct Total {
  std::int64_t calls = 0;  // times the ranks that took part
  std::int64_t schedules_made = 0;
  double bytes = 0;
  double bound_bytes = 0;  // that had to pass the busiest port
  double seconds = 0;
  double slowest_mean_s = 0;  // the mean over the calls of the slowest rank
  double elsewhere_s = 0;
  std::int64_t followed = 0;  // calls of which that is known
  std::int64_t starts = 0;    // calls of which the start alone was timed
};

/// One kind with its total, as it travels to rank 0.
struct Note {
  Kind kind{};
  Total total;
};

/// What cells must share to be one line of the report.
struct CellKind {
  Collective collective;
  Rank ranks;
  int size_class;  // as in Kind

  auto operator<=>(const CellKind&) const = default;
};

/// The schedule that a cell has tried last: on so many bytes, in messages of so many bytes in the mean.
struct Tried {
  int algorithm = -1;  // position in algorithms(); -1: an all-to-many one, which is none of these
  std::int64_t bytes = 0;
  double message_bytes = 0;
};

/// Of the calls of cells, as ranks agreed on them.
struct CellTotal {
  std::int64_t communicators = 0;
  std::int64_t on_schedule = 0;  // of these, by what was agreed last
  Outcome::OfArm native;
  Outcome::OfArm schedule;
  double trials_cost_s = 0;  // of those periods in which they have gained nothing
  Tried tried{};
};

struct CellNote {
  CellKind kind{};
  CellTotal total;
};

/// Takes note of what a communicator's ranks have agreed on of calls such as this one, on one of them. May be
/// called from several threads.
void take_note(const Call& call, const Choice& choice, const Outcome& outcome);

/// Takes note of a call on this rank that is over, by that name of MPI's, for the report, the log and the
/// trace. May be called from several threads.
void take_note(const char* name, const Served& served);

/// What was noted, one note for each kind.
struct Notes {
  std::vector<Note> calls;
  std::vector<CellNote> cells;
};

/// Of this rank alone, by now. May be asked for by any thread, and calls no MPI.
Notes own_notes();

/// Of all ranks, on rank 0; nothing elsewhere. Collective over a communicator of Rota's own: an error that
/// the program has survived on one of its own may have left messages there. Throws MpiError.
Notes gathered_notes(MPI_Comm own);

/// Takes note, if anybody wants to know, of what `action(served)` says that it serves, if anything:
/// `note(served)` does.
template <class Action, class Note>
int noted(const Action& action, const Note& note) {
  std::optional<Served> served;
  if (!settings().takes_notes) return action(served);
  const double start_s = pmpi.Wtime();
  const int code = action(served);
  if (!served) return code;
  served->start_s = start_s;
  served->seconds = pmpi.Wtime() - start_s;
  note(*served);
  return code;
}

}  // namespace rota::mpi
