// One rank's steps as MPI point-to-point messages.
#pragma once

#include "rota/schedule/schedule.hpp"
#include "rota_mpi/communicators/channel.hpp"
#include "rota_mpi/data/store.hpp"

namespace rota::mpi {

/// What one rank executes: its steps for so many rounds, over the ranks of a channel.
struct Execution {
  RankSchedule steps;
  Round rounds;
  const Channel& channel;
};

/// Plays all rounds and returns when every message has left and arrived. Throws MpiError, std::bad_alloc.
///
/// A rank plays one round after the other, as the model's one port does: it begins a round when its messages
/// of the round before have left and arrived. Ranks are not synchronised otherwise. Only what a round brings
/// is put to its use while the next round's message is already being received:
///
///     round        0          1          2
///     send         [....]     [....]     [....]
///     receive      [....]     [....]     [....]
///     combine            [0]        [1]        [2]
///
/// So no port is ever shared by two messages of different rounds, of which the later would delay the one that
/// others wait for (docs/performance.md). The same schedule combines in the same order in every run. Messages
/// of which all blocks are empty are not sent.
void execute(const Execution& execution, Store& store);

}  // namespace rota::mpi
