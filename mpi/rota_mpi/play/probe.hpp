// What rounds take on a network: found out by playing some.
#pragma once

#include <optional>

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/round_times.hpp"

namespace rota::mpi {

/// Broadcasts short data of nobody's from host to host, by the circulant schedule, in messages of one size
/// after the other, until larger ones gain little; then with more rounds in flight. What a round takes is the
/// time of the slowest rank by the number of rounds, so that it is what the model multiplies again with a
/// number of rounds.
///
/// The channel is open, and there are two hosts or more. Collective over the companion's ranks, and alike on
/// all of them; nothing where one of them has no memory. About 100 rounds of up to half a mebibyte. Throws
/// MpiError, std::bad_alloc.
std::optional<RoundTimes> found_round_times(const Companion& companion);

}  // namespace rota::mpi
