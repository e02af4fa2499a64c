// The communicators that cases run on, by name.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rota::check {

/// world: all ranks; reversed: in the opposite order; rotated: rank 1 first and 0 last; halves: the even
/// ranks and the odd ones, each on their own; upper: all but rank 0; single: every rank alone. Between two
/// groups: from_one: rank 0 and the others; uneven: about a third and the rest; none on a single rank.
constexpr std::array<std::string_view, 8> communicator_names{"world", "reversed", "rotated",  "halves",
                                                             "upper", "single",   "from_one", "uneven"};

/// Is it the name of one between two groups?
bool is_between(std::string_view name);

/// Makes all of them, once; faults in their collectives are returned as codes.
class Communicators {
 public:
  Communicators();
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  /// MPI_COMM_NULL on ranks outside.
  MPI_Comm get(const std::string& name) const;

 private:
  std::array<MPI_Comm, communicator_names.size()> comms_{};
};

/// Two communicators with the ranks of one, the second in the opposite order; new, and freed with this
/// object.
class Twins {
 public:
  explicit Twins(MPI_Comm comm);
  ~Twins();
  Twins(const Twins&) = delete;
  Twins& operator=(const Twins&) = delete;

  const std::array<MPI_Comm, 2>& both() const { return comms_; }

 private:
  std::array<MPI_Comm, 2> comms_{MPI_COMM_NULL, MPI_COMM_NULL};
};

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Does it lie between two groups? Then: how many ranks the other group has.
bool is_inter(MPI_Comm comm);
int remote_size_of(MPI_Comm comm);

}  // namespace rota::check
