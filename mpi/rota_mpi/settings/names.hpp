// Collectives and their schedules by name, as users write them in settings and profiles.
#pragma once

#include <optional>
#include <string>

#include "rota/schedule/schedule.hpp"

namespace rota::mpi {

/// The collective of any of its names. Throws std::invalid_argument with the valid ones.
Collective collective_called(const std::string& name);

/// The calls of MPI for all of them, with commas.
std::string served_names();

/// The name of a collective's schedule by its position in algorithms(), or in all_to_many_algorithms().
std::string algorithm_name(Collective collective, int position);

/// And back, if there is one of this name.
std::optional<int> algorithm_called(Collective collective, const std::string& name);

/// All schedules of a collective, with commas.
std::string algorithm_names(Collective collective);

}  // namespace rota::mpi
