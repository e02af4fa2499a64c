#include "rota_mpi/tie.hpp"

#include <algorithm>
#include <numeric>

namespace rota::mpi {

namespace {

int free_tie(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Tie> tie(static_cast<Tie*>(attribute));
  return MPI_SUCCESS;
}

int new_key() {
  int key = MPI_KEYVAL_INVALID;
  check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_tie, &key, nullptr));
  return key;
}

int key() {
  static const int the_key = new_key();
  return the_key;
}

class Group {
 public:
  Group(int (*group_of)(MPI_Comm, MPI_Group*), MPI_Comm comm) { check(group_of(comm, &group_)); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() { PMPI_Group_free(&group_); }

  MPI_Group get() const { return group_; }
  Rank size() const {
    Rank ranks = 0;
    check(PMPI_Group_size(group_, &ranks));
    return ranks;
  }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

/// The ranks of a group in MPI_COMM_WORLD; MPI_UNDEFINED for those of another world.
std::vector<Rank> world_ranks_of(const Group& group) {
  const Group world(PMPI_Comm_group, MPI_COMM_WORLD);
  std::vector<Rank> ranks(static_cast<std::size_t>(group.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Rank> result(ranks.size());
  check(PMPI_Group_translate_ranks(group.get(), static_cast<int>(ranks.size()), ranks.data(), world.get(),
                                   result.data()));
  return result;
}

bool has_world() {
  int initialized = 0;
  check(PMPI_Initialized(&initialized));
  return initialized != 0;
}

// Nobody else makes communicators of MPI_COMM_WORLD with Rota's tags.
constexpr int tag = 0x526f;

/// A new communicator of these ranks of MPI_COMM_WORLD, in this order, made by them alone; MPI_COMM_NULL
/// where MPI has no more to give.
MPI_Comm communicator_of(const std::vector<Rank>& world_ranks) {
  const Group world(PMPI_Comm_group, MPI_COMM_WORLD);
  MPI_Group members = MPI_GROUP_NULL;
  check(PMPI_Group_incl(world.get(), static_cast<int>(world_ranks.size()), world_ranks.data(), &members));
  MPI_Errhandler programs_own = MPI_ERRHANDLER_NULL;
  check(PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &programs_own));
  check(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  MPI_Comm result = MPI_COMM_NULL;
  const int code = PMPI_Comm_create_group(MPI_COMM_WORLD, members, tag, &result);
  check(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, programs_own));
  check(PMPI_Errhandler_free(&programs_own));
  check(PMPI_Group_free(&members));
  if (code != MPI_SUCCESS) return MPI_COMM_NULL;
  check(PMPI_Comm_set_errhandler(result, MPI_ERRORS_RETURN));
  return result;
}

using Ranks = std::vector<Rank>;

Ranks joined(const Ranks& first, const Ranks& second) {
  Ranks result(first.size() + second.size());
  const auto middle = std::ranges::copy(first, result.begin()).out;
  std::ranges::copy(second, middle);
  return result;
}

Companion without_comm(const char* fault) {
  Companion companion;
  companion.fault = fault;
  return companion;
}

}  // namespace

Tie::Tie(MPI_Comm comm) {
  const Group own(PMPI_Comm_group, comm);
  const Group other(PMPI_Comm_remote_group, comm);
  check(PMPI_Comm_rank(comm, &own_rank_));
  own_size_ = own.size();
  other_size_ = other.size();
  if (!has_world()) return;
  own_world_ranks_ = world_ranks_of(own);
  other_world_ranks_ = world_ranks_of(other);
  const auto is_stranger = [](Rank rank) { return rank == MPI_UNDEFINED; };
  is_of_one_world_ = std::ranges::none_of(own_world_ranks_, is_stranger) &&
                     std::ranges::none_of(other_world_ranks_, is_stranger);
  is_first_ = std::ranges::min(own_world_ranks_) < std::ranges::min(other_world_ranks_);
}

Tie::~Tie() {
  const auto free = [](Companion& companion) {
    if (companion.comm != MPI_COMM_NULL) PMPI_Comm_free(&companion.comm);
  };
  if (all_) free(*all_);
  for (auto& [root, companion] : of_roots_) free(*companion);
}

Companion Tie::made_for(const std::vector<Rank>& world_ranks) const {
  if (!is_of_one_world_) return without_comm("ranks were started apart");
  return companion_around(communicator_of(world_ranks));
}

const Companion& Tie::of_all() {
  if (all_) return *all_;
  all_ = std::make_unique<Companion>(made_for(is_first_ ? joined(own_world_ranks_, other_world_ranks_)
                                                        : joined(other_world_ranks_, own_world_ranks_)));
  return *all_;
}

const Companion& Tie::of_root(Rank root, bool is_own) {
  auto& found = of_roots_[{is_own == is_first_, root}];
  if (found) return *found;
  if (!is_of_one_world_) {
    found = std::make_unique<Companion>(made_for({}));
    return *found;
  }
  const Ranks& roots = is_own ? own_world_ranks_ : other_world_ranks_;
  const Ranks& others = is_own ? other_world_ranks_ : own_world_ranks_;
  found = std::make_unique<Companion>(made_for(joined({roots[static_cast<std::size_t>(root)]}, others)));
  return *found;
}

const Companion& Tie::of_remote_root(Rank root) { return of_root(root, false); }
const Companion& Tie::of_own_root() { return of_root(own_rank_, true); }

Tie& tie_of(MPI_Comm comm) {
  void* found = nullptr;
  int is_there = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&found), &is_there));
  if (is_there != 0) return *static_cast<Tie*>(found);
  auto tie = std::make_unique<Tie>(comm);
  check(PMPI_Comm_set_attr(comm, key(), tie.get()));
  return *tie.release();  // the attribute owns it
}

}  // namespace rota::mpi
