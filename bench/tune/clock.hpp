// The time that is left, on which all ranks must agree.
#pragma once

namespace rota::tune {

/// Seconds since it was made, by rank 0's clock.
class Clock {
 public:
  Clock();

  /// Collective; the same on all ranks.
  double seconds() const;

 private:
  double start_s_;
};

}  // namespace rota::tune
