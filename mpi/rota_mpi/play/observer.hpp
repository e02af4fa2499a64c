// Who is told when a schedule's messages begin and end: the one place where the executor can be watched.
//
//     post a receive, post a send  -->  begins  ...  seen to have arrived, seen to be taken  -->  ends
#pragma once

#include <cstdint>

#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

enum class Way : std::uint8_t { sent, received };

/// One end of a message on this rank.
struct Passing {
  Way way;
  Round round;
  Rank peer;  // as the channel's communicator numbers it
  std::int64_t bytes;
};

/// May be told by several threads. Nothing is thrown: the other ranks are in the schedule too.
class Observer {
 public:
  /// It is posted. The number by which its end is told; negative: that need not be told.
  virtual std::int64_t begins(const Passing& passing) = 0;
  /// This rank has seen that it has arrived, or has been taken.
  virtual void ends(std::int64_t number) = 0;

 protected:
  Observer() = default;
  ~Observer() = default;
};

/// One who keeps nothing.
Observer& nobody();

}  // namespace rota::mpi
