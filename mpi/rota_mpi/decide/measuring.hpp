// What rounds take on a network is measured a little at a time: with messages of which sizes, and when.
//
//   bytes that calls have moved   |-----------------|----|--------|----------------|--------------------------------|-- ...
//   measured, with messages of                    1 KiB  32 KiB   60 KiB         128 KiB                         256 KiB
//
// The next size is measured once calls have moved 8 times as many bytes as all measuring with it, and so much time has passed that all
// measuring takes no more than a 100th of it, if this size takes no more than twice what the one before took; the first, whose messages are
// short, is as long as some meetings of the ranks. So where processors are taken away it is at most one size that takes longer than that;
// and communicators that live shortly never pay for any.
//
// Sizes grow until larger ones gain little; then more rounds are in flight.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "rota/schedule/types.hpp"
#include "rota_mpi/decide/patience.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

class Measuring {
 public:
  /// Rounds to be played: with messages of so many bytes, so many rounds in flight.
  struct Trial {
    std::int64_t bytes;
    Round in_flight;
  };

  /// Of so many messages is the data that a trial broadcasts.
  static constexpr BlockIndex blocks = 8;

  /// Rounds that take longer than this are the wire's.
  static constexpr double long_s = 0.002;

  bool has_begun() const { return patience_.has_begun(); }
  void begin(double now_s) { patience_.begin(now_s); }

  /// Messages of more bytes go another way.
  void keep_to(std::int64_t most_bytes) { found_.most_bytes = most_bytes; }

  bool is_over() const { return is_over_; }
  void end() { is_over_ = true; }

  /// What is to be measured next; it is not over.
  const Trial& next() const { return next_; }

  void moved(std::int64_t bytes) { patience_.moved(bytes); }

  /// Have calls moved enough bytes for what is next?
  bool has_moved_enough() const;

  /// Has enough time passed for it, since measuring has begun? Ranks have met before the first.
  bool has_passed_enough(double now_s) const;

  /// To meet took the ranks so long.
  void met(double seconds) { meeting_s_ = std::min(meeting_s_, seconds); }

  /// Until calls have moved as many bytes once more.
  void put_off() { patience_.put_off(); }

  /// So long took what had to be there first.
  void spent(double seconds) { spent_s_ += seconds; }

  /// Of what was next a round took so long, and all of it so long.
  void know(double round_s, double all_s);

  /// What was measured by now.
  const RoundTimes& found() const { return found_; }

 private:
  // In powers of two, but one size just below 64 KiB, from where on libraries tend to ask the receiver first.
  static constexpr std::array<std::int64_t, 6> sizes{std::int64_t{1} << 10,   std::int64_t{32} << 10,
                                                     std::int64_t{60} << 10,  std::int64_t{128} << 10,
                                                     std::int64_t{256} << 10, std::int64_t{512} << 10};

  double next_s() const;
  void know_size(const RoundTime& time);
  void know_in_flight(const RoundTime& time);
  void follow_in_flight();

  Trial next_{.bytes = sizes.front(), .in_flight = 1};
  bool is_over_ = false;
  RoundTimes found_;
  RoundTime best_;
  double meeting_s_ = std::numeric_limits<double>::infinity();  // the shortest that was seen
  double latest_s_ = 0;
  double spent_s_ = 0;
  std::int64_t spent_bytes_ = 0;
  Patience patience_{std::int64_t{32} << 20};
};

}  // namespace rota::mpi
