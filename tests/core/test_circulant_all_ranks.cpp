// All ranks at once against each by itself, and a checker that finds exactly what was spoilt.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "require.hpp"
#include "rota/circulant/circulant.hpp"
#include "rota/circulant/circulant_all_ranks.hpp"
#include "rota/circulant/circulant_conditions.hpp"

namespace {

using namespace rota;
using namespace rota::circulant;

// Steps over ranks, so that large p take no longer; every seam is looked at whole.
bool looked_at(const Skips& s, Rank r, Rank stride) {
  if (r % stride == 0) return true;
  for (int k = 0; k <= s.q; ++k) {
    if (std::abs(r - s[k]) <= 40) return true;
  }
  return r <= 40;
}

void require_equal(Rank p, Rank stride) {
  const Skips s = skips(p);
  const AllSchedules all(s);
  const std::string where = "p = " + std::to_string(p) + ", rank ";
  for (Rank r = 0; r < p; ++r) {
    if (!looked_at(s, r, stride)) continue;
    const auto column = static_cast<std::size_t>(r);
    const Schedule receive = receive_schedule(s, r);
    const Schedule send = send_schedule(s, r);
    require(all.baseblocks()[column] == baseblock(s, r), where + std::to_string(r) + ": baseblock");
    for (int k = 0; k < s.q; ++k) {
      require(all.receive(k)[column] == receive[k], where + std::to_string(r) + ": receive schedule");
      require(all.send(k)[column] == send[k], where + std::to_string(r) + ": send schedule");
    }
  }
}

std::vector<std::int8_t> rows(const Skips& s, AllSchedules::Row (AllSchedules::*row)(int) const) {
  const AllSchedules all(s);
  std::vector<std::int8_t> blocks;
  for (int k = 0; k < s.q; ++k) {
    const AllSchedules::Row one = (all.*row)(k);
    blocks.insert(blocks.end(), one.begin(), one.end());
  }
  return blocks;
}

void require_spoilt_entry_found() {
  const Skips s = skips(17);
  std::vector<std::int8_t> receive = rows(s, &AllSchedules::receive);
  std::vector<std::int8_t> send = rows(s, &AllSchedules::send);
  require(condition_violations(s, receive, send).empty(), "right tables have violations");

  // In Table 1 rank 5 receives -4 in round 2, and -1 only in round 4.
  receive[2 * 17 + 5] = -1;
  const std::vector<Violation> expected{
      {.rule = Rule::received_is_sent, .rank = 5, .round = 2, .found = -1, .wanted = -4},
      {.rule = Rule::received_blocks_differ, .rank = 5, .round = 4, .found = -1, .wanted = 0},
  };
  require(condition_violations(s, receive, send) == expected, "a spoilt receive entry");

  receive = rows(s, &AllSchedules::receive);
  send[0 * 17 + 3] = 100;
  const std::vector<Violation> beyond{
      {.rule = Rule::received_is_sent, .rank = 4, .round = 0, .found = -3, .wanted = 100},
      {.rule = Rule::sent_is_there, .rank = 3, .round = 0, .found = 100, .wanted = 0},
  };
  require(condition_violations(s, receive, send) == beyond, "a spoilt send entry");
}

}  // namespace

int main() try {
  for (Rank p = 1; p <= 300; ++p) require_equal(p, 1);
  for (Rank p = 301; p <= 4096; p += 13) require_equal(p, 97);
  for (Rank p : {65537, 99991, 131071, 131072, 262143, 699051, 1048577}) require_equal(p, 211);
  require_spoilt_entry_found();
} catch (const std::exception& fault) {
  std::fprintf(stderr, "%s\n", fault.what());
  return 1;
}
