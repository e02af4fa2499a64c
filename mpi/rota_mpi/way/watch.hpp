// What is remembered of a communicator's all-to-many calls: which are looked at, and the plans made for them.
#pragma once

#include <array>
#include <memory>
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
};

class Watch {
 public:
  static constexpr std::size_t places = 8;

  /// At irregular calls.
  Looks looks;

  /// What is remembered, at the same places on all ranks.
  std::array<std::unique_ptr<Remembered>, places> remembered;
  /// In place of the oldest.
  const Plan& remember(std::unique_ptr<Remembered> what);

  /// Of the latest regular call (MPI_Alltoall) that a schedule served.
  Plan regular;
  std::int64_t regular_bytes = 0;  // of a message; 0: there was none

  /// Why all calls are native; nullptr: they are not.
  const char* always_native = nullptr;

  std::int64_t settings = 0;  // under which all this was found

 private:
  std::size_t oldest_ = 0;
};

/// The watch over an intra-communicator, begun anew when the settings have been replaced. Local: no messages.
/// Throws MpiError, std::bad_alloc.
Watch& watch_over(MPI_Comm comm);

}  // namespace rota::mpi
