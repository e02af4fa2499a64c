// The environment variables by which users steer Rota: the one table of them. What reads them, its messages, `rota info` and the
// README's table all go by it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace rota::mpi {

/// Who reads a variable.
enum class Reader : std::uint8_t {
  job,      // rank 0 of a job, for all ranks
  command,  // the command `rota`, and whoever builds it
};

struct Variable {
  const char* name;
  const char* example;     // one of its values
  const char* by_default;  // what holds where it is not set, or set to nothing
  const char* valid;       // which values it takes; of a whole number what it counts
  std::int64_t most;       // of a whole number the largest; 0: it is none, or has no largest
  const char* meaning;
  Reader reader = Reader::job;
};

namespace variables {

inline constexpr Variable report{
    "ROTA_REPORT",
    "FILE",
    "none",
    "1, - or FILE",
    0,
    "a report at `MPI_Finalize`: a table on standard error (`1` or `-`), or JSON in a file"};
inline constexpr Variable log{
    "ROTA_LOG",
    "info",
    "off",
    "off, info, debug, info:all, debug:all",
    0,
    "a line a call on standard error as it is decided; `debug`: another when it is over, with its time; from "
    "rank 0 of `MPI_COMM_WORLD`, or with `:all` from all ranks"};
inline constexpr Variable trace{
    "ROTA_TRACE",
    "FILE",
    "none",
    "FILE",
    0,
    "a trace at `MPI_Finalize` of what really happened, call by call and message by message, for Perfetto"};
/// A rank sends what it has kept in two messages.
inline constexpr Variable trace_memory{
    "ROTA_TRACE_MEMORY",
    "64MiB",
    "16MiB",
    "MiB, as 64, or with a unit, as 64MiB,",
    1024,
    "so much memory on each rank for `ROTA_TRACE`, in MiB or with a unit; what comes when it is full is "
    "counted and not kept"};
inline constexpr Variable algorithm{
    "ROTA_ALGORITHM",
    "bcast=circulant",
    "chosen for each call",
    "collective=algorithm,...",
    0,
    "this schedule wherever it applies; `bcast=native` for the MPI library's own; several with commas"};
inline constexpr Variable off{"ROTA_OFF", "bcast",
                              "nothing",  "collectives with commas, or all",
                              0,          "leave these collectives to the MPI library; `all` for all"};
inline constexpr Variable profile{"ROTA_PROFILE",
                                  "FILE",
                                  "none",
                                  "a file that rota tune or ROTA_LEARN has written",
                                  0,
                                  "what was measured here decides, in place of the defaults"};
inline constexpr Variable learn{
    "ROTA_LEARN",
    "FILE",
    "none",
    "a file that is a profile, or is to become one",
    0,
    "write what trials have shown to a profile at `MPI_Finalize`, for `ROTA_PROFILE`"};
inline constexpr Variable adapt{"ROTA_ADAPT",
                                "moved",
                                "moved",
                                "off, moved, all",
                                0,
                                "what may follow what Rota finds at run time, of the network and by trials: "
                                "nothing (`off`), what changes "
                                "no sum's bits (`moved`), everything (`all`)"};
/// Blocks are counted in ints by MPI.
inline constexpr Variable block_bytes{
    "ROTA_BLOCK_BYTES",
    "64KiB",
    "as the cost model says",
    "bytes, as 65536, or with a unit, as 64KiB,",
    std::int64_t{1} << 30,
    "messages of about this size, in bytes or with a unit; `paper`, or `paper:F=70,G=40`: the "
    "circulant schedules' blocks by the rules of paper 1"};
/// Of more rounds the memory would count, and no network was seen to gain by more than 8.
inline constexpr Variable rounds_in_flight{
    "ROTA_ROUNDS_IN_FLIGHT",
    "2",
    "as the network was measured",
    "rounds",
    64,
    "so many rounds of a schedule under way on a rank at once, from 1 to 64"};
inline constexpr Variable progress{
    "ROTA_PROGRESS",
    "thread",
    "engine",
    "engine, thread",
    0,
    "who carries on calls that return at once: the MPI library's own engine, while the program is in MPI "
    "(`engine`), or also a thread of Rota's, for which MPI is asked for `MPI_THREAD_MULTIPLE` (`thread`)"};
inline constexpr Variable shared_memory{
    "ROTA_SHARED_MEMORY",
    "off",
    "on",
    "on, off",
    0,
    "messages of calls that block go between ranks of a host through memory that they share (`on`), or by "
    "the MPI library like all others (`off`)"};
inline constexpr Variable hosts{"ROTA_HOSTS",
                                "4",
                                "as MPI tells",
                                "hosts from 1 on",
                                0,
                                "take the ranks of `MPI_COMM_WORLD` for being on so many hosts, in a row; as "
                                "many as ranks: each has one to itself"};
/// Of more links than that no host is known.
inline constexpr Variable lanes{"ROTA_LANES",
                                "2",
                                "1",
                                "links",
                                64,
                                "each host has so many links, over which as many of its ranks share its "
                                "traffic (`rota lab` sets it)"};
inline constexpr Variable link_rate{"ROTA_LINK_RATE",
                                    "10gbit",
                                    "unknown",
                                    "bits per second, as 1e10, or with a unit, as 10gbit or 25MB/s",
                                    0,
                                    "the rate of each of a host's links, in bits per second or with a unit, "
                                    "for the report's lower bounds (`rota lab` sets it)"};
inline constexpr Variable mpmd{"ROTA_MPMD", "1", "0",
                               "0 or 1",    0,   "all executables of a job of several have Rota: serve it"};
inline constexpr Variable openmpi_prefix{"ROTA_OPENMPI_PREFIX",
                                         "/opt/openmpi",
                                         "the one installed with Rota, else on PATH",
                                         "a folder with bin/mpiexec, or none for a build without it",
                                         0,
                                         "the Open MPI that the command starts and that Rota is built for",
                                         Reader::command};
inline constexpr Variable mpich_prefix{"ROTA_MPICH_PREFIX",
                                       "/opt/mpich",
                                       "the one installed with Rota, else on PATH",
                                       "a folder with bin/mpiexec, or none for a build without it",
                                       0,
                                       "the same of MPICH and its relatives",
                                       Reader::command};

/// All of them, what most users want first.
inline constexpr std::array all{report,      log,          trace,
                                algorithm,   profile,      learn,
                                off,         block_bytes,  rounds_in_flight,
                                adapt,       progress,     shared_memory,
                                hosts,       lanes,        mpmd,
                                link_rate,   trace_memory, openmpi_prefix,
                                mpich_prefix};

}  // namespace variables

/// Which values it takes, in words: "rounds from 1 to 64".
std::string valid_values(const Variable& variable);

/// Its value in this process's environment; empty where it is not set.
std::string value_of(const Variable& variable);

}  // namespace rota::mpi
