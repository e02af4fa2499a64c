// The time that a schedule takes as Rota's executor plays it (mpi/rota_mpi/play/under_way): W rounds in flight, synchronous sends,
// processors that cost something and are lost at times. And how far ranks drift apart meanwhile.
//
// A rank begins round r, which is to ask for its message, when its own messages of all rounds up to r - W have left and arrived, and
// what came up to round r - W - 1 is settled. It sends in the order of rounds, after the earlier rounds that change its blocks are
// settled; it settles in the order of rounds, and nothing that it is still sending. All of this is its processor's work, one thing after
// the other. Where nothing can be done it waits for its oldest message, and learns of others then; or it waits for any.
//
// A message passes the sender's port out and, a latency later, the receiver's port in, each of which takes one message at a time, of
// those that are there that of the first round. A short one leaves at once and lies at the receiver until that begins the round. A long
// one (rendezvous) leaves when both have begun the round, and both processors have had a hand in the handshake. Bytes pass without
// processors. A send is over when its message has arrived and been asked for; that the sender learns so takes no time of its own.
//
//     latency as long as a message        W = 1   port out   [0]   [1]   [2]           W = 2   port out   [0][1][2][3]
//                                                 port in       [0]   [1]   [2]                port in       [0][1][2][3]
//
// Naps. A rank that waits may look now and then only. Of a round's message the receiver answers the handshake, the sender hears of it,
// and who waits learns that it is over, each a nap too late at the most: with one round in flight R rounds end 3 R naps later. But where
// combining takes time: a processor that hears of a message a nap late may have begun to combine another, and ends that first.
//
// Drift. Of two ranks that share a message of round r, neither begins round r + W before the other begins round r: the sender's
// message has not left before that, nor the receiver's arrived. So at that moment neither is more than W rounds ahead of the other,
// and of what one rank sends to another, W messages at most lie there unasked for. Both are counted; tests hold them to W.
//
// Events, and no sweep over the rounds as in simulate: while a port waits for a late rank's message it takes that of a later round, so
// which message passes first is known only when it does.
//
// With W = 1, a handshake of no time for messages of any size, processors that cost nothing and nobody late, ranks finish exactly when
// simulate says. Other settings differ: a short message need not wait until its receiver has reached the round, so ranks may finish
// earlier, or later, where it is in the way of others (the circulant broadcast of equal blocks takes as long, for its root is busy all
// the time); what a round brings is combined while the next is under way, but, where it changes what the rank itself is sending, not
// before that has left; and blocks of no bytes are no message.
#pragma once

#include <cstdint>
#include <limits>

#include "rota/model/cost.hpp"
#include "rota/model/pauses.hpp"
#include "rota/model/simulate.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The executor waits for its oldest message; it could wait for any.
enum class Waits : std::uint8_t { for_oldest, for_any };

/// What ranks run on, how their MPI library sends, and how they wait.
struct Machines {
  Network network;
  double overhead_s = 0;  // of a processor, for each message sent and each received
  std::int64_t rendezvous_from = std::numeric_limits<std::int64_t>::max();  // bytes of a message
  double handshake_s = 0;
  Pauses pauses{};  // NOLINT(readability-redundant-member-init): GCC takes it for forgotten
  Waits waits = Waits::for_oldest;
  double nap_s = 0;  // where a rank waits, between two looks of its processor; 0: it looks all the time
};

struct InFlightSimulation : Simulation {
  Round drift = 0;           // the most rounds that one rank was ahead of another when they shared a message
  std::int64_t unasked = 0;  // the most messages from one rank at another that had not asked for them
};

/// Plays `schedule`, which verify finds no fault with, with `in_flight` rounds in flight. `on_round` is
/// called with k when as many steps are settled as k rounds have. Throws std::invalid_argument for in_flight
/// < 1, for messages to or from what is no rank, and where ranks wait forever, as those of faulty schedules
/// may. O(p rounds (W + log(p W))) beside what asking for steps takes, and the memory of p (W + 1) of them.
InFlightSimulation simulate_in_flight(const Schedule& schedule, Round in_flight, const Machines& machines,
                                      const BlockBytes& bytes, const OnRound& on_round = {});

}  // namespace rota
