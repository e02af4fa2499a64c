// What collectives are called: each has a name of its own and one of MPI's calls, and serves others of these besides.
//
//   broadcast          MPI_Bcast             "broadcast", "bcast"
//   allgather          MPI_Allgather         "allgather"                    serves MPI_Allgatherv, "allgatherv", too
//   all_to_many        MPI_Alltoall          "all_to_many", "alltoall"      and MPI_Alltoallv, MPI_Alltoallw, also among neighbours
//   inter_broadcast    MPI_Bcast             "inter_broadcast", "inter_bcast": the same call, between two groups
//
// The one table of these names: settings, reports and the command have theirs from it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rota/schedule/schedule.hpp"

namespace rota {

struct CollectiveNames {
  Collective collective;
  const char* own;
  const char* call;  // MPI's, in small letters
};

/// Of all that a call of MPI asks for: not of a series, which is no call.
std::span<const CollectiveNames> names_of_calls();

/// A call that another one's schedules serve.
struct ServedAs {
  const char* call;
  Collective collective;
};
std::span<const ServedAs> served_as_others();

/// Its own name: "broadcast".
std::string_view name(Collective collective);

/// The name of MPI's call: "bcast".
const char* call_name(Collective collective);

/// The collective of either of these names. Words may be joined by - in place of _. nullopt: none is called
/// so.
std::optional<Collective> collective_named(std::string_view name);

/// The same; and of a call that it serves besides, "allgatherv".
std::optional<Collective> collective_serving(std::string_view name);

}  // namespace rota
