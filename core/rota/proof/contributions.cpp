#include "rota/proof/contributions.hpp"

#include <algorithm>

namespace rota {

namespace {

/// Of runs in order: maximal ones.
void append(std::vector<RankRun>& runs, const RankRun& next) {
  if (!runs.empty() && runs.back().last + 1 == next.first) {
    runs.back().last = next.last;
  } else {
    runs.push_back(next);
  }
}

}  // namespace

Contributions Contributions::combined_with(const Contributions& right) const {
  std::vector<RankRun> runs;
  runs.reserve(runs_.size() + right.runs_.size());
  runs = runs_;
  for (const RankRun& run : right.runs_) append(runs, run);
  return Contributions(std::move(runs));
}

Contributions Contributions::sorted() const {
  std::vector<RankRun> in_order = runs_;
  std::ranges::sort(in_order, {}, &RankRun::first);
  std::vector<RankRun> runs;
  for (const RankRun& run : in_order) append(runs, run);
  return Contributions(std::move(runs));
}

}  // namespace rota
