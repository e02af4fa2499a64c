// A case on one rank: its buffers, what they hold before the call, and what each of their bytes is for.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "case.hpp"
#include "elements.hpp"
#include "operators.hpp"
#include "shapes.hpp"
#include "slots.hpp"

namespace rota::check {

/// How the counts of the ranks differ, for calls that take all of them. equal: all `count`; mod3: `count`
/// times rank mod 3; random: up to twice as many; sparse: about half of the ranks have none; one: a single
/// rank has any. Of all-to-many calls, so it is with messages (in place, as many both ways); mod3: by the sum
/// of the two ranks; one: a single rank sends any.
constexpr std::array<std::string_view, 5> counts_names{"equal", "mod3", "random", "sparse", "one"};

/// Where the items of a rank lie in an allgatherv, alltoallv or alltoallw. packed: rank after rank; holes:
/// with gaps between them; permuted: the ranks in another order, and gaps; below: packed, all at negative
/// displacements.
constexpr std::array<std::string_view, 4> displs_names{"packed", "holes", "permuted", "below"};

/// The types of an alltoallw's messages. one: a side's layout; mixed: each message has any on either side.
constexpr std::array<std::string_view, 2> types_names{"one", "mixed"};

/// What a byte of a receive buffer is for. Results must agree; bytes outside must stay as they are; of
/// undefined ones MPI says nothing.
enum class Role : unsigned char { outside, result, undefined };

using Bytes = std::vector<unsigned char>;

/// One buffer: an arena with margins all around, and where in it the elements of its items are.
struct Buffer {
  std::int64_t items = 0;
  std::ptrdiff_t origin = 0;             // where the buffer's address is in the arena
  std::vector<std::ptrdiff_t> elements;  // the place of each element in the arena, in the order of the data
  std::vector<std::size_t> begins;       // the first element for or from each rank, and the end; or of all
  Bytes bytes;                           // before the call
  std::vector<Role> roles;               // of its bytes after the call
};

/// A datatype, freed with this object unless it is predefined.
class Datatype {
 public:
  Datatype(const Element& element, const Shape& shape);
  ~Datatype();
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  MPI_Datatype handle() const { return type_; }

 private:
  MPI_Datatype type_;
  bool is_made_;
};

/// Everything that the call is given. In a broadcast the root passes its send buffer and the others their
/// receive buffer.
struct Plan {
  Plan(const Case& what, MPI_Comm where, std::uint64_t data);

  /// Another rank's.
  Plan(const Case& what, MPI_Comm where, std::uint64_t data, int of_rank);

  Case c;
  MPI_Comm comm;
  std::uint64_t which_data;
  int ranks;
  int rank;
  int group;    // between two groups: 0 or 1, the one that this rank is in; elsewhere 0
  int senders;  // ranks whose data this one gets: all, or between two groups those of the other
  int root;     // as the call is given it
  const Element& element;
  Datatype send_type;
  Datatype receive_type;
  Operator op;
  std::vector<std::int64_t> counts;  // of all ranks, in items of the receiving side
  std::vector<std::int64_t> displs;
  Messages sent;        // of an all-to-many call, in place of counts and displs
  Messages received;    // likewise
  bool sends_in_place;  // this rank passes MPI_IN_PLACE
  Buffer send;
  Buffer receive;
};

/// A run of elements of a buffer.
struct Run {
  std::size_t first;
  std::size_t end;
};

/// What the rank contributes: elements of its send buffer, or in place of its receive buffer.
Run contribution_of(const Plan& plan);

/// Which elements of all that is combined are this rank's result.
Run shares_of(const Plan& plan);

/// Throws BadCase if a name in the case is none, or if they do not go together.
void require_valid(const Case& c);

}  // namespace rota::check
