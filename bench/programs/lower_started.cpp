// Collectives in whichever form: blocking, returning at once, or set up; and what is done with requests of whichever calls.
#include <algorithm>
#include <array>
#include <utility>

#include "../check/random.hpp"
#include "messages.hpp"
#include "scene.hpp"

namespace rota::programs {

namespace {

void write_given(Script& script, const Collective& collective, std::int64_t more) {
  for (Filling filling : collective.given) {
    filling.key += more;
    script.fill(filling);
  }
}

void write_seen(Script& script, const Collective& collective) {
  for (const Region region : collective.undefined) script.blank(region);
  for (const Region region : collective.seen) script.look(region);
}

void call(Scene& scene, const Step& step, std::vector<Argument> arguments) {
  const bool is_incomplete = form_of(step.action) != Form::blocking;
  scene.script.calls.push_back({name_of(step.action), std::move(arguments),
                                step.large != 0 && scene.library.has_large_counts, is_incomplete});
}

/// Numbers that are the same on all ranks, or other ones on each.
check::Random random_of(const Scene& scene, const Step& step) {
  const int rank = step.own != 0 ? scene.place.rank + 1 : 0;
  return check::random_of(static_cast<std::uint64_t>(step.data), static_cast<std::uint64_t>(rank));
}

/// Those of the model's slots in which this rank has begun something; in an order of its own if it has one.
std::vector<int> slots_here(const Scene& scene, const Step& step) {
  std::vector<int> slots = slots_of(scene.model, step);
  std::erase_if(slots, [&](int slot) { return !scene.begun.contains(slot); });
  if (step.own == 0) return slots;
  check::Random random = random_of(scene, step);
  for (std::size_t left = slots.size(); left > 1; --left) {
    std::swap(slots[left - 1],
              slots[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(left)))]);
  }
  return slots;
}

/// Requests of some slots, and of each whether its status is known: it receives a message, and was never
/// tested before.
struct Requests {
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> have_status;
};

Requests requests_of(const Scene& scene, const std::vector<int>& slots) {
  Requests requests;
  for (const int slot : slots) {
    const Begun& begun = scene.begun.at(slot);
    for (std::size_t i = 0; i < begun.places.size(); ++i) {
      const bool receives = static_cast<std::int64_t>(i) < begun.receives;
      requests.places.push_back(begun.places[i]);
      requests.have_status.push_back(receives && !scene.model.held.at(slot).is_poked ? 1 : 0);
    }
  }
  return requests;
}

/// 0: of none. On a communicator that was freed are left only those of none.
int session_of(const Scene& scene, int slot) {
  const Held& held = scene.model.held.at(slot);
  return held.is_on_freed_comm ? 0 : scene.model.family(held.begun.comm).session;
}

/// Requests of different sessions must not meet in one call (MPI 4.1, The Sessions Model).
bool are_of_sessions_apart(const Scene& scene, const std::vector<int>& slots) {
  return std::ranges::any_of(
      slots, [&](int slot) { return session_of(scene, slot) != session_of(scene, slots.front()); });
}

/// MPICH 5.0.2's MPI_Testall fails on persistent collectives. Forms begin with one that has each request in a
/// call of its own.
bool fails(const Scene& scene, std::string_view form, const std::vector<int>& slots) {
  const bool tests_all = form == "test_all" || form == "poke_all";
  return tests_all && !scene.library.is_open_mpi && std::ranges::any_of(slots, [&](int slot) {
           const Action begun = scene.model.held.at(slot).begun.action;
           return is_collective(begun) && is_persistent(begun);
         });
}

template <std::size_t count>
std::string_view drawn_form(const Scene& scene, const Step& step, const std::vector<int>& slots,
                            const std::array<std::string_view, count>& forms) {
  const std::int64_t more = step.own != 0 ? random_of(scene, step).below(std::int64_t{count}) : 0;
  const std::string_view form = forms.at(static_cast<std::size_t>(step.way + more) % count);
  return are_of_sessions_apart(scene, slots) || fails(scene, form, slots) ? forms.front() : form;
}

/// Open MPI 5.0.11 makes communicators by messages that a receive of any message takes: none may begin before
/// it is over.
void write_end_of_any(Scene& scene, const Step& begun) {
  if (!scene.library.is_open_mpi || !takes_any(begun)) return;
  scene.script.call("MPI_Barrier", {slot(Kind::comm, begun.comm)});
}

}  // namespace

void write_blocking(Scene& scene, const Step& step, const View& view) {
  const Collective collective = collective_of(scene, step, view);
  write_given(scene.script, collective, 0);
  call(scene, step, collective.arguments);
  write_seen(scene.script, collective);
}

void write_begun(Scene& scene, const Step& step, const View& view) {
  Collective collective = collective_of(scene, step, view);
  const std::int64_t place = first_request_of(step.request);
  std::vector<Argument> arguments = collective.arguments;
  if (form_of(step.action) == Form::set_up) {
    arguments.push_back(name("MPI_INFO_NULL"));
  } else {
    write_given(scene.script, collective, 0);
  }
  arguments.push_back(out(Kind::request, place));
  call(scene, step, std::move(arguments));
  scene.begun[step.request] = {.collective = std::move(collective), .places = {place}};
}

void write_start(Scene& scene, const Step& step) {
  const std::vector<int> slots = slots_here(scene, step);
  for (const int slot : slots) write_given(scene.script, scene.begun.at(slot).collective, step.data);
  const std::vector<std::int64_t> places = requests_of(scene, slots).places;
  if (places.empty()) return;
  if (step.way % 2 == 1 && !are_of_sessions_apart(scene, slots)) {
    return scene.script.call(
        "act", {name("start_all"), name("requests"), number(std::ssize(places)), numbers(places)});
  }
  for (const std::int64_t place : places) scene.script.call("MPI_Start", {out(Kind::request, place)});
}

void write_poke(Scene& scene, const Step& step) {
  constexpr std::array<std::string_view, 5> forms{"poke_status", "poke_first", "poke_any", "poke_some",
                                                  "poke_all"};
  const std::vector<int> slots = slots_here(scene, step);
  const std::vector<std::int64_t> places = requests_of(scene, slots).places;
  if (places.empty()) return;
  scene.script.call("act", {name(drawn_form(scene, step, slots, forms)), name("requests"),
                            number(std::ssize(places)), numbers(places)});
}

void write_wait(Scene& scene, const Step& step) {
  constexpr std::array<std::string_view, 8> forms{"wait_each", "wait_all", "wait_any", "wait_some",
                                                  "test_each", "test_all", "test_any", "test_some"};
  const std::vector<int> slots = slots_here(scene, step);
  const std::vector<int> in_order = slots_of(scene.model, step);
  for (const int slot : in_order) {
    const Step& begun = scene.model.held.at(slot).begun;
    if (scene.begun.contains(slot) && is_message(begun.action)) write_late_messages(scene, begun);
  }
  const Requests requests = requests_of(scene, slots);
  if (!requests.places.empty()) {
    scene.script.call("complete", {name(drawn_form(scene, step, slots, forms)), name("requests"),
                                   number(std::ssize(requests.places)), numbers(requests.places),
                                   numbers(requests.have_status)});
  }
  for (const int slot : in_order) {
    if (!scene.begun.contains(slot)) continue;
    write_end_of_any(scene, scene.model.held.at(slot).begun);
    write_seen(scene.script, scene.begun.at(slot).collective);
    if (!is_persistent(scene.model.held.at(slot).begun.action)) scene.begun.erase(slot);
  }
}

void write_release(Scene& scene, const Step& step) {
  for (const int slot : slots_here(scene, step)) {
    for (const std::int64_t place : scene.begun.at(slot).places) {
      scene.script.call("MPI_Request_free", {out(Kind::request, place)});
    }
    scene.begun.erase(slot);
  }
}

}  // namespace rota::programs
