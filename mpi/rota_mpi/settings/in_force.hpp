// The settings that this process goes by.
#pragma once

#include <cstdint>

#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

/// The settings in force: those that set_settings gave, else those of the environment (a fault in which ends
/// the process with its message and status 2).
const Settings& settings();

/// Replaces the settings in force; no collective may be running.
void set_settings(const Settings& settings);

/// Which settings are in force: another number whenever they were replaced.
std::int64_t settings_number();

}  // namespace rota::mpi
