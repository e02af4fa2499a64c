// How long ranks that wait may sleep: a share of a round, none where the system's own sleep is longer, and little heed of a late rank.
#include <exception>
#include <iostream>

#include "require.hpp"
#include "rota_mpi/play/nap.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;
using namespace std::chrono_literals;

constexpr Nanoseconds slack = 50us;

/// Of a rank that has seen so many rounds end, one by one.
RoundLength seen(std::int64_t rounds, Nanoseconds each, RoundLength length = RoundLength(slack)) {
  for (std::int64_t i = 0; i < rounds; ++i) length.add(1, each);
  return length;
}

bool is_about(Nanoseconds nap, Nanoseconds expected) {
  return nap > expected - expected / 20 && nap < expected + expected / 20;
}

void are_a_share_of_a_round() {
  require(is_about(seen(100, 2400us).nap(), 480us), "a fifth of a round");
  RoundLength by_fives(slack);
  for (int i = 0; i < 20; ++i) by_fives.add(5, 12ms);
  require(is_about(by_fives.nap(), 480us), "of rounds that end several at once too");
  RoundLength every_other(slack);
  for (int i = 0; i < 100; ++i) {
    every_other.add(1, 0us);
    every_other.add(1, 2400us);
  }
  require(every_other.nap() > 200us && every_other.nap() < 280us,
          "where every other one takes no time, of both");
  require(is_about(seen(100, 1200us, seen(100, 2400us)).nap(), 240us), "of those of late");
}

void are_none_where_they_would_be_late() {
  require(RoundLength(slack).nap() == 0us, "nobody knows what a round takes");
  require(seen(1000, 490us).nap() == 0us, "a fifth of a round is less than what the system adds, twice");
  require(seen(1000, 0us).nap() == 0us, "rounds in which nobody waits");
}

void a_late_rank_changes_little() {
  require(seen(1, 1s).nap() == 0us, "the first round says little");
  const Nanoseconds before = seen(100, 2400us).nap();
  require(seen(1, 1s, seen(100, 2400us)).nap() < before + before / 2, "one round among others less");
  require(is_about(seen(40, 2400us, seen(3, 1s)).nap(), 480us), "and it is forgotten");
  require(seen(100, 100us, seen(3, 1s)).nap() == 0us, "where rounds are short too");
}

}  // namespace

int main() try {
  are_a_share_of_a_round();
  are_none_where_they_would_be_late();
  a_late_rank_changes_little();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
