// One rank's part of an all-to-many schedule: what it sends, and what it receives, each in its order.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "rota/generators/all_to_many/everybody.hpp"
#include "rota/schedule/schedule.hpp"
#include "rota_mpi/data/cut.hpp"

namespace rota::mpi {

/// A range of the packed bytes of the message to, or from, a rank.
struct Transfer {
  Rank peer = 0;
  Range range;
};

/// What one rank sends and receives at the same time; empty ranges are no messages.
struct Turn {
  Transfer send;
  Transfer receive;
};

/// One rank's turns, of which no message is longer than a piece. In place of each round of the schedule there
/// are several of a piece each, and the rounds take them by turns:
///
///     rounds            [0 0 0 ][1 1 ][2 2 2 2 ]
///     turns             [0][1][2][0][1][2][0][2][2]
///
/// All ranks take turns in this order and leave out those in which they have nothing. So a message is sent in
/// the same turn by its sender and its receiver, and there is no deadlock: of the turns that are not yet
/// through, everybody in the first has come to it. Ports are as busy as by the schedule, and what delays one
/// piece delays no message by more (docs/performance.md).
///
/// A rank's fifth turn need not be another's fifth, so no number of turns from the beginning on is complete
/// among all ranks, but these: `first_turns`, with the first pieces of all that there is, are so on each of
/// them.
struct Part {
  std::vector<Turn> turns;
  std::size_t first_turns = 0;
};

/// That rank's part of an all-to-many schedule, in pieces of 1 <= piece_bytes < 2^31. O(rounds + its pieces).
Part part_of(const Schedule& schedule, Rank rank, std::int64_t piece_bytes);

/// The same where everybody has `bytes` for everybody, by a rank's peers in each of so many rounds. O(its
/// pieces).
Part part_of_everybody(Round rounds, const std::function<Peers(Round)>& peers_in, std::int64_t bytes,
                       std::int64_t piece_bytes);

}  // namespace rota::mpi
