// Single ranks: the paper's tables, all p up to 600 by all rules, and the largest p that there are.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "require.hpp"
#include "rota/circulant/circulant.hpp"
#include "rota/circulant/circulant_conditions.hpp"

namespace {

using namespace rota;
using namespace rota::circulant;

using Rows = std::vector<std::vector<int>>;

struct PrintedTable {
  Rank ranks;
  std::vector<int> baseblocks;
  Rows receive;
  Rows send;
};

const PrintedTable table_1{.ranks = 17,
                           .baseblocks = {5, 0, 1, 2, 0, 3, 0, 1, 2, 4, 0, 1, 2, 0, 3, 0, 1},
                           .receive = {{-4, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5},
                                       {-5, -4, 1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2},
                                       {-2, -2, -2, 2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3},
                                       {-1, -3, -3, -2, -2, 3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1},
                                       {-3, -1, -1, -1, -1, -1, -1, -1, -1, 4, 0, 1, 2, 0, 3, 0, 1}},
                           .send = {{0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4},
                                    {1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5, -4},
                                    {2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2, -2, -2},
                                    {3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1, -3, -3, -2, -2},
                                    {4, 0, 1, 2, 0, 3, 0, 1, -3, -1, -1, -1, -1, -1, -1, -1, -1}}};

const PrintedTable table_2{.ranks = 9,
                           .baseblocks = {4, 0, 1, 2, 0, 3, 0, 1, 2},
                           .receive = {{-2, 0, -4, -3, -2, -4, -1, -4, -3},
                                       {-3, -2, 1, -4, -3, -2, -2, -1, -4},
                                       {-1, -3, -2, 2, 0, -3, -3, -2, -1},
                                       {-4, -1, -1, -1, -1, 3, 0, 1, 2}},
                           .send = {{0, -4, -3, -2, -4, -1, -4, -3, -2},
                                    {1, -4, -3, -2, -2, -1, -4, -3, -2},
                                    {2, 0, -3, -3, -2, -1, -1, -3, -2},
                                    {3, 0, 1, 2, -4, -1, -1, -1, -1}}};

const PrintedTable table_3{
    .ranks = 18,
    .baseblocks = {5, 0, 1, 2, 0, 3, 0, 1, 2, 4, 0, 1, 2, 0, 3, 0, 1, 2},
    .receive = {{-3, 0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4},
                {-4, -3, 1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5},
                {-2, -4, -3, 2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2},
                {-5, -2, -2, -2, -2, 3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1},
                {-1, -1, -1, -1, -1, -1, -1, -1, -1, 4, 0, 1, 2, 0, 3, 0, 1, 2}},
    .send = {{0, -5, -4, -3, -5, -2, -5, -4, -3, -1, -5, -4, -3, -5, -2, -5, -4, -3},
             {1, -5, -4, -3, -3, -2, -5, -4, -3, -1, -5, -4, -3, -3, -2, -5, -4, -3},
             {2, 0, -4, -4, -3, -2, -2, -4, -3, -1, -1, -4, -4, -3, -2, -2, -4, -3},
             {3, 0, 1, 2, -5, -2, -2, -2, -2, -1, -1, -1, -1, -5, -2, -2, -2, -2},
             {4, 0, 1, 2, 0, 3, 0, 1, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1}}};

void require_table(const PrintedTable& table) {
  const Skips s = skips(table.ranks);
  require(static_cast<std::size_t>(s.q) == table.receive.size(), "q");
  for (Rank r = 0; r < table.ranks; ++r) {
    const auto column = static_cast<std::size_t>(r);
    const Schedule receive = receive_schedule(s, r);
    const Schedule send = send_schedule(s, r);
    require(baseblock(s, r) == table.baseblocks[column], "baseblock of rank " + std::to_string(r));
    for (int k = 0; k < s.q; ++k) {
      const auto row = static_cast<std::size_t>(k);
      require(receive[k] == table.receive[row][column], "receive schedule of rank " + std::to_string(r));
      require(send[k] == table.send[row][column], "send schedule of rank " + std::to_string(r));
    }
  }
}

// Without computing all ranks: the four conditions at one rank and its neighbours.
void require_conditions_around(const Skips& s, Rank r) {
  const std::string where = "p = " + std::to_string(s.ranks()) + ", rank " + std::to_string(r);
  const Schedule receive = receive_schedule(s, r);
  const Schedule send = send_schedule(s, r);
  const int b = baseblock(s, r);
  std::set<int> to_receive{b};
  for (int block = -s.q; block < 0; ++block) to_receive.insert(block);
  to_receive.erase(r == 0 ? s.q : b - s.q);
  std::set<int> there{b - s.q};
  for (int k = 0; k < s.q; ++k) {
    require(receive[k] == send_schedule(s, s.from(r, k))[k], where + ": condition 1");
    require(send[k] == receive_schedule(s, s.to(r, k))[k], where + ": condition 2");
    require(to_receive.erase(receive[k]) == 1, where + ": condition 3");
    require(r == 0 ? send[k] == k : there.contains(send[k]), where + ": condition 4");
    there.insert(receive[k]);
  }
  require(std::ranges::equal(receive, counted_receive_schedule(s, r).schedule), where + ": Algorithm 4");
}

void require_extremes(Rank p) {
  const Skips s = skips(p);
  for (Rank r = 0; r < 40; ++r) require_conditions_around(s, r);
  for (int k = 5; k < s.q; ++k) {
    const auto seam = static_cast<Rank>(s[k]);
    for (Rank r = seam - 2; r < seam + 34; ++r) require_conditions_around(s, r % p);
  }
  std::uint64_t random = 1;
  for (int i = 0; i < 500; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    require_conditions_around(s, static_cast<Rank>((random >> 32) % static_cast<std::uint64_t>(p)));
  }
}

void require_all_rules(Rank p) {
  for (const Violation& violation : check(p).violations) {
    require(false, "p = " + std::to_string(p) + ": " + message(violation));
  }
}

void require_bad_p_refused(Rank p) {
  try {
    skips(p);
  } catch (const std::invalid_argument&) {
    return;
  }
  require(false, "p = " + std::to_string(p) + " is taken");
}

}  // namespace

int main() try {
  require_table(table_1);
  require_table(table_2);
  require_table(table_3);
  for (Rank p = 1; p <= 600; ++p) require_all_rules(p);
  constexpr Rank largest = std::numeric_limits<Rank>::max();
  for (Rank p : {largest, largest - 1, 1 << 30, (1 << 30) + 1, 1431655766}) require_extremes(p);
  for (Rank p : {0, -1, std::numeric_limits<Rank>::min()}) require_bad_p_refused(p);
} catch (const std::exception& fault) {
  std::fprintf(stderr, "%s\n", fault.what());
  return 1;
}
