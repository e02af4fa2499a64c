// A collective call, as all its ranks see it.
#pragma once

#include <cstdint>

#include "rota/model/bound.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// All ranks must decide alike, so only what MPI guarantees to be the same on all of them may come in here.
struct Call {
  Problem problem;               // but for the number of blocks; and its hosts, until there is a companion
  std::int64_t bytes = 0;        // of the packed data: of all ranks together in allgather and reduce_scatter;
                                 // through the busiest port in all_to_many
  std::int64_t most_blocks = 1;  // bytes or items that can be told apart in one owner's data
  std::int64_t smallest_share_bytes = 0;  // of one rank, in allgather and reduce_scatter
  std::int64_t largest_share_bytes = 0;
  bool is_exact = false;       // combined in whatever order, values are the same to the bit
  bool has_one_count = false;  // reduce_scatter of equal shares by its own call: MPI_Reduce_scatter_block
};

/// May values be combined in an order that shows in their bits?
bool changes_bits(const Call& call);

/// Are sums made on the way to one rank, or to those behind: reduce, scan, exscan? Else all ranks end with
/// some of what all have.
bool is_one_way_sum(Collective collective);

/// k for calls of 2^k bytes or more, and less than twice that; -1 without data.
int size_class_of(std::int64_t bytes);

/// The call of an allgather between two groups with these shares.
Call inter_allgather_call(const Problem& problem);

/// What the cost model and the bounds know of a call.
Load load_of(const Call& call);

}  // namespace rota::mpi
