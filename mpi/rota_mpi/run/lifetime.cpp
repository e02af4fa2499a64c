// The two ends of a run: settings in, report out.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "rota_mpi/communicators/attached.hpp"
#include "rota_mpi/communicators/outstanding.hpp"
#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/communicators/world.hpp"
#include "rota_mpi/library/fault_tolerance.hpp"
#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/library/progress.hpp"
#include "rota_mpi/library/raising.hpp"
#include "rota_mpi/report/last_words.hpp"
#include "rota_mpi/report/learnt.hpp"
#include "rota_mpi/report/report.hpp"
#include "rota_mpi/report/trace.hpp"
#include "rota_mpi/settings/environment.hpp"
#include "rota_mpi/settings/files.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/settings/settings.hpp"
#include "rota_mpi/settings/whole_file.hpp"
#include "rota_mpi/way/glance.hpp"
#include "rota_preload.h"

namespace rota::mpi {

namespace {

/// The settings of rank 0 with what is wrong with them, if anything, and the number that files have: in one
/// piece, so that one broadcast tells all ranks.
struct Announcement {
  Settings settings;
  char fault[4096] = "";
  std::int64_t files = 0;
};
static_assert(std::is_trivially_copyable_v<Announcement>);

/// Has another job started this one (MPI_Comm_spawn)? SMPI cannot.
bool is_spawned() {
  if (is_time_simulated) return false;
  MPI_Comm parent = MPI_COMM_NULL;
  check(pmpi.Comm_get_parent(&parent));
  return parent != MPI_COMM_NULL;
}

/// Of such a job this process's number, also when it has parted from the other one; else 0.
std::int64_t number_if_spawned() {
  static const std::int64_t number = is_spawned() ? getpid() : 0;
  return number;
}

Announcement announcement() {
  Announcement result;
  result.files = number_if_spawned();
  try {
    result.settings = settings_of_environment();
    // A profile is that of one job: of the one that the user has started.
    if (result.files != 0) result.settings.learn = false;
  } catch (const std::invalid_argument& fault) {
    std::snprintf(result.fault, sizeof result.fault, "%s", fault.what());
  }
  return result;
}

/// Environments may differ between ranks, decisions must not: rank 0's counts.
void agree_on_settings(MPI_Comm comm) {
  int rank = 0;
  check(pmpi.Comm_rank(comm, &rank));
  Announcement announced = rank == 0 ? announcement() : Announcement{};
  check(pmpi.Bcast(&announced, sizeof announced, MPI_BYTE, 0, comm));
  number_files(announced.files);
  if (announced.fault[0] == '\0') {
    set_settings(announced.settings);
    return prepare_glances();
  }
  if (rank == 0) std::fprintf(stderr, "rota: %s\n", announced.fault);
  pmpi.Finalize();
  std::exit(2);
}

/// Where a rank can have no thread, nobody has one.
void begin_progress() {
  if (settings().progress == Progress::engine) return;
  World& here = *world();
  if (do_all_say(begin_progress_thread(advance_outstanding), here)) {
    here.is_carried_on = true;
    return;
  }
  end_progress_thread();
  if (here.rank > 0) return;
  std::fputs("rota: ROTA_PROGRESS=thread: no threads, for MPI gives some rank no MPI_THREAD_MULTIPLE\n",
             stderr);
}

/// How many threads MPI is to be asked for.
int level_for(int required) {
  return progress_of_environment() == Progress::thread ? MPI_THREAD_MULTIPLE : required;
}

/// The others wait for this rank, so that it may not go on alone: an error is raised on MPI_COMM_WORLD, which
/// ends the job unless the program had its errors returned before it could ask for that.
void start() {
  raising_on(MPI_COMM_WORLD, [] {
    agree_on_settings(MPI_COMM_WORLD);
    begin_world();
    begin_trace(*world());
    begin_progress();
    return MPI_SUCCESS;
  });
}

/// Why Rota takes no part in this job, alike on all ranks; nullptr: it does.
const char* reason_to_stand_aside() {
  if (may_have_strangers()) return "programs of one job may not all have Rota (ROTA_MPMD=1: they have)";
  if (may_lose_processes()) return "MPI's fault tolerance is on";
  return nullptr;
}

/// Who wants to hear of calls, hears why there is nothing to hear. Each rank's own environment counts, and a
/// fault in it.
void stand_aside(const char* reason) {
  give_up_world();
  prepare_glances();
  int rank = 0;
  if (pmpi.Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != 0) return;
  if (settings().takes_notes) std::fprintf(stderr, "rota: all calls are the MPI library's own: %s\n", reason);
}

/// The report's file as MPI_Init found it.
struct ReportBefore {
  std::string path = report_file();
  std::optional<FileSight> sight = sight_of(path);

  bool is_written_since() const { return report_file() == path && sight_of(path) != sight; }
};

/// Of a job that comes to this end, what this rank knows alone; but the rank that ended the job has said it,
/// where there is its report.
void say_alone(Ending ending, const ReportBefore& before) {
  if (settings().report && !before.is_written_since())
    print_report(report_of(own_notes(), ending), report_file());
  if (world()->rank == 0) write_own_trace(ending);
}

/// Without a world, of programs that call MPI_Init themselves, on theirs; then there is no trace.
void tell() {
  const World* const here = world();
  const Notes notes = gathered_notes(here == nullptr ? MPI_COMM_WORLD : here->comm);
  forget_last_words();
  if (here != nullptr) end_trace(*here);
  int rank = 0;
  check(pmpi.Comm_rank(MPI_COMM_WORLD, &rank));
  if (rank != 0) return;
  if (settings().report) print_report(report_of(notes, Ending::finalized), report_file());
  if (settings().learn) write_learnt(notes.cells);
}

/// Where one rank cannot send its notes, rank 0 would wait for them for ever: the job ends, as it does by
/// default where MPI fails.
void finish() {
  if (!settings().report && !settings().learn && !is_tracing()) return;
  try {
    tell();
  } catch (const MpiError& error) {
    std::fprintf(stderr, "rota: MPI cannot gather the report (error %d): the job ends without it\n",
                 error.code);
    pmpi.Abort(MPI_COMM_WORLD, 1);
  }
}

/// What was started on it comes to its end first.
int free_by(int (*freeing)(MPI_Comm*), MPI_Comm* comm) {
  MPI_Comm freed = comm == nullptr ? MPI_COMM_NULL : *comm;
  const int code = raising_on(freed, [&] {
    wait_for_outstanding(freed);
    return MPI_SUCCESS;
  });
  if (code != MPI_SUCCESS) return code;
  const Freeing being_freed(freed);
  return freeing(comm);
}

}  // namespace

}  // namespace rota::mpi

extern "C" {

void rota_started() {
  using namespace rota::mpi;
  if (world() != nullptr || has_world_ended()) return;
  mpi_started();
  remember_start_folder();
  if (const char* const reason = reason_to_stand_aside()) return stand_aside(reason);
  start();
  if (world() == nullptr) return give_up_world();
  if (!settings().report && !is_tracing()) return;
  keep_last_words([before = ReportBefore()](Ending ending) { say_alone(ending, before); }, world()->rank);
}

void rota_finishing() {
  using namespace rota::mpi;
  if (has_world_ended()) return;
  end_progress_thread();
  finish();
  end_world();
}

int rota_init(int* argc, char*** argv) {
  using namespace rota::mpi;
  int provided = MPI_THREAD_SINGLE;
  const int level = level_for(MPI_THREAD_SINGLE);
  const int code =
      level == MPI_THREAD_SINGLE ? pmpi.Init(argc, argv) : pmpi.Init_thread(argc, argv, level, &provided);
  if (code == MPI_SUCCESS) rota_started();
  return code;
}

int rota_init_thread(int* argc, char*** argv, int required, int* provided) {
  using namespace rota::mpi;
  const int code = pmpi.Init_thread(argc, argv, level_for(required), provided);
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
    rota::mpi::agree_on_settings(MPI_COMM_WORLD);
  } catch (const rota::mpi::MpiError& error) {
    return error.code;
  }
  return MPI_SUCCESS;
}

int rota_finalize() {
  rota_finishing();
  const int code = rota::mpi::pmpi.Finalize();
  rota::mpi::mpi_ended();
  return code;
}

int rota_abort(MPI_Comm comm, int code) {
  rota::mpi::say_last_words(rota::mpi::Ending::aborted);
  return rota::mpi::pmpi.Abort(comm, code);
}

int rota_comm_free(MPI_Comm* comm) { return rota::mpi::free_by(rota::mpi::pmpi.Comm_free, comm); }

int rota_comm_disconnect(MPI_Comm* comm) { return rota::mpi::free_by(rota::mpi::pmpi.Comm_disconnect, comm); }

#ifdef ROTA_HAS_SESSIONS
/// Programs that look for this function at run time, as mpi4py does, find Rota's also where the MPI library
/// has none.
int rota_session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session) {
  if (rota::mpi::pmpi.Session_init == nullptr) return MPI_ERR_UNSUPPORTED_OPERATION;
  const int code = rota::mpi::pmpi.Session_init(info, errhandler, session);
  if (code == MPI_SUCCESS) rota::mpi::session_started();
  return code;
}

int rota_session_finalize(MPI_Session* session) {
  if (rota::mpi::pmpi.Session_finalize == nullptr) return MPI_ERR_UNSUPPORTED_OPERATION;
  const int code = rota::mpi::pmpi.Session_finalize(session);
  if (code == MPI_SUCCESS) rota::mpi::session_ended();
  return code;
}
#endif

}  // extern "C"
