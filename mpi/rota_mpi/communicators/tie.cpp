#include "rota_mpi/communicators/tie.hpp"

#include <algorithm>

#include "rota_mpi/communicators/attached.hpp"

namespace rota::mpi {

namespace {

using Ranks = std::vector<Rank>;

Attached<Tie>& ties() {
  static auto* const the_ties = new Attached<Tie>(AttachedKind::tie);
  return *the_ties;
}

/// Number by number.
std::vector<std::int64_t> larger(std::vector<std::int64_t> numbers, const std::vector<std::int64_t>& others) {
  std::ranges::transform(numbers, others, numbers.begin(),
                         [](std::int64_t one, std::int64_t other) { return std::max(one, other); });
  return numbers;
}

Ranks joined(const Ranks& first, const Ranks& second) {
  Ranks result(first.size() + second.size());
  const auto middle = std::ranges::copy(first, result.begin()).out;
  std::ranges::copy(second, middle);
  return result;
}

}  // namespace

Tie::Tie(MPI_Comm comm) : comm_(comm) {
  const MpiGroup own = MpiGroup::of(comm);
  const MpiGroup other = MpiGroup::beyond(comm);
  check(pmpi.Comm_rank(comm, &own_rank_));
  check(pmpi.Comm_size(comm, &own_size_));
  check(pmpi.Comm_remote_size(comm, &other_size_));
  if (!has_comm_world()) return;
  auto own_ranks = ranks_in_world(own);
  auto other_ranks = ranks_in_world(other);
  if (!own_ranks || !other_ranks) return;
  own_world_ranks_ = std::move(*own_ranks);
  other_world_ranks_ = std::move(*other_ranks);
  is_of_one_world_ = true;
  is_first_ = std::ranges::min(own_world_ranks_) < std::ranges::min(other_world_ranks_);
}

void Tie::exchange(const std::vector<std::int64_t>& sent, std::vector<std::int64_t>& received) const {
  // Of each group only rank 0 sends.
  Ranks counts(static_cast<std::size_t>(other_size_), 0);
  const Ranks displacements(counts.size(), 0);
  counts[0] = static_cast<int>(received.size());
  const int mine = own_rank_ == 0 ? static_cast<int>(sent.size()) : 0;
  check(pmpi.Allgatherv(sent.data(), mine, MPI_INT64_T, received.data(), counts.data(), displacements.data(),
                        MPI_INT64_T, comm_));
}

/// The first rank of the first group tells the second group, which tells the first.
void Tie::tell_all(std::vector<std::int64_t>& numbers) const {
  std::vector<std::int64_t> others(numbers.size());
  std::vector<std::int64_t> heard(numbers.size());
  exchange(numbers, others);
  exchange(others, heard);
  numbers = is_first_ ? heard : others;
}

/// What the other group says, and then what that has heard from this one.
std::vector<std::int64_t> Tie::most(const std::vector<std::int64_t>& mine) const {
  const int count = static_cast<int>(mine.size());
  std::vector<std::int64_t> others(mine.size());
  std::vector<std::int64_t> own(mine.size());
  check(pmpi.Allreduce(mine.data(), others.data(), count, MPI_INT64_T, MPI_MAX, comm_));
  check(pmpi.Allreduce(others.data(), own.data(), count, MPI_INT64_T, MPI_MAX, comm_));
  return larger(own, others);
}

/// A root, and the group that is not its own: `root` as in their calls.
Talk Tie::talk_with(int root) const {
  const auto tell = [comm = comm_, root](std::vector<std::int64_t>& numbers) {
    check(pmpi.Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, root, comm));
  };
  const auto most = [comm = comm_, root, tell](std::vector<std::int64_t>& numbers) {
    std::vector<std::int64_t> others = numbers;
    check(pmpi.Reduce(numbers.data(), others.data(), static_cast<int>(numbers.size()), MPI_INT64_T, MPI_MAX,
                      root, comm));
    numbers = larger(numbers, others);
    tell(numbers);
  };
  return {tell, most, {}};
}

Companion Tie::made_of_all() const {
  if (!is_of_one_world_) return companion_of_fault(started_apart);
  const Talk talk{[this](std::vector<std::int64_t>& numbers) { tell_all(numbers); },
                  [this](std::vector<std::int64_t>& numbers) { numbers = most(numbers); },
                  {}};
  const Rank rank = number_of_own(own_rank_);
  if (world() != nullptr) {
    return companion_in_world(is_first_ ? joined(own_world_ranks_, other_world_ranks_)
                                        : joined(other_world_ranks_, own_world_ranks_),
                              rank, talk);
  }
  const MpiGroup own = MpiGroup::of(comm_);
  const MpiGroup other = MpiGroup::beyond(comm_);
  return companion_of_group(is_first_ ? MpiGroup(own, other) : MpiGroup(other, own), rank, talk);
}

Companion Tie::made_of_root(Rank root, bool is_own) const {
  if (!is_of_one_world_) return companion_of_fault(started_apart);
  const Talk talk = talk_with(is_own ? MPI_ROOT : root);
  const Rank rank = is_own ? 0 : 1 + own_rank_;
  if (world() != nullptr) {
    const Ranks& roots = is_own ? own_world_ranks_ : other_world_ranks_;
    const Ranks& others = is_own ? other_world_ranks_ : own_world_ranks_;
    return companion_in_world(joined({roots[static_cast<std::size_t>(root)]}, others), rank, talk);
  }
  const MpiGroup own = MpiGroup::of(comm_);
  const MpiGroup other = MpiGroup::beyond(comm_);
  const MpiGroup the_root(is_own ? own : other, {root});
  return companion_of_group(MpiGroup(the_root, is_own ? other : own), rank, talk);
}

Companion& Tie::of_all() {
  if (!all_) all_ = std::make_unique<Companion>(made_of_all());
  return *all_;
}

Companion& Tie::of_root(Rank root, bool is_own) {
  auto& found = of_roots_[{is_own == is_first_, root}];
  if (!found) found = std::make_unique<Companion>(made_of_root(root, is_own));
  return *found;
}

void Tie::wait() {
  if (all_) all_->wait();
  for (const auto& [root, companion] : of_roots_) companion->wait();
}

Companion& Tie::of_remote_root(Rank root) { return of_root(root, false); }
Companion& Tie::of_own_root() { return of_root(own_rank_, true); }

Tie& tie_of(MPI_Comm comm) {
  if (Tie* const found = ties().find(comm)) return *found;
  return ties().attach(comm, std::make_unique<Tie>(comm));
}

void wait_for_outstanding(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || !is_any_outstanding()) return;
  if (Tie* const found = ties().find(comm)) found->wait();
  wait_within(comm);
}

}  // namespace rota::mpi
