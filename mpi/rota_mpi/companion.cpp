#include "rota_mpi/companion.hpp"

#include <limits>
#include <memory>

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

constexpr int unknown = std::numeric_limits<int>::max();

/// The ranks on this rank's host, or `unknown` where MPI has no communicator left to tell.
int ranks_on_this_host(MPI_Comm comm, int rank) {
  MPI_Comm host = MPI_COMM_NULL;
  if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host) != MPI_SUCCESS)
    return unknown;
  int ranks = 0;
  check(PMPI_Comm_size(host, &ranks));
  check(PMPI_Comm_free(&host));
  return ranks;
}

/// The same of the fullest host, or `unknown` if any host is; on all ranks alike.
int most_ranks_on_a_host(MPI_Comm comm, int rank) {
  const int mine = ranks_on_this_host(comm, rank);
  int most = 0;
  check(PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, comm));
  return most;
}

/// Do all ranks belong to this rank's MPI_COMM_WORLD? Those of another were started apart: they may not have
/// Rota at all, or other settings. Every rank sees that alike, without a message. Without a world (sessions)
/// there is nothing to tell by.
bool is_of_one_world(MPI_Comm comm) {
  int has_world = 0;
  check(PMPI_Initialized(&has_world));
  if (has_world == 0) return true;
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
  const int most = most_ranks_on_a_host(companion.comm, companion.rank);
  if (most == unknown) {
    check(PMPI_Comm_free(&companion.comm));
    return without_comm("MPI has no communicator left");
  }
  companion.ranks_share_hosts = most > 1;
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
