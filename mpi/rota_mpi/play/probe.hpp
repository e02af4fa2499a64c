// What rounds take on a network: found out by playing some.
#pragma once

#include <optional>

#include "rota_mpi/communicators/companion.hpp"
#include "rota_mpi/decide/measuring.hpp"

namespace rota::mpi {

/// What a round took, and all of it.
struct TriedRounds {
  double round_s;
  double all_s;
};

/// Broadcasts short data of nobody's from host to host, over all their links at once, by the circulant
/// schedule; twice where rounds are short. What a round takes is the time of the slowest rank by the number
/// of rounds, so that it is what the model multiplies again with a number of rounds.
///
/// Two reductions of one number, and one more, for each time. The channel is open. Where all ranks are on one
/// host, from rank to rank. Collective over the companion's ranks, and alike on all of them; nothing where
/// one of them has no memory. Throws MpiError, std::bad_alloc.
std::optional<TriedRounds> tried_rounds(const Measuring::Trial& trial, const Companion& companion);

}  // namespace rota::mpi
