// How all ranks of an irregular all-to-many call come to the same plan.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "rota_mpi/communicators/kind.hpp"
#include "rota_mpi/way/watch.hpp"

namespace rota::mpi {

/// What all ranks know of a call after one reduction.
struct Agreed {
  std::int64_t port_bytes = 0;  // the most that one rank sends, or receives,
  std::int64_t degree = 0;      // in so many messages
  const char* reason =
      nullptr;  // why the call is native because of some rank's arguments; nullptr: it is not
  const Remembered* remembered = nullptr;  // the plan for its pattern, if all ranks remember the same one,
  std::size_t place = 0;                   // and where
  std::int64_t least_skips = 0;            // the least that a rank would leave alone
};

/// What a rank's own arguments say against a schedule.
enum class Objection : std::uint8_t { none, odd_arguments, on_device };

/// If it is in vain, this rank would leave so many calls alone (decide/looks.hpp). Collective over `comm`,
/// with a single reduction of a few numbers. Throws MpiError.
Agreed look_at(const Sight& sight, Objection mine, std::int64_t skips, const Patterns& patterns,
               MPI_Comm comm);

/// What a plan depends on besides the pattern, the same on all ranks.
struct Terms {
  std::shared_ptr<const Hosts> hosts;
  Pieces pieces;
};

/// What a rank says of a plan in the making; the least of what all say counts. `too_many`: MPI cannot count
/// all ranks' messages.
enum class Verdict : std::uint8_t { disagrees, too_many, has_no_memory, agrees };

/// What `attempt` says, if it has the memory to say anything.
template <class Attempt>
Verdict with_memory(const Attempt& attempt) {
  try {
    return attempt();
  } catch (const std::bad_alloc&) {
    return Verdict::has_no_memory;
  }
}

/// A plan that this rank has made, or why it has none.
struct MadePlan {
  std::unique_ptr<Remembered> made;
  Verdict verdict = Verdict::agrees;
};

/// From the rows of all ranks: whoever expects other bytes than are sent to it disagrees. Local.
MadePlan plan_from(const std::vector<Shipment>& rows, const Sight& sight, const Place& place,
                   const Terms& terms);

/// A plan that all ranks have made, or why none has: the same on all of them.
struct AgreedPlan {
  std::unique_ptr<Remembered> made;
  const char* fault = nullptr;
};

/// A plan for a pattern of which each rank knows its own messages. There is none if some rank expects to
/// receive other bytes than are sent to it, if some rank has no memory for it, or if MPI cannot count the
/// messages. Collective over `comm`: one allgather each of row lengths and of rows, never n x n, and
/// two reductions of one number. Throws MpiError; std::bad_alloc where there is not even room for a number a
/// rank.
AgreedPlan agreed_plan(const Sight& sight, MPI_Comm comm, const Place& place, const Terms& terms);

}  // namespace rota::mpi
