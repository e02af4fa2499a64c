// The way of a call between two groups: look at it, choose, play a schedule or pass the call on, take note.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

/// A call between two groups on a rank that takes part in it, as all those see it.
struct InterCall {
  Call call;

  std::vector<Data> touched;  // by this rank, as in Operation

  /// The companion of those who take part.
  std::function<Companion&()> companion;
  /// Plays the schedule.
  std::function<void(const Schedule&, const Companion&)> play;
};

/// Serves it by a schedule or natively, and takes note of it. Its channel is opened where it is not. Throws
/// MpiError, std::bad_alloc.
int serve_between(const InterCall& inter, NativeCall native);

/// Passes on a call that is not Rota's, noting why. Of `collective` with so many ranks and bytes.
int pass_on_between(const Call& call, const char* reason, NativeCall native);

/// Is this less than any schedule between groups would serve? All who know the amount of data say the same.
bool is_small_between(Collective collective, std::int64_t bytes);

/// An allgather's problem: every rank of a group has shares[i] bytes for the other.
Call inter_allgather_call(const Tie& tie, std::span<const std::int64_t> own_shares,
                          std::span<const std::int64_t> other_shares);

/// A broadcast or reduction between a root and the other group, on a rank that takes part: `root` is MPI_ROOT
/// on the root itself.
struct RootedCall {
  MPI_Comm comm;
  Place place;
  Collective collective;
  int root;
  std::int64_t bytes;
  std::int64_t most_blocks;
  std::vector<Data> touched;
  bool in_order = false;
};

/// Serves it, among the root as rank 0 and the other group; `play` plays a schedule on this rank.
int serve_rooted_between(const RootedCall& call, NativeCall native,
                         const std::function<void(const Schedule&, const Companion&)>& play);

}  // namespace rota::mpi
