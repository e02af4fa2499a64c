// How fast links are: found out by timing some messages between two hosts.
#pragma once

#include "rota_mpi/communicators/companion.hpp"

namespace rota::mpi {

/// The first rank and the first of a host half of the hosts away play ping-pong with messages of half a
/// mebibyte and short answers, of which pace_of judges. Over as soon as one was fast, for a link is never
/// faster than it is; else after 16 of them, or 4 and 60 ms.
///
/// The channel is open, and there are two hosts or more. Collective over the companion's ranks, and the same
/// on all of them. Fast where one of both has no memory. Throws MpiError.
Pace found_pace(const Companion& companion);

/// What that takes on links of no great pace: the longer of both.
struct PaceFinding {
  std::int64_t bytes;
  double seconds;
};
PaceFinding pace_finding();

}  // namespace rota::mpi
