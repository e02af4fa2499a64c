// Native and Rota in one job, pair by pair.
//
//   rota-bench-<abi> bcast SIZE:PAIRS [SIZE:PAIRS ...]
//
// For each size in bytes: one warm-up of either, then PAIRS pairs, the order within a pair changing from pair
// to pair. A time is that of the slowest rank, from a barrier to the end of its call. Before it is timed,
// each size is checked: a broadcast of known bytes must arrive on all ranks. Rank 0 prints one JSON line per
// size.
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "rota.h"

namespace {

using Broadcast = int(void*, int, MPI_Datatype, int, MPI_Comm);

struct Job {
  int bytes;
  int pairs;
};

std::optional<Job> parse_job(std::string_view text) {
  Job job{};
  const auto size = std::from_chars(text.begin(), text.end(), job.bytes);
  if (size.ec != std::errc{} || size.ptr == text.end() || *size.ptr != ':') return {};
  const auto pairs = std::from_chars(size.ptr + 1, text.end(), job.pairs);
  if (pairs.ec != std::errc{} || pairs.ptr != text.end() || job.bytes < 0 || job.pairs < 1) return {};
  return job;
}

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Seconds of the slowest rank, on all ranks.
double timed(Broadcast* broadcast, std::vector<unsigned char>& data) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start_s = MPI_Wtime();
  broadcast(data.data(), static_cast<int>(data.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  const double mine_s = MPI_Wtime() - start_s;
  double slowest_s = 0;
  MPI_Allreduce(&mine_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest_s;
}

/// Do the root's bytes arrive everywhere?
bool arrives(Broadcast* broadcast, std::vector<unsigned char>& data) {
  const auto expected = [](std::size_t i) { return static_cast<unsigned char>(i * 131 + i / 251); };
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = rank_of_world() == 0 ? expected(i) : 0;
  broadcast(data.data(), static_cast<int>(data.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  int good = 1;
  for (std::size_t i = 0; i < data.size(); ++i) good = good != 0 && data[i] == expected(i) ? 1 : 0;
  int all_good = 0;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all_good != 0;
}

void print_times(const char* name, const std::vector<double>& seconds) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < seconds.size(); ++i) std::printf("%s%.9f", i == 0 ? "" : ", ", seconds[i]);
  std::printf("]");
}

bool run(const Job& job) {
  std::vector<unsigned char> data(static_cast<std::size_t>(job.bytes));
  if (!arrives(rota_bcast, data) || !arrives(MPI_Bcast, data)) return false;
  std::vector<double> native_s;
  std::vector<double> rota_s;
  for (int pair = 0; pair < job.pairs; ++pair) {
    if (pair % 2 == 0) native_s.push_back(timed(MPI_Bcast, data));
    rota_s.push_back(timed(rota_bcast, data));
    if (pair % 2 == 1) native_s.push_back(timed(MPI_Bcast, data));
  }
  if (rank_of_world() == 0) {
    std::printf("{\"bytes\": %d, ", job.bytes);
    print_times("native_seconds", native_s);
    std::printf(", ");
    print_times("rota_seconds", rota_s);
    std::printf("}\n");
    std::fflush(stdout);
  }
  return true;
}

int refuse(const char* fault) {
  if (rank_of_world() == 0) std::fprintf(stderr, "rota-bench: %s\n", fault);
  rota_finalize();
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  if (argc < 3 || std::string_view(argv[1]) != "bcast")
    return refuse("usage: rota-bench bcast SIZE:PAIRS ...");
  for (int i = 2; i < argc; ++i) {
    const std::optional<Job> job = parse_job(argv[i]);
    if (!job) return refuse("a job is SIZE:PAIRS, two whole numbers");
    if (!run(*job)) return refuse("the broadcast data did not arrive");
  }
  rota_finalize();
  return 0;
}
