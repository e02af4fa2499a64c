#include "rota_mpi/report/log.hpp"

#include <unistd.h>

#include <new>
#include <optional>
#include <string>

#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/report/written.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/names.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

namespace {

/// In MPI_COMM_WORLD, if there is one.
std::optional<int> own_rank() {
  if (const World* const here = world()) return here->rank;
  int rank = 0;
  if (!has_comm_world() || pmpi.Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return {};
  return rank;
}

std::string counted(std::int64_t count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string decision_text(const Served& served) {
  if (served.algorithm < 0) return "native, " + std::string(served.reason);
  std::string text = algorithm_name(served.call.problem.collective, served.algorithm);
  if (served.blocks > 0) text += ", " + counted(served.blocks, "block");
  if (served.rounds > 0) text += ", " + counted(served.rounds, "round");
  if (served.nap > served.nap.zero())
    text += ", looks every " + time_text(std::chrono::duration<double>(served.nap).count());
  return text;
}

std::string end_text(const Served& served) { return "over after " + time_text(served.seconds); }

void write_line(const char* name, const Served& served, std::string (*what)(const Served&)) {
  const std::optional<int> rank = own_rank();
  if (!settings().log.is_of_all && rank != 0) return;
  const Call& call = served.call;
  const std::string line = "rota[" + (rank ? std::to_string(*rank) : "-") + "]: " + name + " of " +
                           size_text(static_cast<double>(call.bytes)) + " among " +
                           counted(call.problem.ranks, "rank") + ": " + what(served) + "\n";
  // Who cannot be told, is not.
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

/// Where one rank has no memory for a line, the call goes on without it: the others are in it.
void say(const char* name, const Served& served, std::string (*what)(const Served&)) {
  try {
    write_line(name, served, what);
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace

void log_decision(const char* name, const Served& served) {
  if (settings().log.level != LogLevel::off) say(name, served, decision_text);
}

void log_end(const char* name, const Served& served) {
  if (settings().log.level == LogLevel::debug) say(name, served, end_text);
}

}  // namespace rota::mpi
