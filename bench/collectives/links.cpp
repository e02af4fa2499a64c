#include "links.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "place.hpp"

namespace rota::bench {

namespace {

constexpr int most_steps = 3;
constexpr int least_message_bytes = 1 << 16;
constexpr int most_message_bytes = 4 << 20;
constexpr double long_enough_s = 0.05;
constexpr double measured_s = 0.25;
constexpr int most_rounds = 10000;
constexpr int under_way = 2;  // messages each way at once, so that links never wait for ranks

/// Each rank's host by the world's first rank on it, then numbered in that order.
std::vector<int> hosts_of_ranks() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int first = place_in_world().rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, host);
  MPI_Comm_free(&host);
  std::vector<int> firsts(static_cast<std::size_t>(place_in_world().ranks));
  MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> distinct = firsts;
  std::ranges::sort(distinct);
  const auto repeated = std::ranges::unique(distinct);
  distinct.erase(repeated.begin(), repeated.end());
  for (int& each : firsts)
    each = static_cast<int>(std::ranges::lower_bound(distinct, each) - distinct.begin());
  return firsts;
}

std::vector<std::vector<int>> ranks_of_hosts(const std::vector<int>& host_of_rank) {
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(std::ranges::max(host_of_rank)) + 1);
  for (std::size_t rank = 0; rank < host_of_rank.size(); ++rank) {
    ranks[static_cast<std::size_t>(host_of_rank[rank])].push_back(static_cast<int>(rank));
  }
  return ranks;
}

/// Whom this rank sends to and receives from: MPI_PROC_NULL for those that do not take part.
struct Partners {
  int to = MPI_PROC_NULL;
  int from = MPI_PROC_NULL;
};

Partners partners(const std::vector<std::vector<int>>& ranks, std::size_t host, std::size_t step) {
  const std::vector<int>& own = ranks[host];
  const auto place = static_cast<std::size_t>(std::ranges::find(own, place_in_world().rank) - own.begin());
  if (place >= std::ranges::min(ranks, {}, &std::vector<int>::size).size()) return {};
  const std::size_t hosts = ranks.size();
  return {ranks[(host + step) % hosts][place], ranks[(host + hosts - step) % hosts][place]};
}

/// Seconds that this rank took for so many rounds of messages.
double exchange(const Partners& others, std::vector<std::byte>& data, int bytes, int rounds) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start_s = MPI_Wtime();
  std::byte* const incoming = data.data() + most_message_bytes;
  for (int round = 0; round < rounds; ++round) {
    std::array<MPI_Request, std::size_t{2} * under_way> all{};
    for (std::size_t i = 0; i < all.size(); i += 2) {
      std::byte* const place = incoming + i / 2 * most_message_bytes;
      MPI_Irecv(place, bytes, MPI_BYTE, others.from, 0, MPI_COMM_WORLD, &all[i]);
      MPI_Isend(data.data(), bytes, MPI_BYTE, others.to, 0, MPI_COMM_WORLD, &all[i + 1]);
    }
    MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
  }
  return MPI_Wtime() - start_s;
}

double longest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

/// What this rank sends and receives by the way, in bits per second each way.
double bits_per_s(const Partners& others, std::vector<std::byte>& data) {
  int bytes = least_message_bytes;
  exchange(others, data, bytes, 1);  // connects the ranks
  double round_s = longest(exchange(others, data, bytes, 1));
  while (round_s < long_enough_s && bytes < most_message_bytes) {
    bytes *= 2;
    round_s = longest(exchange(others, data, bytes, 1));
  }
  const int rounds = std::clamp(static_cast<int>(measured_s / round_s), 1, most_rounds);
  const double took_s = exchange(others, data, bytes, rounds);
  return others.to == MPI_PROC_NULL ? 0 : 8.0 * under_way * bytes * rounds / took_s;
}

}  // namespace

Links measured_links() {
  Links links{hosts_of_ranks(), {}};
  const auto host =
      static_cast<std::size_t>(links.host_of_rank[static_cast<std::size_t>(place_in_world().rank)]);
  const std::vector<std::vector<int>> ranks = ranks_of_hosts(links.host_of_rank);
  links.bits_per_s.assign(ranks.size(), 0);
  std::vector<std::byte> data((1 + std::size_t{under_way}) * most_message_bytes);
  for (std::size_t step = 1; step < ranks.size() && step <= most_steps; ++step) {
    std::vector<double> together(ranks.size(), 0);
    together[host] = bits_per_s(partners(ranks, host, step), data);
    MPI_Allreduce(MPI_IN_PLACE, together.data(), static_cast<int>(together.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    for (std::size_t i = 0; i < together.size(); ++i) {
      links.bits_per_s[i] = std::max(links.bits_per_s[i], together[i]);
    }
  }
  return links;
}

}  // namespace rota::bench
