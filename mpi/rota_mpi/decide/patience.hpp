// How long calls go on as they are before something is found out for them, which costs something itself.
//
//     calls have moved   |--------------|------------------------------|-------  bytes: as all ranks count them
//                        begun          enough? Not yet by the clock   twice as many: enough? ...
//
// Bytes decide when a clock is asked, for that takes a message; and where little time has passed, it is asked when twice as many have moved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace rota::mpi {

class Patience {
 public:
  /// Until calls have moved so many bytes, at the least.
  explicit Patience(std::int64_t awaited_bytes) : awaited_bytes_(awaited_bytes) {}

  bool has_begun() const { return begun_s_.has_value(); }
  void begin(double now_s) { begun_s_ = now_s; }

  void moved(std::int64_t bytes) { moved_bytes_ += bytes; }

  /// Have they moved more than so many, and than are awaited?
  bool have_moved(std::int64_t bytes) const { return moved_bytes_ > std::max(awaited_bytes_, bytes); }

  /// Since it has begun; 0 if it has not.
  double passed_s(double now_s) const { return now_s - begun_s_.value_or(now_s); }

  /// Until they have moved as many once more.
  void put_off() { awaited_bytes_ = 2 * moved_bytes_; }

 private:
  std::optional<double> begun_s_;
  std::int64_t moved_bytes_ = 0;
  std::int64_t awaited_bytes_;
};

}  // namespace rota::mpi
