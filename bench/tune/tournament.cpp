#include "tournament.hpp"

#include <algorithm>
#include <array>

namespace rota::tune {

namespace {

constexpr std::int64_t first_bytes = 8;
constexpr std::int64_t last_bytes = std::int64_t{8} << 20;
constexpr std::int64_t growth = 4;

constexpr double most_native_s = 2;

/// How far a collective has come.
struct Progress {
  Collective collective = Collective::broadcast;
  bool has_ended = false;
  std::size_t measured = 0;
  std::int64_t bytes = 0;  // of the last match
  double match_s = 0;      // that it took in all
};

/// Others' data is a pattern, or that of two groups, or a plan's.
bool has_one_size(Collective collective) {
  return collective != Collective::all_to_many && collective != Collective::series &&
         !is_inter_group(collective);
}

/// A match takes at most about `growth` times as long as the one on data of the size before.
bool is_too_long(const Progress& progress, double left_s) {
  return progress.measured > 0 && growth * progress.match_s > left_s;
}

}  // namespace

mpi::Profile with_collectives(mpi::Profile profile, const Clock& clock, double seconds,
                              const std::function<void(const Match&)>& on_match) {
  std::array<Progress, collective_count> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto collective = static_cast<Collective>(i);
    all[i] = {collective, !has_one_size(collective)};
  }
  for (std::int64_t bytes = first_bytes; bytes <= last_bytes; bytes *= growth) {
    for (Progress& each : all) {
      const Match match{each.collective, whole_bytes(each.collective, bytes, profile.ranks)};
      if (each.has_ended || match.bytes == each.bytes) continue;
      const double start_s = clock.seconds();
      each.has_ended = is_too_long(each, seconds - start_s);
      if (each.has_ended) continue;
      on_match(match);
      const mpi::Measurement measured = winner(match, profile);
      profile.measured[static_cast<std::size_t>(each.collective)][each.measured] = measured;
      each = {each.collective, measured.native_s > most_native_s, each.measured + 1, match.bytes,
              clock.seconds() - start_s};
    }
  }
  return profile;
}

}  // namespace rota::tune
