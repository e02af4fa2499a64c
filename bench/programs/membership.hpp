// Who is in the communicators that a step makes, in which order, and beside whom.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program.hpp"

namespace rota::programs {

/// Ranks of MPI_COMM_WORLD, in the order of a communicator.
using Members = std::vector<int>;

/// Of one rank in a topology, ranks of the communicator in MPI's order; outside: MPI_PROC_NULL.
struct Neighbors {
  static constexpr int nobody = -1;

  std::vector<int> sources;
  std::vector<int> destinations;
};

struct Comm {
  Members members;                   // between two groups: the first
  Members others;                    // between two groups: the second; else empty
  std::vector<Neighbors> neighbors;  // of each member, in a topology

  bool is_inter() const { return !others.empty(); }
};

/// The communicators that a step makes of one: no rank is in two of them.
std::vector<Comm> made_of(const Step& step, const Comm& comm);

/// Of a split's step, by rank in the old communicator: the colour (none: not in any), and the key.
std::optional<int> color_of(const Step& step, int rank, int size);
int key_of(const Step& step, int rank, int size);

/// The ranks of the old communicator that a step `create` or `create_group` takes, in order.
std::vector<int> chosen_ranks(const Step& step, int size);

/// The extents of a Cartesian topology over so many ranks, and which of its dimensions close.
std::vector<int> cart_extents(const Step& step, int size);
bool is_periodic(const Step& step, std::size_t dimension);

/// Who is beside whom in the topology of a step `graph` or `dist_graph`.
std::vector<Neighbors> graph_neighbors(const Step& step, int size);

/// Is the rank in the first of the two groups that a step `intercomm` makes?
bool is_in_first_group(const Step& step, int rank, int size);

}  // namespace rota::programs
