#include "rota_mpi/communicators/contention.hpp"

#include <algorithm>

namespace rota::mpi {

namespace {

// Systems' slices are seldom shorter, and ranks that wait are seldom away for so long.
constexpr Contention::Nanoseconds least_loss = std::chrono::milliseconds(1);

// Who was away longer was stopped, and that says nothing of what comes.
constexpr Contention::Nanoseconds most_loss = std::chrono::milliseconds(20);

constexpr int times_loss = 300;

}  // namespace

bool Contention::is_loss(Nanoseconds passed) { return passed >= least_loss; }

void Contention::passed(Nanoseconds between, Nanoseconds now) {
  if (is_loss(between)) until_ = std::max(until_, now + times_loss * std::min(between, most_loss));
}

}  // namespace rota::mpi
