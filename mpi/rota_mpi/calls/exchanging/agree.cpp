#include "rota_mpi/calls/exchanging/agree.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <numeric>
#include <span>
#include <utility>

#include "rota_mpi/communicators/pausing.hpp"
#include "rota_mpi/library/made_type.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/refusals.hpp"

namespace rota::mpi {

namespace {

/// A shipment as one item of MPI's.
MadeType shipment_type() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(pmpi.Type_contiguous(sizeof(Shipment), MPI_BYTE, &type));
  MadeType made(type);
  check(pmpi.Type_commit(&type));
  return made;
}

Verdict least_of(Verdict mine, MPI_Comm comm) {
  const int number = static_cast<int>(mine);
  int least = 0;
  allreduce_pausing(&number, &least, 1, MPI_INT, MPI_MIN, comm);
  return static_cast<Verdict>(least);
}

/// The rows of all ranks, one after the other.
struct GatheredRows {
  std::vector<Shipment> rows;
  Verdict verdict = Verdict::agrees;  // else there are none
};

/// Ranks have just met before each gathering, so that little waits in it: Open MPI's nonblocking ones send p
/// times as much.
GatheredRows gathered_rows(const Row& mine, MPI_Comm comm, const Place& place) {
  const int length = static_cast<int>(mine.size());
  std::vector<int> lengths(static_cast<std::size_t>(place.ranks));
  std::vector<int> begins(lengths.size());
  check(pmpi.Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm));
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max()) return {{}, Verdict::too_many};
  GatheredRows all;
  const Verdict here = with_memory([&] {
    all.rows.resize(static_cast<std::size_t>(total));
    return Verdict::agrees;
  });
  all.verdict = least_of(here, comm);
  if (all.verdict != Verdict::agrees) return all;
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  const MadeType item = shipment_type();
  check(pmpi.Allgatherv(mine.data(), length, item.handle(), all.rows.data(), lengths.data(), begins.data(),
                        item.handle(), comm));
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
  switch (why) {
    case Verdict::has_no_memory:
      return {nullptr, "no memory for a schedule"};
    case Verdict::too_many:
      return {nullptr, "too many messages to plan"};
    default:
      return {nullptr, "ranks disagree"};
  }
}

const char* reason_in(Objection objection) {
  switch (objection) {
    case Objection::odd_arguments:
      return refused_arguments;
    case Objection::on_device:
      return device_memory;
    default:
      return nullptr;
  }
}

}  // namespace

Agreed look_at(const Sight& sight, Objection objection, std::int64_t skips, const Patterns& patterns,
               MPI_Comm comm) {
  // The largest port and degree; the gravest objection; the least skips; and of each plan whether it is one for other
  // calls than this one, on any rank.
  constexpr std::size_t first_plan = 4;
  const auto degree = static_cast<std::int64_t>(std::max(sight.sent.size(), sight.received.size()));
  std::array<std::int64_t, first_plan + Patterns::places> mine{port_bytes_of(sight), degree,
                                                               static_cast<std::int64_t>(objection), -skips};
  for (std::size_t place = 0; place < Patterns::places; ++place)
    mine[first_plan + place] = patterns.known(place, sight) != nullptr ? 0 : 1;
  std::array<std::int64_t, mine.size()> all{};
  allreduce_pausing(mine.data(), all.data(), static_cast<int>(all.size()), MPI_INT64_T, MPI_MAX, comm);
  const auto plans = std::span(all).subspan(first_plan);
  const auto found = std::ranges::find(plans, 0);
  const auto place = static_cast<std::size_t>(found - plans.begin());
  return {.port_bytes = all[0],
          .degree = all[1],
          .reason = reason_in(static_cast<Objection>(all[2])),
          .remembered = found == plans.end() ? nullptr : patterns.known(place, sight),
          .place = place,
          .least_skips = -all[3]};
}

MadePlan plan_from(const std::vector<Shipment>& rows, const Sight& sight, const Place& place,
                   const Terms& terms) {
  MadePlan result;
  result.verdict = with_memory([&] {
    if (!(Sight{sight.sent, column_of(rows, place.rank)} == sight)) return Verdict::disagrees;
    const auto pattern = std::make_shared<const Pattern>(place.ranks, rows);
    result.made = std::make_unique<Remembered>(
        sight, plan_for(pattern, terms.hosts, place.rank, settings(), terms.pieces), terms.pieces);
    return Verdict::agrees;
  });
  return result;
}

AgreedPlan agreed_plan(const Sight& sight, MPI_Comm comm, const Place& place, const Terms& terms) {
  const GatheredRows all = gathered_rows(sight.sent, comm, place);
  if (all.verdict != Verdict::agrees) return without_plan(all.verdict);
  MadePlan mine = plan_from(all.rows, sight, place, terms);
  const Verdict everywhere = least_of(mine.verdict, comm);
  if (everywhere != Verdict::agrees) return without_plan(everywhere);
  return {std::move(mine.made)};
}

}  // namespace rota::mpi
