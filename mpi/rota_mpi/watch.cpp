#include "rota_mpi/watch.hpp"

#include <algorithm>
#include <utility>

namespace rota::mpi {

namespace {

// MPI calls this when the program frees its communicator.
int free_watch(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Watch> watch(static_cast<Watch*>(attribute));
  return MPI_SUCCESS;
}

int new_key() {
  int key = MPI_KEYVAL_INVALID;
  check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_watch, &key, nullptr));
  return key;
}

int key() {
  static const int the_key = new_key();
  return the_key;
}

bool equal(const Row& left, const Row& right) {
  return std::ranges::equal(left, right, [](const Shipment& one, const Shipment& other) {
    return one.from == other.from && one.to == other.to && one.bytes == other.bytes;
  });
}

Watch& attached_to(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&found), &is_there));
  if (is_there != 0) return *static_cast<Watch*>(found);
  auto watch = std::make_unique<Watch>();
  check(PMPI_Comm_set_attr(comm, key(), watch.get()));
  return *watch.release();  // the attribute owns it
}

}  // namespace

bool operator==(const Sight& left, const Sight& right) {
  return equal(left.sent, right.sent) && equal(left.received, right.received);
}

bool Watch::skips() {
  if (skips_left_ == 0) return false;
  --skips_left_;
  return true;
}

void Watch::found_native() {
  skips_left_ = next_skips_;
  next_skips_ = std::min(2 * next_skips_, most_skips);
}

const Plan& Watch::remember(std::unique_ptr<Remembered> what) {
  auto& place = remembered[oldest_];
  oldest_ = (oldest_ + 1) % places;
  place = std::move(what);
  return place->plan;
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
