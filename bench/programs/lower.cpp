#include "lower.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "../check/random.hpp"
#include "odd.hpp"
#include "scene.hpp"

namespace rota::programs {

namespace {

void write_in(Scene& scene, const Step& step, const View& view) {
  if (is_collective(step.action)) {
    return form_of(step.action) == Form::blocking ? write_blocking(scene, step, view)
                                                  : write_begun(scene, step, view);
  }
  switch (step.action) {
    case Action::set_attribute:
    case Action::get_attribute:
    case Action::delete_attribute:
      return write_attributes(scene, step);
    case Action::set_handler:
    case Action::error:
      return write_handlers(scene, step, view);
    default:
      return write_messages(scene, step, view);
  }
}

void write(Scene& scene, const Step& step) {
  switch (step.action) {
    case Action::start:
      return write_start(scene, step);
    case Action::poke:
      return write_poke(scene, step);
    case Action::wait:
      return write_wait(scene, step);
    case Action::release:
      return write_release(scene, step);
    default:
      if (step.action <= Action::disconnect) return write_communicators(scene, step);
      if (const auto view = scene.view(step.comm)) write_in(scene, step, *view);
  }
}

/// The calls since the last time.
std::vector<Call> cut(Scene& scene) {
  scene.script.free_what_was_made();
  return std::exchange(scene.script.calls, {});
}

/// Open MPI 5.0.11 chooses an allgatherv's algorithm by the sender's type: ranks with different ones hang.
bool chooses_by_type(const Step& step, const Library& library) {
  const Odd odd = odd_of(step);
  return library.is_open_mpi && blocking(step.action) == Action::allgatherv && odd != Odd::no &&
         odd != Odd::same;
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

/// Open MPI 5.0.11 frees types and operators while persistent collectives need them.
Step without_types(Step step) {
  step.type = step.type % static_cast<int>(elements.size() - 1);
  step.shape = step.other = step.odd = 0;
  return step;
}

/// Open MPI 5.0.11's alltoallw in place comes to other data than its own blocking form, where it does not
/// block.
bool spoils_data(const Step& step, const Library& library) {
  return library.is_open_mpi && step.action != Action::alltoallw &&
         blocking(step.action) == Action::alltoallw;
}

Step without_faults(Step step, const Model& model) {
  if (spoils_data(step, model.library)) step.in_place = 0;
  if (model.library.is_open_mpi && is_collective(step.action) && is_persistent(step.action))
    step = without_types(step);
  if (chooses_by_type(step, model.library) || leaves_a_message(step, model)) step.odd = 0;
  return step;
}

/// Those that apply, with what must be done before them, and what ends all: the same on all ranks.
Steps applying(const Steps& steps, Model model) {
  Steps all;
  const auto add = [&](const Step& step) {
    all.push_back(step);
    model = after(std::move(model), step);
  };
  const auto add_with_those_before = [&](const Step& step) {
    if (!applies(model, step)) return;
    std::ranges::for_each(steps_before(model, step), add);
    add(step);
  };
  for (const Step& step : steps) add_with_those_before(without_faults(step, model));
  for (const Step& step : closing_steps(model)) add_with_those_before(step);
  return all;
}

/// Does a rank begin it in an order of its own, as to those before and behind it on other communicators?
bool is_in_own_order(const Step& step) {
  return step.own != 0 && is_collective(step.action) && form_of(step.action) == Form::started;
}

/// The first of a communicator's, again and again.
Steps shuffled(std::span<const Step> steps, int rank) {
  std::map<int, std::deque<Step>> by_comm;
  for (const Step& step : steps) by_comm[step.comm].push_back(step);
  check::Random random =
      check::random_of(static_cast<std::uint64_t>(steps.front().data), static_cast<std::uint64_t>(rank));
  Steps result;
  while (!by_comm.empty()) {
    const auto chosen = std::next(by_comm.begin(), random.below(std::ssize(by_comm)));
    result.push_back(chosen->second.front());
    chosen->second.pop_front();
    if (chosen->second.empty()) by_comm.erase(chosen);
  }
  return result;
}

Steps in_order_of(int rank, const Steps& steps) {
  Steps result;
  for (auto first = steps.begin(); first != steps.end();) {
    auto last = std::find_if_not(first, steps.end(), is_in_own_order);
    if (last == first) {
      result.push_back(*first++);
    } else {
      std::ranges::copy(shuffled({first, last}, rank), std::back_inserter(result));
      first = last;
    }
  }
  return result;
}

}  // namespace

Collective collective_of(Scene& scene, const Step& step, const View& view) {
  const Step plain = blocking(step);
  switch (plain.action) {
    case Action::bcast:
    case Action::allgather:
    case Action::allgatherv:
      return moved(scene, plain, view);
    case Action::reduce:
    case Action::allreduce:
    case Action::reduce_scatter:
    case Action::reduce_scatter_block:
    case Action::scan:
    case Action::exscan:
      return combined(scene, plain, view);
    default:
      return exchanged(scene, plain, view);
  }
}

Lowered lowered(const Steps& steps, const Place& place, const Library& library) {
  Scene scene{place, library, Model(place.ranks, library), {}, {}};
  Lowered result;
  write_prologue(scene, steps);
  result.steps.push_back(cut(scene));
  for (const Step& step : in_order_of(place.rank, applying(steps, scene.model))) {
    scene.script.begin_step();
    write(scene, step);
    scene.model = after(std::move(scene.model), step);
    result.steps.push_back(cut(scene));
  }
  write_epilogue(scene, steps);
  result.steps.push_back(cut(scene));
  result.memory = scene.script.taken();
  return result;
}

}  // namespace rota::programs
