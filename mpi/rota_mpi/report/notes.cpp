#include "rota_mpi/report/notes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/report/log.hpp"
#include "rota_mpi/report/records.hpp"
#include "rota_mpi/settings/in_force.hpp"

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

/// Of several ranks.
Total sum(const Total& one, const Total& other) {
  return {one.calls + other.calls,
          one.schedules_made + other.schedules_made,
          one.bytes + other.bytes,
          one.bound_bytes + other.bound_bytes,
          one.seconds + other.seconds,
          std::max(one.slowest_mean_s, other.slowest_mean_s),
          one.elsewhere_s + other.elsewhere_s,
          one.followed + other.followed,
          one.starts + other.starts};
}

CellTotal sum(const CellTotal& one, const CellTotal& other) {
  return {one.communicators + other.communicators,
          one.on_schedule + other.on_schedule,
          one.native + other.native,
          one.schedule + other.schedule,
          one.trials_cost_s + other.trials_cost_s,
          other.tried};
}

Tried tried_by(const Call& call, const Choice& choice) {
  if (choice.algorithm == nullptr) return {.bytes = call.bytes};
  return {static_cast<int>(choice.algorithm - algorithms().data()), call.bytes,
          mean_message_bytes(*choice.algorithm, call, choice.blocks)};
}

CellTotal total_of(const Call& call, const Choice& choice, const Outcome& outcome) {
  const std::int64_t change = outcome.incumbent == Arm::schedule ? 1 : -1;
  return {outcome.is_first ? 1 : 0,  outcome.has_changed ? change : 0,    outcome.of(Arm::native),
          outcome.of(Arm::schedule), std::max(0.0, outcome.trial_cost_s), tried_by(call, choice)};
}

class Notebook {
 public:
  void add(const char* name, const Served& served) {
    const Load load = load_of(served.call);
    const std::scoped_lock lock(mutex_);
    Total& total = totals_[kind_of(name, served)];
    total.calls += 1;
    total.schedules_made += served.made_schedule ? 1 : 0;
    total.bytes += load.bytes;
    total.bound_bytes += port_bytes_of(served, load);
    total.seconds += served.seconds;
    total.elsewhere_s += served.elsewhere_s.value_or(0);
    total.followed += served.elsewhere_s ? 1 : 0;
    total.starts += served.is_start_only ? 1 : 0;
    total.slowest_mean_s = total.seconds / static_cast<double>(total.calls);
  }

  void add(const Call& call, const Choice& choice, const Outcome& outcome) {
    const std::scoped_lock lock(mutex_);
    CellTotal& total = cells_[{call.problem.collective, call.problem.ranks, size_class_of(call.bytes)}];
    total = sum(total, total_of(call, choice, outcome));
  }

  Notes notes() const {
    const std::scoped_lock lock(mutex_);
    return {listed<Note>(totals_), listed<CellNote>(cells_)};
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
std::vector<OneNote> gathered(const std::vector<OneNote>& mine, MPI_Comm own) {
  int rank = 0;
  int ranks = 1;
  check_own(pmpi.Comm_rank(own, &rank));
  check_own(pmpi.Comm_size(own, &ranks));
  const int bytes = static_cast<int>(mine.size() * sizeof(OneNote));
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  check_own(pmpi.Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, own));
  std::vector<int> offsets(counts.size());
  int sum = 0;
  for (std::size_t i = 0; rank == 0 && i < counts.size(); ++i) {
    offsets[i] = sum;
    sum += counts[i];
  }
  std::vector<OneNote> all(static_cast<std::size_t>(sum) / sizeof(OneNote));
  check_own(pmpi.Gatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, 0,
                         own));
  return all;
}

/// One of each kind.
template <class OneNote>
std::vector<OneNote> merged(const std::vector<OneNote>& notes) {
  std::map<decltype(OneNote::kind), decltype(OneNote::total)> totals;
  for (const auto& [kind, total] : notes) totals[kind] = sum(totals[kind], total);
  return listed<OneNote>(totals);
}

}  // namespace

Kind kind_of(const char* name, const Served& served) {
  Kind kind{};
  std::strncpy(kind.name, name, sizeof kind.name - 1);
  kind.collective = served.call.problem.collective;
  kind.ranks = served.call.problem.ranks;
  kind.size_class = size_class_of(served.call.bytes);
  kind.algorithm = served.algorithm;
  kind.blocks = served.blocks;
  kind.rounds = served.rounds;
  kind.least_rounds = served.least_rounds;
  std::strncpy(kind.reason, served.reason, sizeof kind.reason - 1);
  return kind;
}

double port_bytes_of(const Served& served, const Load& load) {
  return served.port_bytes ? static_cast<double>(*served.port_bytes) : port_bytes_bound(load);
}

Served served_by(const Call& call, const Choice& choice) {
  Served served;
  served.call = call;
  if (choice.algorithm != nullptr)
    served.algorithm = static_cast<int>(choice.algorithm - algorithms().data());
  served.reason = choice.reason;
  served.expected_s = expected_seconds(call, choice, settings());
  return served;
}

void take_note(const char* name, const Served& served) {
  if (settings().report) notebook().add(name, served);
  log_end(name, served);
  record(name, served);
}

void take_note(const Call& call, const Choice& choice, const Outcome& outcome) {
  notebook().add(call, choice, outcome);
}

Notes own_notes() { return notebook().notes(); }

Notes gathered_notes(MPI_Comm own) {
  const Notes mine = own_notes();
  return {merged(gathered(mine.calls, own)), merged(gathered(mine.cells, own))};
}

}  // namespace rota::mpi
