#include "rota_mpi/companion.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "rota_mpi/settings.hpp"

namespace rota::mpi {

namespace {

// MPI calls this when the program frees its communicator, on all its ranks.
int free_companion(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Companion> companion(static_cast<Companion*>(attribute));
  if (companion->comm == MPI_COMM_NULL) return MPI_SUCCESS;
  return PMPI_Comm_free(&companion->comm);
}

int new_key() {
  int key = MPI_KEYVAL_INVALID;
  // The program's duplicates of its communicator get companions of their own.
  check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_companion, &key, nullptr));
  return key;
}

int key() {
  static const int the_key = new_key();
  return the_key;
}

/// A new communicator with the same ranks. Not a duplicate: that would run the program's attribute copying
/// functions. MPI_COMM_NULL where MPI has no more to give; MPI libraries find that out on all ranks together.
MPI_Comm twin(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  check(PMPI_Comm_group(comm, &group));
  MPI_Errhandler programs_own = MPI_ERRHANDLER_NULL;
  check(PMPI_Comm_get_errhandler(comm, &programs_own));
  check(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  MPI_Comm result = MPI_COMM_NULL;
  const int code = PMPI_Comm_create(comm, group, &result);
  // SimGrid's SMPI names no handler on ranks that have set none: the default is theirs.
  const bool has_own = programs_own != MPI_ERRHANDLER_NULL;
  check(PMPI_Comm_set_errhandler(comm, has_own ? programs_own : MPI_ERRORS_ARE_FATAL));
  if (has_own) check(PMPI_Errhandler_free(&programs_own));
  check(PMPI_Group_free(&group));
  if (code != MPI_SUCCESS) return MPI_COMM_NULL;
  check(PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN));
  return result;
}

bool has_world() {
  int is_there = 0;
  check(PMPI_Initialized(&is_there));
  return is_there != 0;
}

/// Do all ranks belong to this rank's MPI_COMM_WORLD? Those of another were started apart: they may not have
/// Rota at all, or other settings. Every rank sees that alike, without a message. Without a world (sessions)
/// there is nothing to tell by.
bool is_of_one_world(MPI_Comm comm) {
  if (!has_world()) return true;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group elsewhere = MPI_GROUP_NULL;
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world));
  check(PMPI_Comm_group(comm, &group));
  check(PMPI_Group_difference(group, world, &elsewhere));
  int strangers = 0;
  check(PMPI_Group_size(elsewhere, &strangers));
  if (elsewhere != MPI_GROUP_EMPTY) check(PMPI_Group_free(&elsewhere));
  check(PMPI_Group_free(&group));
  check(PMPI_Group_free(&world));
  return strangers == 0;
}

constexpr int unknown = -1;

/// The lowest of the ranks on this rank's host, or `unknown` where MPI has no communicator left to tell.
int lowest_rank_on_host(MPI_Comm comm, int rank) {
  MPI_Comm host = MPI_COMM_NULL;
  if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host) != MPI_SUCCESS)
    return unknown;
  int lowest = rank;
  check(PMPI_Bcast(&lowest, 1, MPI_INT, 0, host));
  check(PMPI_Comm_free(&host));
  return lowest;
}

/// On which of `hosts` hosts, in a row, this process is to be taken for running, by its rank in
/// MPI_COMM_WORLD.
int pretended_host(std::int64_t hosts) {
  int rank = 0;
  int ranks = 1;
  check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank));
  check(PMPI_Comm_size(MPI_COMM_WORLD, &ranks));
  return static_cast<int>(rank * std::min<std::int64_t>(hosts, ranks) / ranks);
}

/// A number for each rank's host, alike for ranks on the same one; `unknown` for a rank that cannot tell.
std::vector<int> host_names(const Companion& companion) {
  const std::int64_t pretended = settings().hosts;
  const int own = pretended > 0 && has_world() ? pretended_host(pretended)
                                               : lowest_rank_on_host(companion.comm, companion.rank);
  std::vector<int> names(static_cast<std::size_t>(companion.ranks));
  check(PMPI_Allgather(&own, 1, MPI_INT, names.data(), 1, MPI_INT, companion.comm));
  return names;
}

Companion without_comm(const char* fault) {
  Companion companion;
  companion.fault = fault;
  return companion;
}

Companion made_for(MPI_Comm comm) {
  if (!is_of_one_world(comm)) return without_comm("ranks were started apart");
  return companion_around(twin(comm));
}

}  // namespace

Companion companion_around(MPI_Comm own) {
  Companion companion;
  companion.comm = own;
  if (own == MPI_COMM_NULL) return without_comm("MPI has no communicator left");
  check(PMPI_Comm_rank(own, &companion.rank));
  check(PMPI_Comm_size(own, &companion.ranks));
  const std::vector<int> names = host_names(companion);
  if (std::ranges::find(names, unknown) != names.end()) {
    check(PMPI_Comm_free(&companion.comm));
    return without_comm("MPI has no communicator left");
  }
  Hosts hosts = hosts_called(names);
  if (hosts.most_ranks() > 1) companion.hosts = std::make_shared<const Hosts>(std::move(hosts));
  return companion;
}

const Companion& companion_of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&found), &is_there));
  if (is_there != 0) return *static_cast<const Companion*>(found);
  auto companion = std::make_unique<Companion>(made_for(comm));
  check(PMPI_Comm_set_attr(comm, key(), companion.get()));
  return *companion.release();  // the attribute owns it
}

}  // namespace rota::mpi
