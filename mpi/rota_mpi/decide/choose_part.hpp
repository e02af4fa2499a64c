// Which all-to-many schedule serves a pattern; or why the MPI library's own collective does.
//
// All ranks must decide alike, so only what is the same on all of them may come in here.
#pragma once

#include <memory>
#include <vector>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota_mpi/decide/part.hpp"
#include "rota_mpi/decide/predict.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

/// What becomes of an all-to-many call, as far as it depends on its pattern; without a part it is native.
struct Plan {
  std::shared_ptr<const Part> part;
  Round in_flight = 1;            // of its pieces
  const char* reason = "";        // for being native
  int algorithm = -1;             // position in all_to_many_algorithms()
  std::int64_t port_bytes = 0;    // the most that one rank sends, or receives; or one host, that ranks share
  std::int64_t most_parcels = 0;  // that one rank sends
  std::int64_t rounds = 0;
  std::int64_t least_rounds = 0;
};

/// Why a call whose busiest port has so many bytes goes to the native collective, whatever its pattern;
/// nullptr: it need not.
const char* reason_for_native_all_to_many(Rank ranks, std::int64_t port_bytes, const Settings& settings);

/// Why all irregular calls among so many ranks are native, so that nobody need ask how large they are;
/// nullptr: they are not.
const char* reason_for_native_all_to_many(Rank ranks, const Settings& settings);

/// Why messages of which the busiest rank handles so many are better left to the MPI library; nullptr: they
/// are not.
const char* reason_of_messages(std::int64_t port_bytes, std::int64_t messages, const Settings& settings);

/// Why all calls on these hosts are native; nullptr: they are not. (No hosts: each rank has one to itself.)
const char* reason_of_hosts(const Hosts* hosts, const Settings& settings);

/// The part of rank `rank` in the schedule that the user asks for, or in the one that the model predicts to
/// be fastest; where ranks share hosts, by that one for hosts. Computed alike on all ranks.
Plan plan_for(const std::shared_ptr<const Pattern>& pattern, const std::shared_ptr<const Hosts>& hosts,
              Rank rank, const Settings& settings, const Pieces& pieces);

/// What passes the busiest port, of a rank or of a host that ranks share, where everybody has `bytes` for
/// everybody.
std::int64_t port_bytes_of_everybody(Rank ranks, const std::shared_ptr<const Hosts>& hosts,
                                     std::int64_t bytes);

/// The part of rank `rank` in the pairwise exchange of a pattern of which it knows its own messages only: in
/// it each message has its round whatever else there is. All ranks together have a port of so many bytes and
/// a rank of so many messages, at the most. O(own messages + p).
Plan plan_for_own(const std::vector<Shipment>& own, Rank rank, Rank ranks, std::int64_t port_bytes,
                  std::int64_t degree, const Pieces& pieces);

/// The same where everybody has `bytes` for everybody, in O(p) unless the user asks for another schedule.
Plan plan_for_everybody(Rank rank, Rank ranks, const std::shared_ptr<const Hosts>& hosts, std::int64_t bytes,
                        const Settings& settings, const Pieces& pieces);

}  // namespace rota::mpi
