// What every rank knows of the communicators of a thread without asking MPI: who is in them, in which order, and beside whom.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "membership.hpp"
#include "program.hpp"

namespace rota::programs {

/// What the MPI library has, and whose faults: those that are known are kept out of programs.
struct Library {
  bool has_large_counts = false;
  bool has_sessions = true;
  bool has_persistent = true;  // collectives
  bool is_open_mpi = false;
};

/// What one call makes on all ranks: communicators that have no rank in common.
struct Family {
  std::vector<Comm> comms;
  int session = 0;                  // the slot of the session that it comes from; 0: of none
  bool is_root_of_session = false;  // made by the step `session`
  std::array<bool, keyval_slots> has_attribute{};
};

/// The communicator of a family that a rank is in, as that rank sees it.
struct View {
  const Comm* comm;
  bool is_first;  // between two groups: in the first of them
  int rank;       // in its group

  const Members& own() const { return is_first ? comm->members : comm->others; }
  const Members& remote() const { return is_first ? comm->others : comm->members; }
  int size() const { return static_cast<int>(own().size()); }
  bool is_inter() const { return comm->is_inter(); }
  /// How many ranks' data this one gets.
  int senders() const { return is_inter() ? static_cast<int>(remote().size()) : size(); }
};

/// What a slot of requests is occupied by.
struct Held {
  Step begun;                     // the step that occupied it
  bool is_active = true;          // not a persistent request that is not under way
  bool is_poked = false;          // it may be over, and MPI may have said so
  bool is_on_freed_comm = false;  // persistent, and not to be started again
};

/// Is it set up once and started often?
bool is_persistent(Action action);

struct Model {
  explicit Model(int ranks, const Library& library);

  int ranks;
  Library library;
  std::array<std::optional<Family>, comm_slots> families;
  std::map<int, Held> held;  // by request slot

  const std::optional<Family>& at(int slot) const { return families[static_cast<std::size_t>(slot)]; }
  /// Of a slot that is in use.
  const Family& family(int slot) const;
  std::optional<View> view(int slot, int world_rank) const;
};

/// Does the step do anything, on whichever rank? The same on all ranks.
bool applies(const Model& model, const Step& step);

/// The model after a step that applies.
Model after(Model model, const Step& step);

/// The slots that a step which is about several applies to, in order.
std::vector<int> slots_of(const Model& model, const Step& step);

/// What must be done before a step that frees communicators: requests on them are completed and released, but
/// for collectives that it leaves outstanding.
std::vector<Step> steps_before(const Model& model, const Step& step);

/// What completes and frees all that is left at the end of a thread: sessions last.
std::vector<Step> closing_steps(const Model& model);

}  // namespace rota::programs
