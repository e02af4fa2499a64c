#include "rota_mpi/settings/in_force.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "rota_mpi/settings/environment.hpp"
#include "rota_mpi/settings/files.hpp"

namespace rota::mpi {

namespace {

// Every small call asks, so that nothing is to be initialised first.
constinit std::optional<Settings> given;
constinit std::int64_t replacements = 0;

Settings settings_or_exit() {
  remember_start_folder();
  try {
    return settings_of_environment();
  } catch (const std::invalid_argument& fault) {
    std::fprintf(stderr, "rota: %s\n", fault.what());
    std::exit(2);
  }
}

}  // namespace

const Settings& settings() {
  if (given) return *given;
  static const Settings of_environment = settings_or_exit();
  return of_environment;
}

void set_settings(const Settings& settings) {
  given = settings;
  ++replacements;
}

std::int64_t settings_number() { return replacements; }

}  // namespace rota::mpi
