// What the user sets, as the code goes by it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

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

/// The memory in which each rank keeps what goes into its trace.
std::int64_t trace_bytes(const Settings& settings);

}  // namespace rota::mpi
