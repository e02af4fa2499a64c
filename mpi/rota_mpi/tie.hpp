// What Rota knows of an inter-communicator: where its two groups are, and the private communicators over them.
//
// MPI's operations between groups have three kinds of ranks: a root, ranks that take no part (MPI_PROC_NULL), and the other
// group. Those that take no part do not even know how much data there is, so they cannot help to make a communicator when the
// first large call comes. Hence two kinds of companions, both made by those who use them and by nobody else:
//
//   of all       allgather, allreduce      the ranks of both groups, the first group's first
//   of a root    bcast, reduce             the root as rank 0, then the other group
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rota_mpi/border.hpp"
#include "rota_mpi/companion.hpp"

namespace rota::mpi {

class Tie {
 public:
  /// Local: no messages. Throws MpiError.
  explicit Tie(MPI_Comm comm);
  Tie(const Tie&) = delete;
  Tie& operator=(const Tie&) = delete;
  /// Collective over each companion. All ranks of the inter-communicator free it together.
  ~Tie();

  Rank own_size() const { return own_size_; }
  Rank other_size() const { return other_size_; }
  bool is_first() const { return is_first_; }  // is this rank's group the first of the two?
  Rank ranks() const { return own_size_ + other_size_; }
  Rank first_size() const { return is_first_ ? own_size_ : other_size_; }
  /// The rank, among both groups', of that rank of the own group or of the other.
  Rank number_of_own(Rank rank) const { return is_first_ ? rank : other_size_ + rank; }
  Rank number_of_other(Rank rank) const { return is_first_ ? own_size_ + rank : rank; }

  /// The companion of both groups. The first call is collective over them. Throws MpiError.
  const Companion& of_all();

  /// The companion of `root` of the other group and of this rank's group; or, on the root, of itself and the
  /// other group. The first call for each root is collective over these. Throws MpiError.
  const Companion& of_remote_root(Rank root);
  const Companion& of_own_root();

 private:
  const Companion& of_root(Rank root, bool is_own);
  Companion made_for(const std::vector<Rank>& world_ranks) const;

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

/// The tie of an inter-communicator, kept with it as an attribute. Local. Throws MpiError, std::bad_alloc.
Tie& tie_of(MPI_Comm comm);

}  // namespace rota::mpi
