#include "rota_mpi/report/notes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

namespace {

/// As notes, which are of a kind and its total.
template <class OneNote, class OneKind, class OneTotal>
std::vector<OneNote> listed(const std::map<OneKind, OneTotal>& totals) {
  std::vector<OneNote> notes;
  notes.reserve(totals.size());
  for (const auto& [kind, total] : totals) notes.push_back({kind, total});
  return notes;
}

Kind kind_of(const Served& served) {
  Kind kind{};
  kind.collective = served.call.problem.collective;
  kind.ranks = served.call.problem.ranks;
  kind.size_class = size_class_of(served.call);
  kind.algorithm = served.algorithm;
  kind.blocks = served.blocks;
  kind.rounds = served.rounds;
  kind.least_rounds = served.least_rounds;
  std::strncpy(kind.reason, served.reason, sizeof kind.reason - 1);
  return kind;
}

Outcome::OfArm sum(const Outcome::OfArm& one, const Outcome::OfArm& other) {
  return {one.calls + other.calls, one.seconds + other.seconds};
}

class Notebook {
 public:
  void add(const Served& served) {
    const Load load = load_of(served.call);
    const std::scoped_lock lock(mutex_);
    Total& total = totals_[kind_of(served)];
    total.calls += 1;
    total.schedules_made += served.made_schedule ? 1 : 0;
    total.bytes += load.bytes;
    total.bound_bytes += port_bytes_bound(load);
    total.seconds += served.seconds;
    total.slowest_mean_s = total.seconds / static_cast<double>(total.calls);
  }

  void add(const Call& call, const Outcome& outcome) {
    const bool is_on_schedule = outcome.incumbent == Arm::schedule;
    const std::scoped_lock lock(mutex_);
    CellTotal& total = cells_[{call.problem.collective, call.problem.ranks, size_class_of(call)}];
    total.communicators += outcome.is_first ? 1 : 0;
    if (outcome.has_changed) total.on_schedule += is_on_schedule ? 1 : -1;
    total.native = sum(total.native, outcome.of(Arm::native));
    total.schedule = sum(total.schedule, outcome.of(Arm::schedule));
    total.trials_cost_s += std::max(0.0, outcome.trial_cost_s);
  }

  std::vector<Note> notes() const {
    const std::scoped_lock lock(mutex_);
    return listed<Note>(totals_);
  }

  std::vector<CellNote> cell_notes() const {
    const std::scoped_lock lock(mutex_);
    return listed<CellNote>(cells_);
  }

 private:
  mutable std::mutex mutex_;
  std::map<Kind, Total> totals_;
  std::map<CellKind, CellTotal> cells_;
};

/// Never destroyed: programs may end MPI, and have the report printed, in their last destructor.
Notebook& notebook() {
  static auto* const the_notebook = new Notebook;
  return *the_notebook;
}

/// The notes of all ranks on rank 0, nothing elsewhere.
template <class OneNote>
std::vector<OneNote> gathered(const std::vector<OneNote>& mine) {
  int rank = 0;
  int ranks = 1;
  check(pmpi.Comm_rank(MPI_COMM_WORLD, &rank));
  check(pmpi.Comm_size(MPI_COMM_WORLD, &ranks));
  const int bytes = static_cast<int>(mine.size() * sizeof(OneNote));
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  check(pmpi.Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD));
  std::vector<int> offsets(counts.size());
  int sum = 0;
  for (std::size_t i = 0; rank == 0 && i < counts.size(); ++i) {
    offsets[i] = sum;
    sum += counts[i];
  }
  std::vector<OneNote> all(static_cast<std::size_t>(sum) / sizeof(OneNote));
  check(pmpi.Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, 0,
                     MPI_COMM_WORLD));
  return all;
}

std::vector<Note> merged(const std::vector<Note>& notes) {
  std::map<Kind, Total> totals;
  for (const Note& note : notes) {
    Total& total = totals[note.kind];
    total.calls += note.total.calls;
    total.schedules_made += note.total.schedules_made;
    total.bytes += note.total.bytes;
    total.bound_bytes += note.total.bound_bytes;
    total.slowest_mean_s = std::max(total.slowest_mean_s, note.total.slowest_mean_s);
  }
  return listed<Note>(totals);
}

std::vector<CellNote> merged(const std::vector<CellNote>& notes) {
  std::map<CellKind, CellTotal> totals;
  for (const CellNote& note : notes) {
    CellTotal& total = totals[note.kind];
    total.communicators += note.total.communicators;
    total.on_schedule += note.total.on_schedule;
    total.native = sum(total.native, note.total.native);
    total.schedule = sum(total.schedule, note.total.schedule);
    total.trials_cost_s += note.total.trials_cost_s;
  }
  return listed<CellNote>(totals);
}

}  // namespace

Served served_by(const Call& call, const Choice& choice) {
  Served served;
  served.call = call;
  if (choice.algorithm != nullptr)
    served.algorithm = static_cast<int>(choice.algorithm - algorithms().data());
  served.reason = choice.reason;
  return served;
}

void take_note(const Served& served) { notebook().add(served); }

void take_note(const Call& call, const Outcome& outcome) { notebook().add(call, outcome); }

std::vector<Note> gathered_notes() { return merged(gathered(notebook().notes())); }

std::vector<CellNote> gathered_cell_notes() { return merged(gathered(notebook().cell_notes())); }

}  // namespace rota::mpi
