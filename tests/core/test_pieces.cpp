// In what pieces exchanges leave: by what rounds were measured to take, and by how many ranks share a link.
#include <iostream>

#include "require.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/predict.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;

constexpr std::int64_t kibibyte = 1024;

/// Of a link, each round of which takes so long to start.
RoundTimes link_of(double bytes_per_s, double start_s) {
  RoundTimes times;
  for (const std::int64_t size : {1, 32, 60, 128, 256, 512}) {
    const auto bytes = static_cast<double>(size * kibibyte);
    times.measured.push_back({size * kibibyte, start_s + bytes / bytes_per_s});
  }
  return times;
}

std::int64_t pieces_by(const RoundTimes& times, const Hosts* hosts = nullptr) {
  return pieces_on(Settings{}, &times, hosts).bytes;
}

void follow_the_link() {
  require(pieces_on(Settings{}, nullptr, nullptr).bytes == 60 * kibibyte, "nothing was measured");
  require(pieces_by(link_of(25e6, 100e-6)) == 32 * kibibyte, "a slow link is as fast in shorter pieces");
  require(pieces_by(link_of(125e6, 100e-6)) == 60 * kibibyte, "a faster one is not");
  require(pieces_by(link_of(1250e6, 100e-6)) > 60 * kibibyte, "starts are most of what a fast one takes");
  require(pieces_by(link_of(1e6, 1e-6)) == 1 * kibibyte, "as short as was measured");
}

void follow_the_ranks_of_a_link() {
  const RoundTimes times = link_of(125e6, 100e-6);
  const Hosts four = hosts_in_a_row(16, 4);
  const Hosts four_links = with_links(four, 4);
  require(pieces_by(times, &four) == 32 * kibibyte, "four ranks start at once");
  require(pieces_by(times, &four_links) == 60 * kibibyte, "each has a link to itself");
  require(pieces_on(Settings{}, nullptr, &four).bytes == 30 * kibibyte,
          "nothing was measured, a link is shared");
}

void noise_is_no_link() {
  RoundTimes times = link_of(25e6, 100e-6);
  times.measured[1].seconds = 2 * times.measured[2].seconds;
  require(pieces_by(times) == 60 * kibibyte, "shorter pieces that took longer");
}

void users_decide() {
  const RoundTimes times = link_of(25e6, 100e-6);
  Settings settings;
  settings.block_bytes = 5;
  require(pieces_on(settings, &times, nullptr).bytes == 5, "ROTA_BLOCK_BYTES");
  settings = {};
  settings.adapt = Adapt::off;
  require(pieces_on(settings, &times, nullptr).bytes == 60 * kibibyte, "ROTA_ADAPT=off");
}

}  // namespace

int main() try {
  follow_the_link();
  follow_the_ranks_of_a_link();
  noise_is_no_link();
  users_decide();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
