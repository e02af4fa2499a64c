// What a rank that waits makes of how long it was away between two looks.
#include <exception>
#include <iostream>

#include "require.hpp"
#include "rota_mpi/communicators/contention.hpp"

namespace {

using rota::mpi::Contention;
using namespace std::chrono_literals;

void nobody_runs_at_first() { require(!Contention().is_there(0ns), "nothing was seen"); }

void short_turns_are_those_of_ranks_that_wait() {
  Contention contention;
  for (Contention::Nanoseconds now = 1s; now < 2s; now += 900us) {
    contention.passed(900us, now);
    require(!contention.is_there(now), "they give it back soon");
  }
}

void who_had_a_slice_may_have_another() {
  Contention contention;
  contention.passed(4ms, 10s);
  require(contention.is_there(10s) && contention.is_there(11199ms), "for 300 times as long");
  require(!contention.is_there(11200ms), "then it is looked for anew");
  contention.passed(30us, 10500ms);
  contention.passed(1ms, 10500ms);
  require(contention.is_there(11s), "a shorter turn says nothing of longer ones");
  contention.passed(2ms, 11s);
  require(contention.is_there(11599ms) && !contention.is_there(11600ms), "the latest counts too");
  contention.passed(24h, 24h);
  require(!contention.is_there(24h + 6s), "who was stopped may go on");
}

}  // namespace

int main() try {
  nobody_runs_at_first();
  short_turns_are_those_of_ranks_that_wait();
  who_had_a_slice_may_have_another();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
