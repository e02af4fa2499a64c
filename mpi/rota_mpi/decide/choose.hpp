// Which schedule serves a call, in how many blocks; or why the MPI library's own collective does.
//
// All ranks must decide alike, so only what MPI guarantees to be the same on all of them may come in here.
#pragma once

#include <cstdint>
#include <vector>

#include "rota/generators/index.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

/// One call, as all its ranks see it.
struct Call {
  Problem problem;               // but for the number of blocks; and its hosts, until there is a companion
  std::int64_t bytes = 0;        // of the packed data: of all ranks together in allgather and reduce_scatter;
                                 // through the busiest port in all_to_many
  std::int64_t most_blocks = 1;  // bytes or items that can be told apart in one owner's data
  std::int64_t smallest_share_bytes = 0;  // of one rank, in allgather and reduce_scatter
  std::int64_t largest_share_bytes = 0;
};

/// The call of an allgather between two groups with these shares.
Call inter_allgather_call(const Problem& problem);

/// What predictions are made for: the profile's network, or without a profile one that stands for most.
const Network& network_of(const Settings& settings);

/// What the cost model and the bounds know of a call.
Load load_of(const Call& call);

/// A schedule that a call may take, with its best number of blocks and what that is predicted to take.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  BlockIndex blocks = 1;
  double seconds = 0;
};

/// All schedules that solve the call's problem; where ranks share hosts, those that mind it.
std::vector<Candidate> candidates(const Call& call, const Settings& settings);

struct Choice {
  const Algorithm* algorithm = nullptr;  // nullptr: the native collective
  BlockIndex blocks = 1;
  const char* reason = "";  // why it is the native one
};

/// The native collective, for this reason.
inline Choice native(const char* reason) { return {.reason = reason}; }

/// The size of messages where no model gives one: as the user asks, or as serves everywhere.
std::int64_t message_bytes(const Settings& settings);

/// Calls on less data than this are native, whatever else they are.
std::int64_t native_below(Collective collective, const Settings& settings);

/// Why this call goes to the native collective, as far as that can be told without a communicator of Rota's
/// own; nullptr: it need not.
const char* reason_for_native(const Call& call, const Settings& settings);

/// The schedule for a call that need not be native, on the problem's hosts.
Choice choose(const Call& call, const Settings& settings);

}  // namespace rota::mpi
