// The two ends of a run: settings in, report out.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "rota_mpi/mpi.hpp"
#include "rota_mpi/report.hpp"
#include "rota_mpi/settings.hpp"
#include "rota_preload.h"

namespace rota::mpi {

namespace {

/// The settings of rank 0 with what is wrong with them, if anything: in one piece, so that one broadcast
/// tells all ranks.
struct Announcement {
  Settings settings;
  char fault[256] = "";
};
static_assert(std::is_trivially_copyable_v<Announcement>);

Announcement announcement() {
  Announcement result;
  try {
    result.settings = settings_of_environment();
  } catch (const std::invalid_argument& fault) {
    std::snprintf(result.fault, sizeof result.fault, "%s", fault.what());
  }
  return result;
}

/// Environments may differ between ranks, decisions must not: rank 0's counts.
void agree_on_settings() {
  int rank = 0;
  check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  Announcement announced = rank == 0 ? announcement() : Announcement{};
  check(PMPI_Bcast(&announced, sizeof announced, MPI_BYTE, 0, MPI_COMM_WORLD));
  if (announced.fault[0] == '\0') return set_settings(announced.settings);
  if (rank == 0) std::fprintf(stderr, "rota: %s\n", announced.fault);
  PMPI_Finalize();
  std::exit(2);
}

/// A fault of MPI's own is no reason to end the program: say what is lost.
template <class Action>
void or_say(const Action& action, const char* loss) {
  try {
    action();
  } catch (const MpiError&) {
    std::fprintf(stderr, "rota: MPI_COMM_WORLD does not work; %s\n", loss);
  }
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

void rota_started() {
  rota::mpi::or_say(rota::mpi::agree_on_settings, "every rank goes by its own environment");
}

void rota_finishing() {
  if (rota::mpi::settings().report) rota::mpi::or_say(rota::mpi::print_report, "there is no report");
}

int rota_init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) rota_started();
  return code;
}

int rota_init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) rota_started();
  return code;
}

int rota_configure(const char* name, const char* value) {
  // The environment is read by rank 0 alone, here.
  if (value == nullptr) {
    unsetenv(name);
  } else {
    setenv(name, value, 1);
  }
  try {
    rota::mpi::agree_on_settings();
  } catch (const rota::mpi::MpiError& error) {
    return error.code;
  }
  return MPI_SUCCESS;
}

int rota_finalize() {
  rota_finishing();
  return PMPI_Finalize();
}

}  // extern "C"
