#include "platform.hpp"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "median.hpp"
#include "place.hpp"
#include "timing.hpp"

namespace rota::tune {

namespace {

constexpr int large_bytes = 1 << 20;

/// The median over `samples` of the slowest rank's seconds for one of `calls` calls in a row.
double seconds_of_one(int samples, int calls, const std::function<void()>& call) {
  call();
  std::vector<double> times_s;
  for (int sample = 0; sample < samples; ++sample) {
    const double all_s = bench::seconds_of([&] {
      for (int i = 0; i < calls; ++i) call();
    });
    times_s.push_back(all_s / calls);
  }
  return bench::median(times_s);
}

/// Around the ring, to the next rank while from the one before: every port is busy both ways, as in a
/// schedule's round.
class Ring {
 public:
  explicit Ring(const bench::Place& place)
      : next_((place.rank + 1) % place.ranks),
        previous_((place.rank + place.ranks - 1) % place.ranks),
        out_(large_bytes, 1),
        in_(large_bytes, 0) {}

  void exchange(int bytes) {
    MPI_Sendrecv(out_.data(), bytes, MPI_BYTE, next_, 0, in_.data(), bytes, MPI_BYTE, previous_, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

 private:
  int next_;
  int previous_;
  std::vector<char> out_;
  std::vector<char> in_;
};

double combining_seconds_per_byte() {
  std::vector<double> from(large_bytes / sizeof(double), 1);
  std::vector<double> into(from.size(), 1);
  const auto combine = [&] {
    MPI_Reduce_local(from.data(), into.data(), static_cast<int>(from.size()), MPI_DOUBLE, MPI_SUM);
  };
  return seconds_of_one(5, 4, combine) / large_bytes;
}

Network measured_network(const bench::Place& place) {
  constexpr int small_bytes = 8;
  Ring ring(place);
  const double small_s = seconds_of_one(9, 20, [&] { ring.exchange(small_bytes); });
  const double large_s = seconds_of_one(5, 2, [&] { ring.exchange(large_bytes); });
  // A profile's costs are above 0, whatever a clock may say.
  constexpr double least_s = 1e-9;
  Network network;
  network.latency_s = std::max(small_s, least_s);
  network.seconds_per_byte = std::max(large_s - small_s, least_s) / (large_bytes - small_bytes);
  network.seconds_per_combined_byte = combining_seconds_per_byte();
  return network;
}

/// Each host is counted by the first of its ranks.
int hosts_of_world() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int rank = 0;
  MPI_Comm_rank(host, &rank);
  MPI_Comm_free(&host);
  const int is_first = rank == 0 ? 1 : 0;
  int hosts = 0;
  MPI_Allreduce(&is_first, &hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return hosts;
}

}  // namespace

mpi::Profile measured_platform() {
  const bench::Place place = bench::place_in_world();
  mpi::Profile profile;
  profile.ranks = place.ranks;
  profile.hosts = hosts_of_world();
  profile.network = measured_network(place);
  return profile;
}

}  // namespace rota::tune
