#include "lower.hpp"

#include <algorithm>
#include <utility>

#include "odd.hpp"
#include "scene.hpp"

namespace rota::programs {

namespace {

void write_collective(Scene& scene, const Step& step, const View& view) {
  switch (step.action) {
    case Action::bcast:
    case Action::allgather:
    case Action::allgatherv:
    case Action::gather:
      return write_moved(scene, step, view);
    case Action::reduce:
    case Action::allreduce:
    case Action::reduce_scatter:
    case Action::reduce_scatter_block:
    case Action::scan:
    case Action::exscan:
      return write_reduction(scene, step, view);
    default:
      return write_exchanged(scene, step, view);
  }
}

void write_in(Scene& scene, const Step& step, const View& view) {
  switch (step.action) {
    case Action::barrier:
    case Action::ibarrier:
    case Action::ibcast:
    case Action::iallreduce:
    case Action::exchange:
    case Action::iprobe:
      return write_started(scene, step, view);
    case Action::set_attribute:
    case Action::get_attribute:
    case Action::delete_attribute:
      return write_attributes(scene, step);
    case Action::set_handler:
    case Action::error:
      return write_handlers(scene, step, view);
    default:
      return write_collective(scene, step, view);
  }
}

void write(Scene& scene, const Step& step) {
  for (const int request : to_complete_before(scene.model, step)) {
    write_wait(scene, {.action = Action::wait, .request = request});
  }
  if (step.action <= Action::disconnect) return write_communicators(scene, step);
  if (step.action == Action::wait) return write_wait(scene, step);
  if (const auto view = scene.view(step.comm)) write_in(scene, step, *view);
}

/// The calls since the last time.
std::vector<Call> cut(Scene& scene) {
  scene.script.free_what_was_made();
  return std::exchange(scene.script.calls, {});
}

/// Open MPI 5.0.11 chooses an allgatherv's algorithm by the sender's type: ranks with different ones hang.
bool chooses_by_type(const Step& step, const Library& library) {
  const Odd odd = odd_of(step);
  return library.is_open_mpi && step.action == Action::allgatherv && odd != Odd::no && odd != Odd::same;
}

/// MPICH 5.0.2 sends items of an empty type to the other group, where who expects no items receives none: the
/// message stays, and a later inter-communicator of the same context gets it.
bool leaves_a_message(const Step& step, const Model& model) {
  const Odd odd = odd_of(step);
  const bool may_be_empty = odd == Odd::empty || odd == Odd::bottom || odd == Odd::whole;
  const auto& family = model.at(step.comm);
  return !model.library.is_open_mpi && may_be_empty && family.has_value() &&
         std::ranges::any_of(family->comms, &Comm::is_inter);
}

Step without_faults(Step step, const Model& model) {
  if (chooses_by_type(step, model.library) || leaves_a_message(step, model)) step.odd = 0;
  return step;
}

}  // namespace

Lowered lowered(const Steps& steps, const Place& place, const Library& library) {
  Scene scene{place, library, Model(place.ranks, library), {}, {}};
  Lowered result;
  write_prologue(scene, steps);
  result.steps.push_back(cut(scene));
  const auto add = [&](const Step& step) {
    if (!applies(scene.model, step)) return;
    scene.script.begin_step();
    write(scene, step);
    scene.model = after(std::move(scene.model), step);
    result.steps.push_back(cut(scene));
  };
  for (const Step& step : steps) add(without_faults(step, scene.model));
  for (const Step& step : closing_steps(scene.model)) add(step);
  write_epilogue(scene, steps);
  result.steps.push_back(cut(scene));
  result.memory = scene.script.taken();
  return result;
}

}  // namespace rota::programs
