// How much of a collective that returns at once is hidden behind computation.
//
//   blocking   the call that blocks
//   waited     the call that returns at once, and MPI_Wait right after it
//   tested     the same with computation between that takes as long as the median of `waited`, cut by an MPI_Test each millisecond
//   alone      the same without any call of MPI's between
//   computed   what the computation between took on the slowest rank, of `tested` and of `alone`
#include "overlap.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <thread>

#include "median.hpp"
#include "rota.h"
#include "timing.hpp"

namespace rota::bench {

namespace {

constexpr double test_each_s = 1e-3;

enum class Between : std::uint8_t { tests, nothing };

/// In place of computation the rank sleeps, and says how long: so ranks that share processors, as an emulated
/// cluster's do, compute side by side, as they would on processors of their own.
double compute(double seconds) {
  const double begin_s = MPI_Wtime();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  return MPI_Wtime() - begin_s;
}

/// Starts, computes for at least so long, and waits. Says how long it computed.
double started_and_computed(const Forms& forms, double seconds, Between between) {
  MPI_Request request = MPI_REQUEST_NULL;
  forms.start(&request);
  const double slice = between == Between::tests ? test_each_s : seconds;
  double done = 0;
  while (done < seconds) {
    done += compute(std::min(slice, seconds - done));
    int is_over = 0;
    if (between == Between::tests) rota_test(&request, &is_over, MPI_STATUS_IGNORE);
  }
  PMPI_Wait(&request, MPI_STATUS_IGNORE);
  return done;
}

/// What one library's forms take.
struct Taken {
  Seconds blocking;
  Seconds waited;
  Seconds tested;
  Seconds computed_tested;
  Seconds alone;
  Seconds computed_alone;
};

TimesByWay named(const std::string& library, const Taken& taken) {
  return {{library + "_blocking", taken.blocking}, {library + "_waited", taken.waited},
          {library + "_tested", taken.tested},     {library + "_computed_tested", taken.computed_tested},
          {library + "_alone", taken.alone},       {library + "_computed_alone", taken.computed_alone}};
}

void time_without_computation(const Forms& forms, Taken& taken) {
  taken.blocking.push_back(seconds_of(forms.block));
  taken.waited.push_back(seconds_of([&] { started_and_computed(forms, 0, Between::nothing); }));
}

void time_with_computation(const Forms& forms, double seconds, Taken& taken) {
  double computed = 0;
  taken.tested.push_back(
      seconds_of([&] { computed = started_and_computed(forms, seconds, Between::tests); }));
  taken.computed_tested.push_back(most(computed));
  taken.alone.push_back(
      seconds_of([&] { computed = started_and_computed(forms, seconds, Between::nothing); }));
  taken.computed_alone.push_back(most(computed));
}

/// Does each form give what it should? This also connects ranks.
void require_both_right(const Measured& call) {
  for (const Forms* const forms : {&call.native, &call.rota}) {
    const std::array<std::function<void()>, 2> ways{
        forms->block, [forms] { started_and_computed(*forms, 0, Between::nothing); }};
    for (const auto& way : ways) {
      call.reset();
      way();
      require_right(call.correct(), call.name);
    }
  }
}

}  // namespace

TimesByWay overlap_of(const Measured& call, int repetitions) {
  require_both_right(call);
  Taken native;
  Taken by_rota;
  for (int i = 0; i < repetitions; ++i) {
    time_without_computation(call.native, native);
    time_without_computation(call.rota, by_rota);
  }
  const double native_s = median(native.waited);
  const double rota_s = median(by_rota.waited);
  for (int i = 0; i < repetitions; ++i) {
    time_with_computation(call.native, native_s, native);
    time_with_computation(call.rota, rota_s, by_rota);
  }
  TimesByWay all = named("native", native);
  std::ranges::copy(named("rota", by_rota), std::back_inserter(all));
  return all;
}

}  // namespace rota::bench
