// How far one rank has come with the rounds of a schedule, W of them in flight, and which it may do next: what the executor
// (mpi/rota_mpi/play/under_way) and the simulator that plays it (in_flight.hpp) both go by.
//
//     rounds   0 ... settled ... arrived ... begun ... R        begun <= min(left, arrived) + W
//                    left ......... sent .... begun              begun <= settled + W + 1
//
// A rank begins round r, which is to ask for its message, when its own messages of all rounds up to r - W have left and arrived. It sends and
// settles in the order of rounds: a send waits for the rounds before it that change its blocks, and a round is settled, put to use, only when
// nobody reads what it changes any more. Settling may be one round behind, so that of W + 1 rounds something is still to be done.
#pragma once

#include <algorithm>
#include <cstddef>

#include "rota/schedule/schedule.hpp"

namespace rota {

struct Window {
  Round rounds = 0;
  Round in_flight = 1;

  // All rounds before these have
  Round begun = 0;    // asked for their message,
  Round sent = 0;     // sent theirs,
  Round left = 0;     // seen it taken,
  Round arrived = 0;  // received,
  Round settled = 0;  // put to use what they received.

  /// Rounds of which something is still to be done: round r may be kept at r mod this.
  std::size_t places() const { return static_cast<std::size_t>(std::min(in_flight, rounds) + 1); }

  bool is_over() const { return left == rounds && settled == rounds; }

  bool may_begin() const {
    return begun < std::min({rounds, std::min(left, arrived) + in_flight, settled + in_flight + 1});
  }

  /// May the next round that has begun be sent? `step_of(round)` is its step, of rounds that have begun.
  /// O(W).
  template <class StepOf>
  bool may_send(const StepOf& step_of) const {
    if (sent == begun) return false;
    for (Round round = settled; round < sent; ++round) {
      if (sends_changed(step_of(sent), step_of(round))) return false;
    }
    return true;
  }

  /// May the next round be settled, once its message is there? O(W).
  template <class StepOf>
  bool may_settle(const StepOf& step_of) const {
    if (settled == sent) return false;
    for (Round round = left; round <= settled; ++round) {
      if (sends_changed(step_of(round), step_of(settled))) return false;
    }
    return true;
  }

  /// Is the oldest message under way one that it sends, and not one that it asked for?
  bool waits_for_send() const { return left < sent && left <= arrived; }
};

}  // namespace rota
