// What the user sets by environment variables (variables.hpp has their table), as the code goes by it. Parsed here and nowhere else.
//
// ROTA_ALGORITHM and ROTA_OFF name collectives as MPI's calls are named: alltoall is MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw, also
// among neighbours, one collective as allgather and allgatherv are; inter_allgather, inter_bcast, inter_reduce and inter_allreduce are
// the same calls on inter-communicators.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rota/model/paper_blocks.hpp"
#include "rota_mpi/settings/native_library.hpp"
#include "rota_mpi/settings/profile.hpp"

namespace rota::mpi {

/// What the user wants of one collective.
struct Wish {
  bool off = false;
  int algorithm = -1;  // position in algorithms(), or in all_to_many_algorithms(); -1: choose
};

/// What follows the network that is found at run time.
enum class Adapt : std::uint8_t { off, moved, all };

/// Which lines the log has.
enum class LogLevel : std::uint8_t {
  off,
  info,   // what was decided of a call
  debug,  // and when it was over
};

struct Log {
  LogLevel level = LogLevel::off;
  bool is_of_all = false;  // ranks; else of MPI_COMM_WORLD's rank 0
};

/// What carries on calls that return at once.
enum class Progress : std::uint8_t { engine, thread };

struct Settings {
  NativeLibrary native = NativeLibrary::other;
  std::array<Wish, collective_count> wishes;  // by Collective
  Adapt adapt = Adapt::moved;
  Progress progress = Progress::engine;
  bool shares_memory = true;     // within hosts, for messages
  std::int64_t block_bytes = 0;  // 0: choose
  std::optional<PaperConstants> paper_blocks;
  std::int64_t rounds_in_flight = 0;  // 0: choose
  std::int64_t hosts = 0;             // 0: as MPI tells
  std::int64_t lanes = 0;             // of each host; 0: one
  double link_bits_per_s = 0;         // of each of its links; 0: unknown
  bool report = false;
  bool learn = false;
  Log log;
  bool trace = false;
  std::int64_t trace_bytes = 0;  // of each rank's memory; 0: as many as by default
  bool takes_notes = false;      // of calls, also of small ones: for the report, the log or the trace
  Profile profile;

  const Wish& wish(Collective collective) const { return wishes[static_cast<std::size_t>(collective)]; }
  /// Does the user, or a profile, say what serves calls on so much data?
  bool says_which(Collective collective, std::int64_t bytes) const {
    return wish(collective).algorithm >= 0 || profile.nearest(collective, bytes) != nullptr;
  }
};

/// As many links as each host is said to have.
Rank lanes_of(const Settings& settings);

/// The name of MPI's call for a collective as settings and reports write it: "bcast".
const char* call_name(Collective collective);

/// And back, from any of its names. Throws std::invalid_argument with the valid ones.
Collective collective_called(const std::string& name);

/// The name of a collective's schedule by its position in algorithms(), or in all_to_many_algorithms().
std::string algorithm_name(Collective collective, int position);

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

/// Files that are written at the end are named from the folder in which the program began MPI, wherever it is
/// by then: this remembers it.
void remember_start_folder();

/// From now on those of the report and the trace have this number in their names, of a job that another one
/// has started: it writes beside that one's, and not over them. 0: they have none.
void number_files(std::int64_t number);

/// Where the report goes: empty for standard error.
std::string report_file();

/// Where the trace goes.
std::string trace_file();

/// The memory in which each rank keeps what goes into it.
std::int64_t trace_bytes(const Settings& settings);

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
