#include "model.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "messages.hpp"

namespace rota::programs {

namespace {

bool makes(Action action) { return action <= Action::merge; }

bool frees(Action action) { return action == Action::free || action == Action::disconnect; }

bool is_neighborly(Action action) {
  return blocking(action) >= Action::neighbor_alltoall && blocking(action) <= Action::neighbor_alltoallw;
}

/// Does it occupy a slot of requests?
bool begins(Action action) {
  return action == Action::ibarrier || action == Action::exchange || action == Action::exchange_init ||
         (is_collective(action) && form_of(action) != Form::blocking);
}

/// Is it about all requests of some slots?
bool is_about_slots(Action action) { return action >= Action::start && action <= Action::release; }

/// May it be called between two groups, among those that take any communicator at all?
bool goes_between(Action action) {
  switch (blocking(action)) {
    case Action::dup:
    case Action::idup:
    case Action::merge:
    case Action::bcast:
    case Action::reduce:
    case Action::allreduce:
    case Action::allgather:
    case Action::allgatherv:
    case Action::barrier:
    case Action::ibarrier:
    case Action::exchange:
    case Action::exchange_init:
    case Action::iprobe:
    case Action::set_attribute:
    case Action::get_attribute:
    case Action::delete_attribute:
    case Action::set_handler:
    case Action::error:
      return true;
    default:
      return frees(action);
  }
}

/// Ranks that take messages from anyone must have no others under way.
bool is_alone(const Model& model, const Step& step) {
  const auto meets = [&](const auto& entry) {
    const Held& other = entry.second;
    return other.is_active && is_message(other.begun.action) && other.begun.comm == step.comm;
  };
  return std::ranges::none_of(model.held, meets);
}

/// Open MPI 5.0.11 hangs in what makes a communicator by messages where a receive of any message is
/// outstanding.
bool needs_quiet(Action action) {
  switch (action) {
    case Action::exchange:
    case Action::iprobe:
    case Action::create_group:
    case Action::intercomm:
    case Action::merge:
      return true;
    default:
      return false;
  }
}

/// May the step do what it does with what is in a slot?
bool is_meant(const Model& model, Action action, const Held& held) {
  switch (action) {
    case Action::start:
      return is_persistent(held.begun.action) && !held.is_active && !held.is_on_freed_comm &&
             (!is_message(held.begun.action) || is_alone(model, held.begun));
    case Action::release:
      return is_persistent(held.begun.action) && !held.is_active;
    default:
      return held.is_active;
  }
}

bool is_inter(const Family& family) { return !family.comms.empty() && family.comms[0].is_inter(); }

bool has_topology(const Family& family) {
  return !family.comms.empty() && !family.comms[0].neighbors.empty();
}

/// Is some rank another's neighbour twice, as in a ring of two?
bool has_double_neighbors(const Family& family) {
  const auto is_double = [](std::vector<int> ranks) {
    std::erase(ranks, Neighbors::nobody);
    std::ranges::sort(ranks);
    return std::ranges::adjacent_find(ranks) != ranks.end();
  };
  return std::ranges::any_of(family.comms, [&](const Comm& comm) {
    return std::ranges::any_of(comm.neighbors,
                               [&](const Neighbors& each) { return is_double(each.destinations); });
  });
}

/// Open MPI 5.0.11 exchanges two messages of the same two ranks on a grid, but where a call blocks.
bool swaps_messages(const Model& model, const Step& step, const Family& family) {
  return model.library.is_open_mpi && is_neighborly(step.action) && step.action != blocking(step.action) &&
         has_double_neighbors(family);
}

bool makes_topology(Action action) {
  return action == Action::cart || action == Action::graph || action == Action::dist_graph;
}

bool applies_to(const Model& model, const Step& step, const Family& family) {
  if (is_inter(family) ? !goes_between(step.action) : step.action == Action::merge) return false;
  if (is_neighborly(step.action) && !has_topology(family)) return false;
  if (swaps_messages(model, step, family)) return false;
  if (makes(step.action) && (step.made == 0 || model.at(step.made))) return false;
  // Open MPI 5.0.11 takes a topology made of another for both.
  if (makes_topology(step.action) && has_topology(family) && model.library.is_open_mpi) return false;
  if (frees(step.action) && step.comm == 0) return false;
  if (!model.library.has_persistent && is_collective(step.action) && is_persistent(step.action)) return false;
  if (begins(step.action) && model.held.contains(step.request)) return false;
  return !needs_quiet(step.action) || is_alone(model, step);
}

}  // namespace

bool is_persistent(Action action) {
  return action == Action::exchange_init || (is_collective(action) && form_of(action) == Form::set_up);
}

Model::Model(int ranks_there, const Library& library_there) : ranks(ranks_there), library(library_there) {
  Comm world;
  world.members.resize(static_cast<std::size_t>(ranks));
  std::iota(world.members.begin(), world.members.end(), 0);
  families[0] = Family{.comms = {world}};
}

const Family& Model::family(int slot) const {
  const auto& found = at(slot);
  if (!found) throw std::logic_error("no communicator is in the slot");
  return *found;
}

std::optional<View> Model::view(int slot, int world_rank) const {
  const auto& family = at(slot);
  if (!family) return {};
  for (const Comm& comm : family->comms) {
    for (const bool is_first : {true, false}) {
      const Members& group = is_first ? comm.members : comm.others;
      const auto found = std::ranges::find(group, world_rank);
      if (found != group.end()) return View{&comm, is_first, static_cast<int>(found - group.begin())};
    }
  }
  return {};
}

bool applies(const Model& model, const Step& step) {
  if (is_about_slots(step.action)) return !slots_of(model, step).empty();
  if (step.action == Action::session)
    return model.library.has_sessions && step.made != 0 && !model.at(step.made);
  const auto& family = model.at(step.action == Action::session_end ? step.made : step.comm);
  if (!family) return false;
  return step.action == Action::session_end ? family->is_root_of_session : applies_to(model, step, *family);
}

namespace {

/// The family that a step makes of an old one.
Family made_family(const Step& step, const Family& old) {
  Family family{.comms = {}, .session = old.session};
  for (const Comm& comm : old.comms) std::ranges::move(made_of(step, comm), std::back_inserter(family.comms));
  if (step.action == Action::dup || step.action == Action::idup) {
    // Keyvals 1 and 2 have their attributes copied.
    family.has_attribute = {false, old.has_attribute[1], old.has_attribute[2], false};
  }
  return family;
}

/// What began a session is remembered until the session ends.
void free_comm(Model& model, const Step& step) {
  for (auto& [slot, held] : model.held) held.is_on_freed_comm |= held.begun.comm == step.comm;
  auto& family = model.families[static_cast<std::size_t>(step.comm)];
  if (family && family->is_root_of_session) {
    family->comms.clear();
  } else {
    family.reset();
  }
}

void change_held(Model& model, const Step& step) {
  for (const int slot : slots_of(model, step)) {
    Held& held = model.held.at(slot);
    held.is_poked = step.action == Action::poke;
    if (step.action != Action::poke) held.is_active = step.action == Action::start;
    if (step.action == Action::release || (step.action == Action::wait && !is_persistent(held.begun.action)))
      model.held.erase(slot);
  }
}

}  // namespace

Model after(Model model, const Step& step) {
  if (makes(step.action)) {
    model.families[static_cast<std::size_t>(step.made)] = made_family(step, model.family(step.comm));
  } else if (step.action == Action::session) {
    Family family = Model(model.ranks, model.library).family(0);
    family.session = step.made;
    family.is_root_of_session = true;
    model.families[static_cast<std::size_t>(step.made)] = std::move(family);
  } else if (step.action == Action::session_end) {
    for (auto& family : model.families) {
      if (family && family->session == step.made) family.reset();
    }
  } else if (frees(step.action)) {
    free_comm(model, step);
  } else if (begins(step.action)) {
    model.held[step.request] = {.begun = step, .is_active = !is_persistent(step.action)};
  } else if (is_about_slots(step.action)) {
    change_held(model, step);
  } else if (step.action == Action::set_attribute || step.action == Action::delete_attribute) {
    if (auto& family = model.families[static_cast<std::size_t>(step.comm)]) {
      family->has_attribute[static_cast<std::size_t>(step.way % keyval_slots)] =
          step.action == Action::set_attribute;
    }
  }
  return model;
}

std::vector<int> slots_of(const Model& model, const Step& step) {
  std::vector<int> slots;
  for (int i = 0; i <= step.span; ++i) {
    const int slot = (step.request + i) % request_slots;
    const auto found = model.held.find(slot);
    if (found != model.held.end() && is_meant(model, step.action, found->second)) slots.push_back(slot);
  }
  return slots;
}

namespace {

/// Collectives go on when their communicator is freed.
bool is_left_outstanding(const Model& model, const Step& step, const Held& held) {
  return step.action == Action::free && step.way % 2 == 1 && held.is_active &&
         is_collective(held.begun.action) && model.family(step.comm).session == 0;
}

}  // namespace

std::vector<Step> steps_before(const Model& model, const Step& step) {
  std::vector<Step> steps;
  if (!frees(step.action) && step.action != Action::session_end) return steps;
  for (const auto& [slot, held] : model.held) {
    const bool ends =
        !held.is_on_freed_comm && (frees(step.action) ? held.begun.comm == step.comm
                                                      : model.family(held.begun.comm).session == step.made);
    if (!ends || is_left_outstanding(model, step, held)) continue;
    if (held.is_active) steps.push_back({.action = Action::wait, .request = slot});
    if (is_persistent(held.begun.action)) steps.push_back({.action = Action::release, .request = slot});
  }
  return steps;
}

std::vector<Step> closing_steps(const Model& model) {
  std::vector<Step> steps;
  for (const auto& [slot, held] : model.held) {
    if (held.is_active) steps.push_back({.action = Action::wait, .request = slot});
    if (is_persistent(held.begun.action)) steps.push_back({.action = Action::release, .request = slot});
  }
  std::vector<Step> sessions;
  for (int slot = 1; slot < comm_slots; ++slot) {
    const auto& family = model.at(slot);
    if (!family) continue;
    if (family->is_root_of_session) sessions.push_back({.action = Action::session_end, .made = slot});
    if (family->session == 0) steps.push_back({.action = Action::free, .comm = slot});
  }
  steps.insert(steps.end(), sessions.begin(), sessions.end());
  return steps;
}

}  // namespace rota::programs
