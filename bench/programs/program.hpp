// A random MPI program as data: for each of its threads a list of steps, the same on all ranks.
//
//   multiple | dup comm=0 made=1; allreduce comm=1 count=30; free comm=1 | bcast count=5 odd=1 at=1
//
// What differs between ranks is worked out from a step and the rank (lower.hpp). Every list of steps is a legal program: a
// step whose communicator is not there does nothing, and what is left at the end is completed and freed. So a program is
// made smaller by leaving out any of its words.
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
  // What goes on around them; `wait` completes `request`.
  barrier,
  gather,
  ibarrier,
  ibcast,
  iallreduce,
  exchange,
  iprobe,
  wait,
  // Attributes and error handlers.
  set_attribute,
  get_attribute,
  delete_attribute,
  set_handler,
  error,
};

constexpr std::array<std::string_view, 42> action_names{"dup",
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
                                                        "barrier",
                                                        "gather",
                                                        "ibarrier",
                                                        "ibcast",
                                                        "iallreduce",
                                                        "exchange",
                                                        "iprobe",
                                                        "wait",
                                                        "set_attribute",
                                                        "get_attribute",
                                                        "delete_attribute",
                                                        "set_handler",
                                                        "error"};

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
  int data = 0;     // which data

  friend bool operator==(const Step&, const Step&) = default;
};

using Steps = std::vector<Step>;

struct Program {
  bool is_multiple = false;  // MPI_THREAD_MULTIPLE
  std::vector<Steps> threads;
};

constexpr int comm_slots = 12;
constexpr int request_slots = 8;
constexpr int keyval_slots = 4;

std::string text_of(const Program& program);

/// Throws BadProgram.
Program parse_program(const std::string& text);

}  // namespace rota::programs
