// What rounds take on a network: found out by playing some.
#pragma once

#include <optional>

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

/// Broadcasts short data of nobody's from host to host, over all their links at once, by the circulant
/// schedule, in messages of one size after the other, until larger ones gain little; then with more rounds in
/// flight. What a round takes is the time of the slowest rank by the number of rounds, so that it is what the
/// model multiplies again with a number of rounds.
///
/// Up to 36 times 8 blocks of up to half a mebibyte, fewer where rounds are long, and two reductions of one
/// number for each.
///
/// The channel is open, and there are two hosts or more. Collective over the companion's ranks, and alike on
/// all of them; nothing where one of them has no memory. Throws MpiError,
/// std::bad_alloc.
std::optional<RoundTimes> found_round_times(const Companion& companion);

/// The most bytes that measuring broadcasts, but for more rounds in flight.
std::int64_t measuring_bytes();

}  // namespace rota::mpi
