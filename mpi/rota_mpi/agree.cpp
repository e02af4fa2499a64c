#include "rota_mpi/agree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace rota::mpi {

namespace {

std::int64_t sum(const Row& row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0},
                         [](std::int64_t so_far, const Shipment& each) { return so_far + each.bytes; });
}

/// A shipment as one item of MPI's.
class ShipmentType {
 public:
  ShipmentType() {
    check(PMPI_Type_contiguous(sizeof(Shipment), MPI_BYTE, &type_));
    check(PMPI_Type_commit(&type_));
  }
  ShipmentType(const ShipmentType&) = delete;
  ShipmentType& operator=(const ShipmentType&) = delete;
  ~ShipmentType() { PMPI_Type_free(&type_); }

  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The rows of all ranks, one after the other; empty if MPI cannot count their entries.
std::vector<Shipment> gathered_rows(const Row& mine, const Companion& companion) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(companion.ranks));
  check(PMPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, companion.comm));
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max()) return {};
  std::vector<int> begins(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  std::vector<Shipment> rows(static_cast<std::size_t>(total));
  const ShipmentType item;
  check(PMPI_Allgatherv(mine.data(), length, item.type(), rows.data(), lengths.data(), begins.data(),
                        item.type(), companion.comm));
  return rows;
}

/// What of all rows is for this rank.
Row column_of(const std::vector<Shipment>& rows, Rank rank) {
  Row column;
  std::ranges::copy_if(rows, std::back_inserter(column),
                       [&](const Shipment& each) { return each.to == rank; });
  return column;
}

/// Is it so on all ranks?
bool everywhere(bool here, MPI_Comm comm) {
  const int mine = here ? 1 : 0;
  int least = 0;
  check(PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm));
  return least != 0;
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

std::shared_ptr<const Pattern> gathered_pattern(const Sight& sight, const Companion& companion) {
  const std::vector<Shipment> rows = gathered_rows(sight.sent, companion);
  const Sight seen{sight.sent, column_of(rows, companion.rank)};
  if (!everywhere(seen == sight, companion.comm)) return nullptr;
  return std::make_shared<const Pattern>(companion.ranks, rows);
}

}  // namespace rota::mpi
