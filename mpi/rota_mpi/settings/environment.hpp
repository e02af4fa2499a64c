// What this process's environment says (variables.hpp has the variables' table). Parsed here and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

/// The settings in this process's environment. Throws std::invalid_argument with one line that names the
/// variable, what is wrong with it and the valid values.
Settings settings_of_environment();

/// All that is wrong with these variables, a line each, first what the above would throw.
std::vector<std::string> faults_of_environment();

/// The same of one of them, which counts before MPI has begun. Throws nothing: what it does not know is for
/// later.
Progress progress_of_environment();

/// Is this a job of several executables, as far as its launcher tells, of which nobody has said that all have
/// Rota? Those without it would take what ranks agree on in MPI_Init for messages of their own. Open MPI's
/// launcher tells all ranks alike; MPICH's tells none.
bool may_have_strangers();

}  // namespace rota::mpi
