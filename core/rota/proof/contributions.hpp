// The value of a block, as verification sees it: whose contributions were combined, and in which order.
#pragma once

#include <vector>

#include "rota/schedule/types.hpp"

namespace rota {

/// The ranks first..last, each once, in that order.
struct RankRun {
  Rank first = 0;
  Rank last = 0;

  bool operator==(const RankRun&) const = default;
};

/// A sequence of contributions as maximal runs: combined in rank order it is a single one, so that p ranks
/// cost O(1).
class Contributions {
 public:
  Contributions() = default;
  static Contributions of(Rank first, Rank last) { return Contributions({{first, last}}); }

  bool empty() const { return runs_.empty(); }

  /// This one op `right`: the contributions of both, in that order.
  Contributions combined_with(const Contributions& right) const;

  /// The same contributions in the order of their ranks; what an operator that commutes cannot tell from
  /// this.
  Contributions sorted() const;

  bool operator==(const Contributions&) const = default;

 private:
  explicit Contributions(std::vector<RankRun> runs) : runs_(std::move(runs)) {}

  std::vector<RankRun> runs_;
};

}  // namespace rota
