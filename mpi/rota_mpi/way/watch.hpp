// What is remembered of a communicator's all-to-many calls: how large they were, and the plans made for them.
//
// In MPI_Alltoallv and MPI_Alltoallw a rank knows its own row of the pattern and its own column, and all ranks must decide
// alike. To look at the whole takes a reduction, which small calls must not pay each time:
//
//   calls    small  .  small  .  .  small  .  .  .  .  small  ...  LARGE  LARGE  LARGE  small  .  small
//            look      look         look               look        look   look   look   look      look
//
// After each look that leaves a call to the MPI library, the next 1, 2, 4, ... 64 calls are left to it without a look; a look
// that finds a call for Rota begins anew. The calls of a communicator are the same on all its ranks, and so are these counts.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rota_mpi/decide/choose_part.hpp"
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

/// Calls of one pattern, as this rank sees it, and what becomes of them.
struct Remembered {
  Sight sight;
  Plan plan;
};

class Watch {
 public:
  static constexpr std::size_t places = 8;

  /// Is this call, one more of the communicator's, to be left to the MPI library without a look?
  bool skips();

  /// A look has left the call to the MPI library, or has not.
  void found_native();
  void found_served() { next_skips_ = 1; }

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
  static constexpr int most_skips = 64;

  int skips_left_ = 0;
  int next_skips_ = 1;
  std::size_t oldest_ = 0;
};

/// The watch over an intra-communicator, begun anew when the settings have been replaced. Local: no messages.
/// Throws MpiError, std::bad_alloc.
Watch& watch_over(MPI_Comm comm);

}  // namespace rota::mpi
