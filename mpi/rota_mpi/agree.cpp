#include "rota_mpi/agree.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "rota_mpi/made_type.hpp"

namespace rota::mpi {

namespace {

std::int64_t sum(const Row& row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0},
                         [](std::int64_t so_far, const Shipment& each) { return so_far + each.bytes; });
}

/// A shipment as one item of MPI's.
MadeType shipment_type() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(PMPI_Type_contiguous(sizeof(Shipment), MPI_BYTE, &type));
  MadeType made(type);
  check(PMPI_Type_commit(&type));
  return made;
}

/// What a rank says of a plan in the making; the least of what all say counts.
enum class Verdict : std::uint8_t { disagrees, has_no_memory, agrees };

Verdict least_of(Verdict mine, MPI_Comm comm) {
  const int number = static_cast<int>(mine);
  int least = 0;
  check(PMPI_Allreduce(&number, &least, 1, MPI_INT, MPI_MIN, comm));
  return static_cast<Verdict>(least);
}

/// What `attempt` says, if it has the memory to say anything.
template <class Attempt>
Verdict with_memory(const Attempt& attempt) {
  try {
    return attempt();
  } catch (const std::bad_alloc&) {
    return Verdict::has_no_memory;
  }
}

/// The rows of all ranks, one after the other.
struct GatheredRows {
  std::vector<Shipment> rows;
  Verdict verdict = Verdict::agrees;  // else there are none
};

/// `disagrees`: MPI cannot count their entries.
GatheredRows gathered_rows(const Row& mine, const Companion& companion) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(companion.ranks));
  std::vector<int> begins(lengths.size());
  check(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, companion.comm));
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max()) return {{}, Verdict::disagrees};
  GatheredRows all;
  const Verdict here = with_memory([&] {
    all.rows.resize(static_cast<std::size_t>(total));
    return Verdict::agrees;
  });
  all.verdict = least_of(here, companion.comm);
  if (all.verdict != Verdict::agrees) return all;
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  const MadeType item = shipment_type();
  check(PMPI_Allgatherv(mine.data(), length, item.handle(), all.rows.data(), lengths.data(), begins.data(),
                        item.handle(), companion.comm));
  return all;
}

/// What of all rows is for this rank.
Row column_of(const std::vector<Shipment>& rows, Rank rank) {
  Row column;
  std::ranges::copy_if(rows, std::back_inserter(column),
                       [&](const Shipment& each) { return each.to == rank; });
  return column;
}

AgreedPlan without_plan(Verdict why) {
  return {nullptr, why == Verdict::has_no_memory ? "no memory for a schedule" : "ranks disagree"};
}

}  // namespace

Look look_at(const Sight& sight, const Watch& watch, MPI_Comm comm) {
  // The largest port; and of each plan whether it is one for other calls than this one, on any rank.
  std::array<std::int64_t, 1 + Watch::places> mine{std::max(sum(sight.sent), sum(sight.received))};
  for (std::size_t place = 0; place < Watch::places; ++place) {
    const auto& plan = watch.remembered[place];
    mine[1 + place] = plan != nullptr && plan->sight == sight ? 0 : 1;
  }
  std::array<std::int64_t, mine.size()> all{};
  check(PMPI_Allreduce(mine.data(), all.data(), static_cast<int>(all.size()), MPI_INT64_T, MPI_MAX, comm));
  const auto* const found = std::find(all.begin() + 1, all.end(), 0);
  if (found == all.end()) return {all[0], nullptr};
  return {all[0], &watch.remembered[static_cast<std::size_t>(found - all.begin() - 1)]->plan};
}

AgreedPlan agreed_plan(const Sight& sight, const Companion& companion, const Settings& settings) {
  const GatheredRows all = gathered_rows(sight.sent, companion);
  if (all.verdict != Verdict::agrees) return without_plan(all.verdict);
  AgreedPlan agreed;
  const Verdict here = with_memory([&] {
    if (!(Sight{sight.sent, column_of(all.rows, companion.rank)} == sight)) return Verdict::disagrees;
    const auto pattern = std::make_shared<const Pattern>(companion.ranks, all.rows);
    agreed.made = std::make_unique<Remembered>(sight, plan_for(pattern, companion.rank, settings));
    return Verdict::agrees;
  });
  const Verdict everywhere = least_of(here, companion.comm);
  return everywhere == Verdict::agrees ? std::move(agreed) : without_plan(everywhere);
}

}  // namespace rota::mpi
