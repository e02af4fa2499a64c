// What was measured of a platform: the network, and at some sizes the native collectives beside Rota's schedules.
//
// A profile is a text file, one fact a line, '#' to the end of a line a comment:
//
//   rota-profile 1
//   ranks 16                                  the ranks that took part,
//   hosts 16                                  and the hosts that they ran on
//   latency_s 3.1e-05                         the network's: a message's time but for its bytes
//   seconds_per_byte 4.1e-08
//   seconds_per_combined_byte 2.2e-10
//   measured allreduce 65536 0.0123 circulant 36864 0.0091
//            collective, bytes of the call, native seconds, the best schedule, its bytes a message, its seconds
//
// `measured` lines may be missing, for a collective or altogether, and so may the network's.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rota/model/cost.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// The native collective and the best schedule on data of one size.
struct Measurement {
  std::int64_t bytes = 0;  // 0: nothing was measured
  double native_s = 0;
  double rota_s = 0;
  int algorithm = -1;  // position in algorithms()
  double message_bytes = 0;
};

inline constexpr std::size_t most_measurements = 16;

/// Fixed in size, so that one broadcast tells all ranks.
struct Profile {
  Rank ranks = 0;  // 0: there is no profile
  Rank hosts = 0;
  Network network;  // all 0: it was not measured
  std::array<std::array<Measurement, most_measurements>, collective_count>
      measured{};  // by Collective, by bytes

  bool has_network() const { return network.seconds_per_byte > 0; }

  /// The measurement whose size is nearest on a logarithmic scale; nullptr where the profile says nothing of
  /// such calls.
  const Measurement* nearest(Collective collective, std::int64_t bytes) const;

  /// The profile says nothing of calls on less data than half of the least that was measured: what wins there
  /// may lose below. The most possible if nothing was measured.
  std::int64_t least_bytes(Collective collective) const;
};

/// The profile in a file. Throws std::invalid_argument with one line that names the file, the line and what
/// is wrong.
Profile profile_in(const std::string& path);

}  // namespace rota::mpi
