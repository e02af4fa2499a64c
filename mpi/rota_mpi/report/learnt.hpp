// What trials have shown, as a profile that later jobs go by.
#pragma once

#include <vector>

#include "rota_mpi/report/notes.hpp"
#include "rota_mpi/settings/profile.hpp"

namespace rota::mpi {

/// The profile of a job of so many ranks on so many hosts: of its cells those whose calls were of all ranks,
/// and in which both arms had a turn, by their mean times. All-to-many calls and those between groups, of
/// which profiles know nothing, are left out. Of what an `earlier` profile for the same ranks and hosts says,
/// that stays which is of other sizes.
Profile learnt(const std::vector<CellNote>& cells, const Profile& job, const Profile& earlier);

/// Writes what the job has learnt to the file that ROTA_LEARN names, and adds it to what is there. Where that
/// cannot be, says why, and the profile, on standard error; elsewhere than on rank 0, nothing.
void write_learnt(const std::vector<CellNote>& cells);

}  // namespace rota::mpi
