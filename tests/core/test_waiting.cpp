// The part of the time in which a thread could run that it waited for a processor.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <iostream>
#include <thread>

#include "require.hpp"
#include "rota_mpi/play/waiting.hpp"

namespace {

using rota::mpi::waiting_part;
using rota::mpi::waiting_part_of;

void test_what_the_system_tells() {
  require(waiting_part_of("3000000 1000000 17") == 0.25, "a quarter");
  require(waiting_part_of("5000 0 1") == 0, "none");
  for (const char* const nothing : {"", "0 0 0", "12", "no numbers"})
    require(waiting_part_of(nothing) == 1, "where nothing is told, the worst");
}

void stay_on_one_processor() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  require(sched_setaffinity(0, sizeof one, &one) == 0, "a thread may stay where it is");
}

/// Two threads that always want the same processor.
void test_a_shared_processor() {
  using Clock = std::chrono::steady_clock;
  stay_on_one_processor();
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    while (!is_over) {
    }
  });
  double part = 0;
  for (const auto start = Clock::now(); part < 0.2 && Clock::now() - start < std::chrono::seconds(60);)
    part = waiting_part();
  is_over = true;
  other.join();
  require(part >= 0.2, "each has it half of the time");
}

}  // namespace

int main() try {
  test_what_the_system_tells();
  test_a_shared_processor();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
