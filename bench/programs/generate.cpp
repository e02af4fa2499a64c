#include "generate.hpp"

#include <algorithm>
#include <numeric>

#include "../check/random.hpp"
#include "model.hpp"

namespace rota::programs {

namespace {

using check::Random;

/// Steps of one theme, of which one is drawn, and how often beside the others.
struct Theme {
  int weight;
  Action first;
  Action last;
};

constexpr std::array<Theme, 11> themes{{{5, Action::dup, Action::session},
                                        {3, Action::session_end, Action::disconnect},
                                        {12, Action::bcast, Action::neighbor_alltoallw},
                                        {16, Action::ibcast, Action::ineighbor_alltoallw},
                                        {10, Action::bcast_init, Action::exchange_init},
                                        {2, Action::barrier, Action::gather},
                                        {5, Action::ibarrier, Action::iprobe},
                                        {10, Action::start, Action::start},
                                        {6, Action::poke, Action::wait},
                                        {1, Action::release, Action::release},
                                        {3, Action::set_attribute, Action::error}}};

Action drawn_action(Random& random) {
  constexpr int total = std::accumulate(themes.begin(), themes.end(), 0,
                                        [](int sum, const Theme& theme) { return sum + theme.weight; });
  std::int64_t drawn = random.below(total);
  const auto* theme = themes.begin();
  for (; drawn >= theme->weight; ++theme) drawn -= theme->weight;
  return static_cast<Action>(random.between(static_cast<int>(theme->first), static_cast<int>(theme->last)));
}

int drawn(Random& random, int limit) { return static_cast<int>(random.below(limit)); }

/// Zero more often than not.
int rarely(Random& random, int limit) { return random.once_in(3) ? drawn(random, limit) : 0; }

/// Mostly few units, so that programs are quick; sometimes more than what default thresholds leave to the MPI
/// library.
int drawn_count(Random& random) {
  if (random.once_in(8)) return drawn(random, 2);
  if (random.once_in(200)) return 2000 + drawn(random, 4000);
  return random.once_in(4) ? drawn(random, 400) : drawn(random, 60);
}

/// Of the slots of communicators, one in use, as the world's always is; the newest more often.
int drawn_comm(Random& random, const Model& model) {
  std::vector<int> used{0};
  for (int slot = 1; slot < comm_slots; ++slot) {
    if (model.at(slot)) used.push_back(slot);
  }
  return random.once_in(3)
             ? used.back()
             : used[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(used.size())))];
}

int free_slot(const Model& model) {
  int slot = 1;
  while (slot < comm_slots - 1 && model.at(slot)) ++slot;
  return slot;
}

bool is_about_slots(Action action) { return action >= Action::start && action <= Action::release; }

/// Where something is outstanding, or where nothing is.
int drawn_request(Random& random, const Model& model, Action action) {
  const int slot = drawn(random, request_slots);
  for (int i = 0; i < request_slots; ++i) {
    const int other = (slot + i) % request_slots;
    if (model.held.contains(other) == is_about_slots(action)) return other;
  }
  return slot;
}

bool takes_items(Action action) {
  return is_collective(action) || action == Action::exchange_init ||
         (action >= Action::gather && action <= Action::exchange);
}

bool has_request(Action action) {
  return action >= Action::ibcast && action <= Action::release && action != Action::barrier &&
         action != Action::gather && action != Action::iprobe;
}

/// A step that may not apply. What it does not use stays at its simplest, so that texts are short.
Step drawn_step(Random& random, const Model& model) {
  Step step{.action = drawn_action(random)};
  step.comm = drawn_comm(random, model);
  step.way = drawn(random, 8);
  step.data = drawn(random, 1000);
  if (step.action <= Action::session) step.made = free_slot(model);
  if (step.action == Action::session_end) step.made = drawn(random, comm_slots);
  if (takes_items(step.action)) step.count = drawn_count(random);
  if (takes_items(step.action)) step.root = drawn(random, model.ranks);
  if (has_request(step.action)) step.request = drawn_request(random, model, step.action);
  if (is_about_slots(step.action)) step.span = drawn(random, request_slots);
  if (has_request(step.action)) step.own = drawn(random, 2);
  if (!is_collective(step.action)) return step;
  step.type = drawn(random, 8);
  step.op = drawn(random, 4);
  step.shape = rarely(random, 8);
  step.other = rarely(random, 8);
  step.pattern = drawn(random, 5);
  step.displs = drawn(random, 4);
  step.in_place = rarely(random, 2);
  step.odd = rarely(random, 8);
  step.at = step.odd != 0 ? drawn(random, model.ranks) : 0;
  step.large = rarely(random, 2);
  return step;
}

Steps drawn_steps(Random& random, int ranks, int most, const Library& library) {
  Model model(ranks, library);
  Steps steps;
  const std::int64_t length = random.between(2, most);
  for (std::int64_t tries = 0; tries < 4 * length && static_cast<std::int64_t>(steps.size()) < length;
       ++tries) {
    const Step step = drawn_step(random, model);
    if (!applies(model, step)) continue;
    model = after(std::move(model), step);
    steps.push_back(step);
  }
  // What is left is completed by any form.
  steps.push_back({.action = Action::wait,
                   .way = drawn(random, 8),
                   .span = request_slots - 1,
                   .own = drawn(random, 2),
                   .data = drawn(random, 1000)});
  return steps;
}

}  // namespace

Program generated(std::uint64_t seed, std::int64_t number, int ranks, bool is_multiple,
                  const Library& library) {
  constexpr int most_steps = 24;
  Random random = check::random_of(seed, static_cast<std::uint64_t>(number));
  Program program{.is_multiple = is_multiple, .threads = {}};
  const std::int64_t threads = is_multiple ? random.between(1, 3) : 1;
  // Open MPI 5.0.11 hangs where a thread begins a session beside others that communicate.
  Library its_library = library;
  its_library.has_sessions = library.has_sessions && (!library.is_open_mpi || threads == 1);
  for (std::int64_t i = 0; i < threads; ++i) {
    program.threads.push_back(
        drawn_steps(random, ranks, threads > 1 ? most_steps / 2 : most_steps, its_library));
  }
  return program;
}

}  // namespace rota::programs
