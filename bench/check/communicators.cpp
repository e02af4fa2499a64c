#include "communicators.hpp"

#include <algorithm>

namespace rota::check {

namespace {

int color_of(std::string_view name, int rank) {
  if (name == "halves") return rank % 2;
  if (name == "upper") return rank == 0 ? MPI_UNDEFINED : 0;
  return name == "single" ? rank : 0;
}

int key_of(std::string_view name, int rank, int ranks) {
  if (name == "reversed") return -rank;
  return name == "rotated" ? (rank + ranks - 1) % ranks : rank;
}

MPI_Comm split(MPI_Comm comm, int color, int key) {
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Comm_split(comm, color, key, &result);
  if (result != MPI_COMM_NULL) MPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

/// The ranks of the first of the two groups.
int first_group_of(std::string_view name, int ranks) { return name == "from_one" ? 1 : (ranks + 2) / 3; }

MPI_Comm connected(std::string_view name, int rank, int ranks) {
  const int first = first_group_of(name, ranks);
  if (first >= ranks) return MPI_COMM_NULL;
  const bool is_first = rank < first;
  MPI_Comm side = split(MPI_COMM_WORLD, is_first ? 0 : 1, rank);
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? first : 0, 1, &result);
  MPI_Comm_free(&side);
  MPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN);
  return result;
}

void free_if_any(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

}  // namespace

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

bool is_between(std::string_view name) { return name == "from_one" || name == "uneven"; }

bool is_inter(MPI_Comm comm) {
  int result = 0;
  MPI_Comm_test_inter(comm, &result);
  return result != 0;
}

int remote_size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_remote_size(comm, &size);
  return size;
}

Communicators::Communicators() {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int ranks = size_of(MPI_COMM_WORLD);
  std::ranges::transform(communicator_names, comms_.begin(), [&](std::string_view name) {
    if (is_between(name)) return connected(name, rank, ranks);
    return split(MPI_COMM_WORLD, color_of(name, rank), key_of(name, rank, ranks));
  });
}

Communicators::~Communicators() { std::ranges::for_each(comms_, free_if_any); }

MPI_Comm Communicators::get(const std::string& name) const {
  const auto* const found = std::ranges::find(communicator_names, name);
  return comms_[static_cast<std::size_t>(found - communicator_names.begin())];
}

Twins::Twins(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  comms_ = {split(comm, 0, rank_in(comm)), split(comm, 0, -rank_in(comm))};
}

Twins::~Twins() { std::ranges::for_each(comms_, free_if_any); }

}  // namespace rota::check
