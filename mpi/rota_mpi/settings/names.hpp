// How settings, profiles and reports call collectives and their schedules: collectives as MPI's calls are named. alltoall is
// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, also among neighbours, one collective as allgather and allgatherv are;
// inter_allgather, inter_bcast, inter_reduce and inter_allreduce are the same calls on inter-communicators.
#pragma once

#include <optional>
#include <string>

#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// The name of MPI's call for a collective: "bcast".
const char* call_name(Collective collective);

/// And back, from any of its names. Throws std::invalid_argument with the valid ones.
Collective collective_called(const std::string& name);

/// All collectives that are served, with commas.
std::string served_names();

/// The name of a collective's schedule by its position in algorithms(), or in all_to_many_algorithms().
std::string algorithm_name(Collective collective, int position);

/// And back, if there is one of this name.
std::optional<int> algorithm_called(Collective collective, const std::string& name);

/// All schedules of a collective, with commas.
std::string algorithm_names(Collective collective);

}  // namespace rota::mpi
