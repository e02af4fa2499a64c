// Which schedule serves a call, in how many blocks; or why the MPI library's own collective does.
#pragma once

#include <cstdint>

#include "rota_mpi/decide/found_network.hpp"
#include "rota_mpi/decide/predict.hpp"

namespace rota::mpi {

struct Choice {
  const Algorithm* algorithm = nullptr;  // nullptr: the native collective
  BlockIndex blocks = 1;
  Round in_flight = 1;
  double rounds = 0;        // that wait for one another, at the least; 0: not known
  double seconds = 0;       // that it is predicted to take on the network found; 0: nothing is predicted
  const char* reason = "";  // why it is the native one
};

/// The native collective, for this reason.
inline Choice native(const char* reason) { return {.reason = reason}; }

/// Calls on less data than this are native, whatever else they are.
std::int64_t native_below(Collective collective, const Settings& settings);

/// Why this call goes to the native collective, as far as that can be told without a communicator of Rota's
/// own; nullptr: it need not.
const char* reason_for_native(const Call& call, const Settings& settings);

/// The schedule for a call that need not be native, on the problem's hosts, by what was found of the network
/// at hand, if anything was.
Choice choose(const Call& call, const Settings& settings, const FoundNetwork& found = {});

/// The same of a call that is no longer the MPI library's: the fastest schedule of those that solve the
/// problem, whether it gains or not.
Choice choose_fastest(const Call& call, const Settings& settings, const FoundNetwork& found);

/// What the schedule that was chosen should take: on the network that was found, or that the profile has; 0:
/// neither is there.
double expected_seconds(const Call& call, const Choice& choice, const Settings& settings);

/// Are all its ranks, of one group, on one host, and it is not said what serves it? There the MPI library's
/// own collectives go through memory, too: a schedule gains only where its messages do, by what rounds of
/// these were measured to take.
bool is_on_one_host(const Call& call, const Settings& settings);

/// Does the choice for such a call depend on the pace of the network at hand? Where values would be combined
/// in another order, and the user has not said more.
bool depends_on_pace(const Call& call, const Settings& settings);

}  // namespace rota::mpi
