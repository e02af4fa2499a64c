#include "rota_mpi/decide/looks.hpp"

#include <algorithm>
#include <cmath>

#include "rota/model/bound.hpp"

namespace rota::mpi {

namespace {

constexpr double parts = 100;  // of the time; one of them is for looks

/// Of a reduction to one rank and a broadcast from it, beside whose last message all others are.
double messages_in_a_row(Rank ranks) { return 1 + 2 * static_cast<double>(ceil_log2(ranks)); }

}  // namespace

bool Looks::skips() {
  if (left_ == 0) return false;
  --left_;
  ++calls_;
  return true;
}

std::int64_t Looks::begin(double now_s, Rank ranks) {
  began_s_ = now_s;
  ++calls_;
  if (took_s_ <= 0) return first_skips;
  const double call_s = (now_s - ended_s_) / static_cast<double>(calls_);
  const double look_s = messages_in_a_row(ranks) * took_s_ + spent_s_;
  const auto most = static_cast<double>(most_skips);
  return static_cast<std::int64_t>(
      std::ceil(std::min(most, parts * look_s / std::max(call_s, look_s / most))));
}

void Looks::end(double now_s, std::int64_t agreed_skips) {
  took_s_ = now_s - began_s_;
  spent_s_ = 0;
  ended_s_ = now_s;
  calls_ = 0;
  agreed_ = agreed_skips;
}

/// No calls' time.
void Looks::spent(double seconds) {
  spent_s_ = seconds;
  ended_s_ += seconds;
}

}  // namespace rota::mpi
