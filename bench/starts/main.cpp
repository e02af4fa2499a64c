// Calls that return at once, and one that is set up once and started often, natively and by Rota in turns.
//
//   rota-starts-<abi> overlap BYTES REPETITIONS     five collectives, with and without computation (overlap.cpp)
//   rota-starts-<abi> persistent BYTES STARTS       an allreduce (persistent.cpp)
//
// Results are checked before anything is timed. Rank 0 prints one JSON line for each collective: for each way the seconds of the slowest
// rank, call by call.
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "overlap.hpp"
#include "persistent.hpp"
#include "rota.h"

namespace {

using rota::bench::TimesByWay;

void print_line(const std::string& collective, const TimesByWay& times) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  std::printf("{\"collective\": \"%s\"", collective.c_str());
  for (const auto& [way, seconds] : times) {
    std::printf(", \"%s\": ", way.c_str());
    const char* separator = "[";
    for (const double each : seconds) {
      std::printf("%s%.9f", separator, each);
      separator = ", ";
    }
    std::printf("]");
  }
  std::printf("}\n");
  std::fflush(stdout);
}

void measure(const std::vector<std::string>& words) {
  if (words.size() != 3) throw std::runtime_error("overlap|persistent BYTES TIMES");
  const std::size_t bytes = std::stoul(words[1]);
  const int times = std::stoi(words[2]);
  if (words[0] == "persistent")
    return print_line("allreduce", rota::bench::persistent_allreduce(bytes, times));
  for (const rota::bench::Measured& call : rota::bench::measured_calls(bytes)) {
    print_line(call.name, rota::bench::overlap_of(call, times));
  }
}

}  // namespace

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int status = 0;
  try {
    measure({argv + 1, argv + argc});
  } catch (const std::exception& fault) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::fprintf(stderr, "rota-starts: %s\n", fault.what());
    status = 2;
  }
  rota_finalize();
  return status;
}
