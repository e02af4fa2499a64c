#include "rota_mpi/way/watch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rota_mpi/communicators/attached.hpp"
#include "rota_mpi/settings/in_force.hpp"

namespace rota::mpi {

namespace {

Attached<Watch>& watches() {
  static auto* const the_watches = new Attached<Watch>(AttachedKind::watch);
  return *the_watches;
}

bool equal(const Row& left, const Row& right) {
  return std::ranges::equal(left, right, [](const Shipment& one, const Shipment& other) {
    return one.from == other.from && one.to == other.to && one.bytes == other.bytes;
  });
}

std::int64_t sum(const Row& row) {
  return std::accumulate(row.begin(), row.end(), std::int64_t{0},
                         [](std::int64_t so_far, const Shipment& each) { return so_far + each.bytes; });
}

Watch& attached_to(MPI_Comm comm) {
  if (Watch* const found = watches().find(comm)) return *found;
  return watches().attach(comm, std::make_unique<Watch>());
}

}  // namespace

bool operator==(const Sight& left, const Sight& right) {
  return equal(left.sent, right.sent) && equal(left.received, right.received);
}

std::int64_t port_bytes_of(const Sight& sight) { return std::max(sum(sight.sent), sum(sight.received)); }

const Remembered* Patterns::known(std::size_t place, const Sight& sight) const {
  const Remembered* const there = remembered_[place].get();
  return there != nullptr && there->sight == sight ? there : nullptr;
}

const Plan& Patterns::remember(std::unique_ptr<Remembered> what) {
  const std::size_t place = oldest_;
  oldest_ = (oldest_ + 1) % places;
  return remember(std::move(what), place);
}

const Plan& Patterns::remember(std::unique_ptr<Remembered> what, std::size_t place) {
  remembered_[place] = std::move(what);
  return remembered_[place]->plan;
}

Watch& watch_over(MPI_Comm comm) {
  Watch& watch = attached_to(comm);
  if (watch.settings != settings_number()) {
    watch = Watch{};
    watch.settings = settings_number();
  }
  return watch;
}

}  // namespace rota::mpi
