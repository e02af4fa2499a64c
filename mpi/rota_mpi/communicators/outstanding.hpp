// What the program has started and not yet seen the end of.
//
// On one communicator operations go one after the other, in the order in which all its ranks have started them: so they can share
// a channel, and its ports carry one at a time. Those of different communicators go side by side, for ranks may start these in
// different orders; and so do persistent ones, each of which has a queue of its own (lane.hpp).
//
//     communicator A    ibcast | iallreduce | a blocking call, which waits here
//     communicator B    iallgather
//                       ^ the first of each queue is advanced, whenever the program is in an MPI call (library/progress.hpp)
//
// Nobody waits forever: of all operations that some rank has not ended, take one whose ranks have all ended those before it in
// their queues; there is one, for programs whose calls could be waited for in any order. All its ranks advance it.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

/// What failed inside Rota, and the program's communicator on which it is to be raised.
struct Fault {
  MPI_Comm comm;
  int code;
};

/// An operation that is carried on while the program is elsewhere.
class Ongoing {
 public:
  Ongoing() = default;
  Ongoing(const Ongoing&) = delete;
  Ongoing& operator=(const Ongoing&) = delete;
  virtual ~Ongoing() = default;

  /// Does what can be done now, without waiting, and says what is left. Throws nothing.
  virtual Left advance() = 0;

  /// Of one that is over. It is raised once nobody looks after queues here: the program's error handler may
  /// start more.
  virtual std::optional<Fault> fault() const { return {}; }
};

/// The operations on one communicator, or of one persistent request.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  /// Joins the end of the queue; what can be done at once, is. Throws std::bad_alloc.
  void join(std::unique_ptr<Ongoing> operation);

  /// Waits until all that have joined it are over. Throws MpiError, std::bad_alloc.
  void wait();

  /// Of a queue whose operations are over: returns when no thread is in it any more. Before whatever its
  /// operations refer to is given up, and not by an operation.
  void leave() const;

  bool is_empty() const { return length_ == 0; }

 private:
  friend class Outstanding;

  // Of who looks after all queues.
  void append(std::unique_ptr<Ongoing> operation);
  Left advance();
  std::optional<Fault> take_fault() { return std::exchange(fault_, {}); }

  std::deque<std::unique_ptr<Ongoing>> operations_;
  std::optional<Fault> fault_;  // of the latest one that is over
  std::atomic<std::size_t> length_{0};
};

/// Carries on all that is outstanding.
Left advance_outstanding();

/// Is any operation outstanding, on any communicator?
bool is_any_outstanding();

}  // namespace rota::mpi
