// An interrupt (Ctrl-C) ends the process soon, whatever it is at.
#include <nanobind/nanobind.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <system_error>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

/// What a handler of signals may look at: set once, before it is one.
struct Interrupts {
  struct sigaction pythons{};
  timer_t second{};
  itimerspec grace{};
};

Interrupts& interrupts() {
  static Interrupts only;
  return only;
}

/// Python's turn first; but it waits for C++ to return, and so a second interrupt is under way, which ends
/// the process as interrupts do by default. All that is called here may be called in a handler.
void on_interrupt(int number) {
  struct sigaction fatal{};
  fatal.sa_handler = SIG_DFL;
  sigaction(number, &fatal, nullptr);
  timer_settime(interrupts().second, 0, &interrupts().grace, nullptr);
  interrupts().pythons.sa_handler(number);
}

void require(bool is_done, const char* what) {
  if (!is_done) throw std::system_error(errno, std::generic_category(), what);
}

itimerspec once_after(double seconds) {
  itimerspec time{};
  time.it_value.tv_sec = static_cast<time_t>(seconds);
  time.it_value.tv_nsec = static_cast<long>(std::fmod(seconds, 1.0) * 1e9);
  return time;
}

void end_when_interrupted(double grace_s) {
  struct sigaction before{};
  require(sigaction(SIGINT, nullptr, &before) == 0, "sigaction");
  const bool is_pythons = before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN;
  if (!is_pythons || before.sa_handler == on_interrupt) return;
  sigevent again{};
  again.sigev_notify = SIGEV_SIGNAL;
  again.sigev_signo = SIGINT;
  interrupts().pythons = before;
  interrupts().grace = once_after(grace_s);
  require(timer_create(CLOCK_MONOTONIC, &again, &interrupts().second) == 0, "timer_create");
  struct sigaction ours{};
  ours.sa_handler = on_interrupt;
  require(sigaction(SIGINT, &ours, nullptr) == 0, "sigaction");
}

}  // namespace

void bind_interrupt(nb::module_& module) {
  module.def(
      "end_when_interrupted", &end_when_interrupted, "grace_s"_a,
      R"(From now on SIGINT ends the process: Python has `grace_s` seconds to do so, then the signal does.

Python attends to signals only where C++ has returned to it, which may take minutes. Nothing changes where SIGINT is ignored,
or ends the process at once already.)");
}

}  // namespace rota
