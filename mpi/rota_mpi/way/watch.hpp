// What is remembered of a communicator's all-to-many calls: which are looked at, and the plans made for them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "rota_mpi/decide/choose_part.hpp"
#include "rota_mpi/decide/looks.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// A rank's messages: to whom, or from whom, in increasing order, and of how many bytes. None to itself.
using Row = std::vector<Shipment>;

/// What a rank knows of a call's pattern.
struct Sight {
  Row sent;
  Row received;
};

bool operator==(const Sight& left, const Sight& right);

/// What the rank sends, or what it receives, whichever is more.
std::int64_t port_bytes_of(const Sight& sight);

/// Calls of one pattern, as this rank sees it, and what becomes of them.
struct Remembered {
  Sight sight;
  Plan plan;
  Pieces pieces;  // that its messages are cut in
};

/// The latest of them, at the same places on all ranks. Read and changed by irregular calls in their turn
/// only: where calls have returned at once, others wait for these first, so all ranks do so in the same
/// order.
class Patterns {
 public:
  static constexpr std::size_t places = 8;

  /// What is there, if it is for calls of which this rank sees that.
  const Remembered* known(std::size_t place, const Sight& sight) const;

  /// In place of the oldest.
  const Plan& remember(std::unique_ptr<Remembered> what);
  /// In place of what is there.
  const Plan& remember(std::unique_ptr<Remembered> what, std::size_t place);

 private:
  std::array<std::unique_ptr<Remembered>, places> remembered_;
  std::size_t oldest_ = 0;
};

class Watch {
 public:
  /// At irregular calls.
  Looks looks;

  /// Shared with what is under way.
  std::shared_ptr<Patterns> patterns = std::make_shared<Patterns>();

  /// What passed the busiest port in the irregular call that all ranks have looked at last; 0: a schedule
  /// would not have served it.
  std::int64_t latest_bytes = 0;

  /// Of the latest regular call (MPI_Alltoall) that a schedule served.
  Plan regular;
  std::int64_t regular_bytes = 0;  // of a message; 0: there was none
  Pieces regular_pieces;           // that it was cut in

  /// The latest allgatherv between groups of which all ranks came to know the shares: by them calls that
  /// return at once are decided on. None: the latest that blocked was not worth that.
  std::optional<Call> latest_between;

  /// Why all calls are native; nullptr: they are not.
  const char* always_native = nullptr;

  std::int64_t settings = 0;  // under which all this was found
};

/// The watch over an intra-communicator, begun anew when the settings have been replaced. Local: no messages.
/// Throws MpiError, std::bad_alloc.
Watch& watch_over(MPI_Comm comm);

}  // namespace rota::mpi
