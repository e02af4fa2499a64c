// A random MPI program as data: for each of its threads a list of steps, the same on all ranks.
//
//   multiple | dup comm=0 made=1; allreduce comm=1 count=30; free comm=1 | bcast count=5 odd=1 at=1
//
// What differs between ranks is worked out from a step and the rank (lower.hpp). Every list of steps is a legal program: a
// step whose communicator is not there does nothing, and what is left at the end is completed and freed. So a program is
// made smaller by leaving out any of its words.
//
// What returns at once occupies a slot of requests from then on, one by itself or a persistent one until it is released:
//
//   iallreduce request=2; scan_init request=3; start request=3; poke request=2 span=1; wait request=2 span=1 way=3; release request=3
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rota::programs {

/// Faults of a program that a user wrote: one line that says what is wrong and what is valid.
struct BadProgram : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

enum class Action : std::uint8_t {
  // Communicators: `made` is made of `comm`.
  dup,
  idup,
  split,
  create,
  create_group,
  cart,
  graph,
  dist_graph,
  intercomm,
  merge,
  session,
  session_end,
  free,
  disconnect,
  // Collectives that Rota serves.
  bcast,
  reduce,
  allreduce,
  allgather,
  allgatherv,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  // The same, returning at once, in the same order; `request` is outstanding then.
  ibcast,
  ireduce,
  iallreduce,
  iallgather,
  iallgatherv,
  ireduce_scatter,
  ireduce_scatter_block,
  iscan,
  iexscan,
  ialltoall,
  ialltoallv,
  ialltoallw,
  ineighbor_alltoall,
  ineighbor_alltoallv,
  ineighbor_alltoallw,
  // The same, set up; `request` is persistent then.
  bcast_init,
  reduce_init,
  allreduce_init,
  allgather_init,
  allgatherv_init,
  reduce_scatter_init,
  reduce_scatter_block_init,
  scan_init,
  exscan_init,
  alltoall_init,
  alltoallv_init,
  alltoallw_init,
  neighbor_alltoall_init,
  neighbor_alltoallv_init,
  neighbor_alltoallw_init,
  exchange_init,
  // What goes on around them.
  barrier,
  gather,
  ibarrier,
  exchange,
  iprobe,
  // Of the requests from `request` on, so many as `span` more: start those that are persistent; tests once; complete them; free
  // those that are persistent.
  start,
  poke,
  wait,
  release,
  // Attributes and error handlers.
  set_attribute,
  get_attribute,
  delete_attribute,
  set_handler,
  error,
};

constexpr std::array<std::string_view, 74> action_names{
    "dup",
    "idup",
    "split",
    "create",
    "create_group",
    "cart",
    "graph",
    "dist_graph",
    "intercomm",
    "merge",
    "session",
    "session_end",
    "free",
    "disconnect",
    "bcast",
    "reduce",
    "allreduce",
    "allgather",
    "allgatherv",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "exscan",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
    "ibcast",
    "ireduce",
    "iallreduce",
    "iallgather",
    "iallgatherv",
    "ireduce_scatter",
    "ireduce_scatter_block",
    "iscan",
    "iexscan",
    "ialltoall",
    "ialltoallv",
    "ialltoallw",
    "ineighbor_alltoall",
    "ineighbor_alltoallv",
    "ineighbor_alltoallw",
    "bcast_init",
    "reduce_init",
    "allreduce_init",
    "allgather_init",
    "allgatherv_init",
    "reduce_scatter_init",
    "reduce_scatter_block_init",
    "scan_init",
    "exscan_init",
    "alltoall_init",
    "alltoallv_init",
    "alltoallw_init",
    "neighbor_alltoall_init",
    "neighbor_alltoallv_init",
    "neighbor_alltoallw_init",
    "exchange_init",
    "barrier",
    "gather",
    "ibarrier",
    "exchange",
    "iprobe",
    "start",
    "poke",
    "wait",
    "release",
    "set_attribute",
    "get_attribute",
    "delete_attribute",
    "set_handler",
    "error",
};

/// All but `action` are 0 unless said otherwise.
struct Step {
  Action action = Action::barrier;
  int comm = 0;   // the slot of the communicator that it is about; 0: MPI_COMM_WORLD, in a thread a duplicate
  int made = 0;   // the slot of the communicator that is made
  int way = 0;    // which variant
  int type = 0;   // an element: types.hpp
  int shape = 0;  // how items lie in memory, of who sends: types.hpp
  int other = 0;  // and of who receives
  int op = 0;     // of those that the element has
  int count = 1;  // in units that fit both shapes
  int pattern = 0;  // how the counts of ranks differ: amounts.hpp
  int displs = 0;   // where ranks' items lie among those of others: amounts.hpp
  int root = 0;     // modulo the ranks
  int in_place = 0;
  int odd = 0;      // what rank `at` does differently: odd.hpp
  int at = 0;       // modulo the ranks
  int large = 0;    // the form with large counts
  int request = 0;  // the slot of what is left outstanding
  int span = 0;     // so many slots more, the first behind the last
  int own = 0;      // each rank does it in an order and by a form of its own
  int data = 0;     // which data

  friend bool operator==(const Step&, const Step&) = default;
};

using Steps = std::vector<Step>;

struct Program {
  bool is_multiple = false;  // MPI_THREAD_MULTIPLE
  std::vector<Steps> threads;
};

/// How a collective is called.
enum class Form : std::uint8_t { blocking, started, set_up };

constexpr bool is_collective(Action action) {
  return action >= Action::bcast && action <= Action::neighbor_alltoallw_init;
}

/// Of a collective.
constexpr Form form_of(Action action) {
  if (action < Action::ibcast) return Form::blocking;
  return action < Action::bcast_init ? Form::started : Form::set_up;
}

/// The same collective in its blocking form; another action is what it is.
constexpr Action blocking(Action action) {
  if (!is_collective(action)) return action;
  const int forms = static_cast<int>(Action::ibcast) - static_cast<int>(Action::bcast);
  return static_cast<Action>(static_cast<int>(action) - static_cast<int>(form_of(action)) * forms);
}

constexpr Step blocking(Step step) {
  step.action = blocking(step.action);
  return step;
}

constexpr int comm_slots = 12;
constexpr int request_slots = 8;
constexpr int keyval_slots = 4;

std::string text_of(const Program& program);

/// Throws BadProgram.
Program parse_program(const std::string& text);

}  // namespace rota::programs
