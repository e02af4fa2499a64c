#include "rota/proof/contributions.hpp"

#include <algorithm>
#include <utility>

namespace rota {

namespace {

/// Maximal runs, and one more behind them: maximal ones.
std::vector<RankRun> with(std::vector<RankRun> runs, const RankRun& next) {
  if (!runs.empty() && runs.back().last + 1 == next.first) {
    runs.back().last = next.last;
  } else {
    runs.push_back(next);
  }
  return runs;
}

}  // namespace

Contributions Contributions::combined_with(const Contributions& right) const {
  std::vector<RankRun> runs = runs_;
  for (const RankRun& run : right.runs_) runs = with(std::move(runs), run);
  return Contributions(std::move(runs));
}

Contributions Contributions::sorted() const {
  std::vector<RankRun> in_order = runs_;
  std::ranges::sort(in_order, {}, &RankRun::first);
  std::vector<RankRun> runs;
  for (const RankRun& run : in_order) runs = with(std::move(runs), run);
  return Contributions(std::move(runs));
}

}  // namespace rota
