#include "rota/proof/contributions.hpp"

#include <algorithm>

namespace rota {

namespace {

std::vector<RankRun> merged(const std::vector<RankRun>& runs) {
  std::vector<RankRun> result;
  for (const RankRun& run : runs) {
    if (!result.empty() && result.back().last + 1 == run.first) {
      result.back().last = run.last;
    } else {
      result.push_back(run);
    }
  }
  return result;
}

}  // namespace

Contributions Contributions::combined_with(const Contributions& right) const {
  std::vector<RankRun> runs = runs_;
  runs.insert(runs.end(), right.runs_.begin(), right.runs_.end());
  return Contributions(merged(runs));
}

Contributions Contributions::sorted() const {
  std::vector<RankRun> runs = runs_;
  std::ranges::sort(runs, {}, &RankRun::first);
  return Contributions(merged(runs));
}

}  // namespace rota
