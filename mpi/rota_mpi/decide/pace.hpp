// How fast a network's links are: coarsely enough that on one cluster all jobs find it alike.
//
//   bits/s     100 M         |          1 G          |          10 G         100 G       The borders lie in the middle (on this scale) between
//   pace       slow       316 M       medium       3.16 G       fast                     rates that links have, a factor of three from both.
//
// Sums of floating-point numbers go by this, for whether they are combined in a schedule's order or in the MPI library's shows in their
// bits, which must not change from run to run. Up to a gigabit, bytes on links are what takes time, of which schedules leave the least, the
// sooner the slower links are; beyond, it is processors. There large sums to one rank, and of those before each, gain in larger messages,
// whoever takes processors away (docs/performance.md); and large ones to all ranks where no machine runs more ranks than it has
// processors, which is the same in all jobs too.
#pragma once

#include <cstdint>
#include <vector>

namespace rota::mpi {

enum class Pace : std::uint8_t { unknown, slow, medium, fast };

/// Is a link that carried a message of so many bytes in such a time?
bool is_fast(std::int64_t bytes, double seconds);

/// Of links that carried such messages, each in its time. Links that are not fast take about as long every
/// time; where times are all long, but differ much, it is processors that are slow, or taken away, and that
/// is no better than fast links.
Pace pace_of(std::int64_t bytes, std::vector<double> seconds);

/// What links of that pace take for a byte at the least; 0: they may be as fast as they like.
double least_seconds_per_byte(Pace pace);

/// "slow"
const char* name_of(Pace pace);

}  // namespace rota::mpi
