// Which schedule serves a call, in blocks of which size; or why the MPI library's own collective does.
//
// All ranks must decide alike, so only what MPI guarantees to be the same on all of them may come in here.
#pragma once

#include <cstdint>

#include "rota/generators/index.hpp"
#include "rota_mpi/settings.hpp"

namespace rota::mpi {

/// One call, as all its ranks see it.
struct Call {
  Collective collective;
  Rank ranks;
  std::int64_t bytes;  // of the packed data
};

struct Choice {
  const Algorithm* algorithm = nullptr;  // nullptr: the native collective
  std::int64_t block_bytes = 0;
  const char* reason = "";  // why it is the native one
};

/// The native collective, for this reason.
inline Choice native(const char* reason) { return {.reason = reason}; }

/// Why this call goes to the native collective, as far as that can be told without a communicator of Rota's
/// own; nullptr: it need not.
const char* reason_for_native(const Call& call, const Settings& settings);

/// The schedule for a call that need not be native, on hosts of which ranks share some or do not.
Choice choose(const Call& call, const Settings& settings, bool ranks_share_hosts);

}  // namespace rota::mpi
