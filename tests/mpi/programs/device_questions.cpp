// What mpi/rota_mpi/library/device.hpp answers, without MPI.
//
//   device_questions DRIVER...     stand-ins (driver.c), each loaded in turn
//
// Prints a line for each answer that is wrong and ends with 1 if there was any.
#include "rota_mpi/library/device.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using Take = void(const void* address, std::size_t bytes, int is_managed);
using rota::mpi::is_device_memory;

int wrong = 0;

void expect(bool answer, bool expected, const char* question) {
  if (answer == expected) return;
  std::printf("%s: %s\n", question, answer ? "yes" : "no");
  wrong = 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<char> memory(1 << 20);
  const char* const inside = memory.data() + 1000;
  const char* const outside = memory.data() + 6000;
  void* const unreadable = mmap(nullptr, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  expect(rota::mpi::is_mpi_device_aware(), false, "without a driver: does MPI know devices");
  expect(is_device_memory(inside), false, "without a driver: the host's memory");
  expect(is_device_memory(unreadable), false, "without a driver: what nobody can read");
  for (int i = 1; i < count; ++i) {
    // As a program, or a library of its, does that comes to need a device late.
    void* const driver = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
    auto* const take = reinterpret_cast<Take*>(dlsym(driver, "driver_take"));
    const bool can_be_asked = dlsym(driver, "cuPointerGetAttribute") != nullptr ||
                              dlsym(driver, "hipPointerGetAttributes") != nullptr;
    std::printf("%s\n", arguments[i]);
    expect(rota::mpi::is_mpi_device_aware(), true, "a library that does not say, and a driver");
    expect(is_device_memory(inside), false, "before it is the device's");
    for (const int is_managed : {0, 1}) {
      take(memory.data(), 5000, is_managed);
      expect(is_device_memory(inside), can_be_asked, is_managed != 0 ? "managed" : "the device's");
      expect(is_device_memory(outside), false, "beside it");
    }
    expect(is_device_memory(unreadable), true, "what the host cannot read");
    expect(is_device_memory(nullptr), false, "nothing");
    expect(is_device_memory(&wrong), false, "a global variable");

    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        bool is_right = true;
        for (int time = 0; time < 1000; ++time)
          is_right &= is_device_memory(inside) == can_be_asked && !is_device_memory(outside);
        if (!is_right) std::printf("a thread was told another thing\n");
      });
    }
    for (std::thread& thread : threads) thread.join();
    take(nullptr, 0, 0);
  }
  return wrong;
}
