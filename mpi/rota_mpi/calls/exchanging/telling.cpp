#include "rota_mpi/calls/exchanging/telling.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/gathering.hpp"

namespace rota::mpi {

namespace {

/// Small messages wait for nobody's data.
constexpr Round small_in_flight = 16;

}  // namespace

Telling::Telling(Sight sight, const Place& place, Terms terms, std::shared_ptr<Patterns> patterns)
    : sight_(std::move(sight)),
      place_(place),
      terms_(std::move(terms)),
      patterns_(std::move(patterns)),
      records_(static_cast<std::size_t>(place.ranks)),
      verdicts_(static_cast<std::size_t>(place.ranks)) {}

std::optional<Prepared> Telling::next(const Self& self) {
  switch (stage_) {
    case Stage::begun:
      return tell_record(self);
    case Stage::records:
      return after_records(self);
    case Stage::room:
      return after_room(self);
    case Stage::rows:
      return after_rows(self);
    case Stage::made:
      return after_made();
    default:
      return {};
  }
}

std::optional<Prepared> Telling::tell_record(const Self& self) {
  const auto degree = static_cast<std::int64_t>(std::max(sight_.sent.size(), sight_.received.size()));
  std::int64_t known = 0;
  for (std::size_t place = 0; place < Patterns::places; ++place) {
    if (patterns_->known(place, sight_) != nullptr) known |= std::int64_t{1} << place;
  }
  own_record() = {port_bytes_of(sight_), degree, std::ssize(sight_.sent), known};
  stage_ = Stage::records;
  return gathering(records_, place_.rank, self);
}

std::optional<Prepared> Telling::after_records(const Self& self) {
  std::int64_t known = -1;
  for (const Record& each : records_) {
    port_bytes_ = std::max(port_bytes_, each.port_bytes);
    degree_ = std::max(degree_, each.degree);
    known &= each.known;
  }
  for (std::size_t place = 0; place < Patterns::places; ++place) {
    if ((known >> place & 1) != 0) return over_with(patterns_->known(place, sight_)->plan);
  }
  if (reason_for_native_all_to_many(place_.ranks, port_bytes_, settings()) != nullptr ||
      reason_of_messages(port_bytes_, degree_, settings()) != nullptr)
    return over_with_pairwise();
  return tell(make_room(), Stage::room, self);
}

/// One message may have half of all rows.
Verdict Telling::make_room() {
  std::int64_t total = 0;
  for (const Record& each : records_) total += each.row_length;
  constexpr std::int64_t most = std::numeric_limits<int>::max() / static_cast<std::int64_t>(sizeof(Shipment));
  if (total > most) return Verdict::too_many;
  return with_memory([&] {
    rows_.resize(static_cast<std::size_t>(total));
    return Verdict::agrees;
  });
}

std::optional<Prepared> Telling::after_room(const Self& self) {
  if (least_verdict() != Verdict::agrees) return over_with_pairwise();
  std::vector<std::int64_t> bytes;
  std::int64_t before = 0;
  for (const Record& each : records_) {
    if (&each == &own_record()) std::ranges::copy(sight_.sent, rows_.begin() + before);
    before += each.row_length;
    bytes.push_back(each.row_length * static_cast<std::int64_t>(sizeof(Shipment)));
  }
  stage_ = Stage::rows;
  return gathering(rows_.data(), bytes, place_.rank, self);
}

std::optional<Prepared> Telling::after_rows(const Self& self) {
  mine_ = plan_from(rows_, sight_, place_, terms_);
  return tell(mine_.verdict, Stage::made, self);
}

/// Where a rank disagrees, whoever is sent more than it expects finds that out by itself, as by MPI's own
/// call.
std::optional<Prepared> Telling::after_made() {
  if (least_verdict() != Verdict::agrees) return over_with_pairwise();
  made_plan_ = true;
  return over_with(patterns_->remember(std::move(mine_.made)));
}

/// A plan may be to leave the call to the MPI library.
std::optional<Prepared> Telling::over_with(Plan plan) {
  if (plan.part == nullptr) return over_with_pairwise();
  plan_ = std::move(plan);
  stage_ = Stage::over;
  return {};
}

std::optional<Prepared> Telling::over_with_pairwise() {
  std::vector<Shipment> own = sight_.sent;
  own.insert(own.end(), sight_.received.begin(), sight_.received.end());
  Pieces pieces = terms_.pieces;
  if (settings().rounds_in_flight == 0) pieces.in_flight = small_in_flight;
  plan_ = plan_for_own(own, place_.rank, place_.ranks, port_bytes_, degree_, pieces);
  stage_ = Stage::over;
  return {};
}

std::optional<Prepared> Telling::tell(Verdict mine, Stage stage, const Self& self) {
  verdicts_[static_cast<std::size_t>(place_.rank)] = static_cast<std::int64_t>(mine);
  stage_ = stage;
  return gathering(verdicts_, place_.rank, self);
}

Verdict Telling::least_verdict() const { return static_cast<Verdict>(std::ranges::min(verdicts_)); }

}  // namespace rota::mpi
