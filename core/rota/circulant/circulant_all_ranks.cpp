#include "rota/circulant/circulant_all_ranks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

// Row k by the law that circulant.cpp states. From skip[m] on, m > k, up to skip[m+1]:
//
//   0      seam_width   skip[k]    skip[k+1]                      x
//   |------|------------|----------|------------------------------→
//    search  fill k - q   fill m - q  copy what precedes skip[m]
//
// Before skip[k+1] it is the same with the baseblocks instead of m - q, and the seam of m = q.

namespace rota::circulant {
namespace {

using Bytes = std::int8_t*;

// Bytes between rows: for p near a power of two, the same rank's entries would otherwise share one cache set.
constexpr std::int64_t apart = 128;

std::int8_t as_block(int block) { return static_cast<std::int8_t>(block); }

void fill(Bytes begin, Bytes end, int block) {
  if (begin < end) std::memset(begin, block, static_cast<std::size_t>(end - begin));
}

void copy(const std::int8_t* from, Bytes begin, Bytes end) {
  if (begin < end) std::memcpy(begin, from, static_cast<std::size_t>(end - begin));
}

// Appends the list to itself again and again, the first of each copy being the index of its skip (proof of
// Lemma 3).
void list_baseblocks(const Skips& skips, Bytes b) {
  b[0] = as_block(skips.q);
  for (int k = 0; k < skips.q; ++k) {
    copy(b, b + skips[k], b + skips[k + 1]);
    b[skips[k]] = as_block(k);
  }
}

// The schedules of the ranks behind each seam that are to be searched for.
class Seams {
 public:
  explicit Seams(const Skips& skips) : skips_(skips) {
    for (int m = 1; m <= skips.q; ++m) {
      first_[index(m)] = schedules_.size();
      for (Rank x = 0; x < widest(m); ++x) {
        schedules_.push_back(receive_schedule(skips, static_cast<Rank>((skips[m] + x) % skips.ranks())));
      }
    }
  }

  // Writes the blocks of round k at `behind`, where the ranks behind seam m > k begin.
  void write(int m, int k, Bytes behind) const {
    const auto width = static_cast<std::size_t>(skips_.seam_width(m, k));
    for (std::size_t x = 0; x < width; ++x) behind[x] = schedules_[first_[index(m)] + x][k];
  }

 private:
  static std::size_t index(int m) { return static_cast<std::size_t>(m); }

  std::int64_t widest(int m) const {
    std::int64_t width = 0;
    for (int k = 0; k < m; ++k) width = std::max(width, skips_.seam_width(m, k));
    return width;
  }

  const Skips& skips_;
  std::array<std::size_t, max_q + 1> first_{};
  std::vector<Schedule> schedules_;
};

void fill_row(const Skips& skips, int k, const std::int8_t* baseblocks, const Seams& seams, Bytes row) {
  const int q = skips.q;
  fill(row, row + skips[k], k - q);
  copy(baseblocks + skips[k], row + skips[k], row + skips[k + 1]);
  for (int m = k + 1; m < q; ++m) {
    Bytes begin = row + skips[m];
    Bytes end = row + skips[m + 1];
    fill(begin, begin + skips[k], k - q);
    fill(begin + skips[k], std::min(begin + skips[k + 1], end), m - q);
    copy(row + skips[k + 1], begin + skips[k + 1], end);
    seams.write(m, k, begin);
  }
  seams.write(q, k, row);
  copy(row, row + skips[q], row + skips[q] + skips[k]);
}

}  // namespace

AllSchedules::AllSchedules(const Skips& skips) : skips_(skips) {
  std::int64_t size = skips[skips.q];
  for (int k = 0; k < skips.q; ++k) {
    start_[static_cast<std::size_t>(k)] = size;
    size += skips[skips.q] + skips[k] + apart;
  }
  bytes_ = std::make_unique_for_overwrite<std::int8_t[]>(static_cast<std::size_t>(size));
  list_baseblocks(skips, bytes_.get());
  const Seams seams(skips);
  for (int k = 0; k < skips.q; ++k) fill_row(skips, k, bytes_.get(), seams, row(k));
}

}  // namespace rota::circulant
