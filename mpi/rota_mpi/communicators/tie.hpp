// What Rota knows of an inter-communicator: where its two groups are, and the companions over them.
//
// MPI's operations between groups have three kinds of ranks: a root, ranks that take no part (MPI_PROC_NULL), and the other
// group. Those that take no part do not even know how much data there is, so they cannot help to open a channel when the
// first large call comes. Hence two kinds of companions, whose channels are opened by those who use them and by nobody else,
// through the inter-communicator itself:
//
//   of all       allgather, allreduce      the ranks of both groups, the first group's first
//   of a root    bcast, reduce             the root as rank 0, then the other group
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rota_mpi/communicators/companion.hpp"

namespace rota::mpi {

class Tie {
 public:
  /// Local: no messages. Throws MpiError.
  explicit Tie(MPI_Comm comm);

  /// Are all of its ranks of one world? Else some of them may not have Rota, and nobody may be asked
  /// anything.
  bool is_of_one_world() const { return is_of_one_world_; }
  Rank own_size() const { return own_size_; }
  Rank other_size() const { return other_size_; }
  bool is_first() const { return is_first_; }  // is this rank's group the first of the two?
  Rank ranks() const { return own_size_ + other_size_; }
  Rank first_size() const { return is_first_ ? own_size_ : other_size_; }
  /// The rank, among both groups', of that rank of the own group or of the other.
  Rank number_of_own(Rank rank) const { return is_first_ ? rank : other_size_ + rank; }
  Rank number_of_other(Rank rank) const { return is_first_ ? own_size_ + rank : rank; }

  /// The companion of both groups. Throws MpiError.
  Companion& of_all();

  /// The companion of `root` of the other group and of this rank's group; or, on the root, of itself and the
  /// other group. Throws MpiError.
  Companion& of_remote_root(Rank root);
  Companion& of_own_root();

  /// Waits until what the program has started between the groups is over. Throws MpiError, std::bad_alloc.
  void wait();

  /// Sends numbers that all of this group have, to all of the other, and receives theirs. Collective over
  /// both groups. Throws MpiError.
  void exchange(const std::vector<std::int64_t>& sent, std::vector<std::int64_t>& received) const;

  /// Number by number the most that any rank of the two groups says. Collective over both. Throws MpiError.
  std::vector<std::int64_t> most(const std::vector<std::int64_t>& mine) const;

 private:
  Companion& of_root(Rank root, bool is_own);
  Companion made_of_all() const;
  Companion made_of_root(Rank root, bool is_own) const;
  void tell_all(std::vector<std::int64_t>& numbers) const;
  Talk talk_with(int root) const;

  MPI_Comm comm_;
  Rank own_size_ = 0;
  Rank other_size_ = 0;
  Rank own_rank_ = 0;
  bool is_first_ = false;
  bool is_of_one_world_ = false;
  std::vector<Rank> own_world_ranks_;
  std::vector<Rank> other_world_ranks_;
  std::unique_ptr<Companion> all_;
  std::map<std::pair<bool, Rank>, std::unique_ptr<Companion>>
      of_roots_;  // is it in the first group?, its rank
};

/// The tie of an inter-communicator, attached to it. Local. Throws MpiError, std::bad_alloc.
Tie& tie_of(MPI_Comm comm);

/// Waits until what the program has started on a communicator of any kind, which it is about to free, is
/// over. Throws MpiError, std::bad_alloc.
void wait_for_outstanding(MPI_Comm comm);

}  // namespace rota::mpi
