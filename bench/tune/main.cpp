// Measures a platform and writes its profile, for ROTA_PROFILE.
//
//   LAUNCHER rota-tune-<abi> FILE [--seconds S]        S: about the time that it may take, 100 without it
//
// All ranks of the job take part; rank 0 writes FILE when everything has been measured. `-` is standard output: on a cluster
// rank 0 may be where the caller's files are not.
#include <mpi.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "clock.hpp"
#include "place.hpp"
#include "platform.hpp"
#include "rota.h"
#include "rota/generators/names.hpp"
#include "rota_mpi/settings/profile_text.hpp"
#include "tournament.hpp"

namespace {

using namespace rota::tune;
using rota::mpi::NewFile;
using rota::mpi::Profile;

constexpr const char* standard_output = "-";

struct Arguments {
  std::string path;
  double seconds = 100;
};

double seconds_in(const std::string& word) {
  std::size_t used = 0;
  double seconds = 0;
  try {
    seconds = std::stod(word, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used != word.size() || !std::isfinite(seconds) || seconds <= 0) {
    throw std::runtime_error("--seconds " + word + ": give a number above 0");
  }
  return seconds;
}

Arguments parse(const std::vector<std::string>& words) {
  const bool has_seconds = words.size() == 3 && words[1] == "--seconds";
  if ((words.size() != 1 && !has_seconds) || words[0].starts_with("--")) {
    throw std::runtime_error("usage: FILE [--seconds S]");
  }
  return has_seconds ? Arguments{words[0], seconds_in(words[2])} : Arguments{words[0]};
}

/// The library's name and version, up to the first comma or end of line.
std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

/// What was wished for outside would stand between the entrants and their calls.
void forget_wishes() {
  for (const char* const name : {"ROTA_ADAPT", "ROTA_ALGORITHM", "ROTA_BLOCK_BYTES", "ROTA_OFF",
                                 "ROTA_PROFILE", "ROTA_ROUNDS_IN_FLIGHT"}) {
    rota_configure(name, nullptr);
  }
}

void show(const Match& match) {
  std::fprintf(stderr, "\r%-16s %10lld bytes", rota::call_name(match.collective),
               static_cast<long long>(match.bytes));
}

/// The file on rank 0; nothing on others, nor for standard output. If it cannot be written, all ranks throw.
std::unique_ptr<NewFile> new_file(const std::string& path, int rank) {
  std::unique_ptr<NewFile> file;
  std::string fault;
  try {
    if (rank == 0 && path != standard_output) file = std::make_unique<NewFile>(path);
  } catch (const std::runtime_error& error) {
    fault = error.what();
  }
  int is_good = fault.empty() ? 1 : 0;
  MPI_Bcast(&is_good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (is_good == 0) throw std::runtime_error(fault);
  return file;
}

void tune(const Arguments& arguments, int rank) {
  if (rota::bench::place_in_world().ranks < 2)
    throw std::runtime_error("one rank has no network: start two or more");
  const std::unique_ptr<NewFile> file = new_file(arguments.path, rank);
  forget_wishes();
  const Clock clock;
  const bool shows = rank == 0 && isatty(STDERR_FILENO) != 0;
  const Profile profile =
      with_collectives(measured_platform(), clock, arguments.seconds, [&](const Match& match) {
        if (shows) show(match);
      });
  if (shows) std::fprintf(stderr, "\r%40s\r", "");
  const std::string text = text_of(profile, mpi_library());
  if (file) return file->complete(text);
  if (rank == 0) std::fputs(text.c_str(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  const int rank = rota::bench::place_in_world().rank;
  int status = 0;
  // But for the last, faults are seen by all ranks, so that all of them reach the end.
  try {
    tune(parse({argv + 1, argv + argc}), rank);
  } catch (const std::runtime_error& fault) {
    if (rank == 0) std::fprintf(stderr, "rota-tune: %s\n", fault.what());
    status = 2;
  }
  rota_finalize();
  return status;
}
