// Everybody has as much for everybody, and a host to itself: no pattern is stored, and each rank knows its own messages.
//
// Statement   every rank sends each other rank its message, whole; in round k (from 0 on) rank r to rank r + k + 1 modulo p
// Rounds      p - 1: no schedule has fewer, and all ports are busy in all of them
// Bytes       each once
// Cost        a rank's peers in a round: O(1)
// Needs       p >= 1
// Source      the exchange by shifts, as old as message passing; in paper 2 the matchings of a complete graph
//
//   p = 4, to whom ranks 0 1 2 3 send      round 0   1 2 3 0
//                                          round 1   2 3 0 1
//                                          round 2   3 0 1 2
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// To whom a rank sends in a round, and from whom it receives; -1: nobody.
struct Peers {
  Rank to = -1;
  Rank from = -1;
};

class Everybody {
 public:
  explicit Everybody(Rank ranks) : ranks_(ranks) {}

  Round rounds() const { return ranks_ - 1; }

  Peers peers(Rank rank, Round round) const {
    // Sums of two ranks may be too large for a Rank.
    const auto distance = static_cast<Rank>(round + 1);
    const Rank rest = ranks_ - distance;
    return {.to = rank < rest ? rank + distance : rank - rest,
            .from = rank >= distance ? rank - distance : rank + rest};
  }

 private:
  Rank ranks_;
};

}  // namespace rota
