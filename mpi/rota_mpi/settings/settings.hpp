// What the user sets by environment variables. Parsed here and nowhere else.
//
//   ROTA_ALGORITHM="bcast=circulant"   this schedule wherever it applies (or "bcast=native"); several with commas
//                                      (alltoall: MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, also among
//                                      neighbours, one collective as allgather and allgatherv are)
//                                      (inter_allgather, inter_bcast, inter_reduce, inter_allreduce: the same calls on
//                                      inter-communicators)
//   ROTA_BLOCK_BYTES=65536             messages of about this size in place of the cost model's
//   ROTA_ROUNDS_IN_FLIGHT=2            so many rounds of a schedule under way on a rank at once (play/under_way.hpp)
//   ROTA_ADAPT=moved                   what follows the network that is found at run time: nothing (off), only that which changes no
//                                      sum's bits (moved, the default), or everything (all)
//   ROTA_OFF=bcast                     these collectives always native; "all" for all
//   ROTA_PROFILE=FILE                  choose by what `rota tune` measured (profile.hpp)
//   ROTA_LEARN=FILE                    write what trials have shown to a profile, at MPI_Finalize
//   ROTA_REPORT=1 | FILE               a report at MPI_Finalize: a table on standard error, or JSON in a file
//   ROTA_HOSTS=4                       take the ranks of MPI_COMM_WORLD for being on so many hosts, in a row, whatever
//                                      MPI tells; as many as ranks: each has one to itself
//   ROTA_LINK_RATE=200000000           the rate of a host's link in bits per second, for the report's lower bounds
//   ROTA_MPMD=1                        all executables of a job of several have Rota: serve it
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "rota_mpi/settings/profile.hpp"

namespace rota::mpi {

/// What the user wants of one collective.
struct Wish {
  bool off = false;
  int algorithm = -1;  // position in algorithms(), or in all_to_many_algorithms(); -1: choose
};

/// Whose native collectives a build of this library stands beside.
enum class NativeLibrary : std::uint8_t { open_mpi, mpich, other };

/// What follows the network that is found at run time.
enum class Adapt : std::uint8_t { off, moved, all };

struct Settings {
  NativeLibrary native = NativeLibrary::other;
  std::array<Wish, collective_count> wishes;  // by Collective
  Adapt adapt = Adapt::moved;
  std::int64_t block_bytes = 0;       // 0: choose
  std::int64_t rounds_in_flight = 0;  // 0: choose
  std::int64_t hosts = 0;             // 0: as MPI tells
  double link_bits_per_s = 0;         // 0: unknown
  bool report = false;
  bool learn = false;
  Profile profile;

  const Wish& wish(Collective collective) const { return wishes[static_cast<std::size_t>(collective)]; }
  /// Does the user, or a profile, say what serves calls on so much data?
  bool says_which(Collective collective, std::int64_t bytes) const {
    return wish(collective).algorithm >= 0 || profile.nearest(collective, bytes) != nullptr;
  }
};

/// The name of MPI's call for a collective as settings and reports write it: "bcast".
const char* call_name(Collective collective);

/// And back, from any of its names. Throws std::invalid_argument with the valid ones.
Collective collective_called(const std::string& name);

/// The name of a collective's schedule by its position in algorithms(), or in all_to_many_algorithms().
std::string algorithm_name(Collective collective, int position);

/// The settings in this process's environment. Throws std::invalid_argument with one line that names the
/// variable, what is wrong with it and the valid values.
Settings settings_of_environment();

/// Is this a job of several executables, as far as its launcher tells, of which nobody has said that all have
/// Rota? Those without it would take what ranks agree on in MPI_Init for messages of their own. Open MPI's
/// launcher tells all ranks alike; MPICH's tells none.
bool may_have_strangers();

/// Where the report goes: empty for standard error.
std::string report_file();

/// Where what trials have shown goes; empty: nowhere.
std::string learn_file();

/// The settings in force: those that set_settings gave, else those of the environment (a fault in which ends
/// the process with its message and status 2).
const Settings& settings();

/// Replaces the settings in force; no collective may be running.
void set_settings(const Settings& settings);

/// Which settings are in force: another number whenever they were replaced.
std::int64_t settings_number();

}  // namespace rota::mpi
