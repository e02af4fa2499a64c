// Where a step is put into calls: on which rank, among which communicators.
#pragma once

#include <map>
#include <vector>

#include "lower.hpp"
#include "script.hpp"

namespace rota::programs {

/// What a rank has begun in a slot of requests, and needs to know later, when its communicator may be gone.
struct Begun {
  Collective collective;  // of an exchange: what it sends and receives
  std::vector<std::int64_t>
      places;  // of its requests in the thread's table, in which those that receive messages come first
  std::int64_t receives = 0;  // so many of them
};

struct Scene {
  Place place;
  Library library;
  Model model;
  Script script;
  std::map<int, Begun> begun;  // by request slot, on this rank

  std::optional<View> view(int slot) const { return model.view(slot, place.rank); }
};

/// Each writes the calls of steps of one theme; the step applies, and this rank is in the communicator.
void write_communicators(Scene& scene, const Step& step);
void write_blocking(Scene& scene, const Step& step, const View& view);
void write_begun(Scene& scene, const Step& step, const View& view);
void write_messages(Scene& scene, const Step& step, const View& view);
void write_start(Scene& scene, const Step& step);
void write_poke(Scene& scene, const Step& step);
void write_wait(Scene& scene, const Step& step);
void write_release(Scene& scene, const Step& step);
void write_attributes(Scene& scene, const Step& step);
void write_handlers(Scene& scene, const Step& step, const View& view);

/// A collective of a step, which applies, as its blocking form would be called.
Collective collective_of(Scene& scene, const Step& step, const View& view);
Collective moved(Scene& scene, const Step& step, const View& view);
Collective combined(Scene& scene, const Step& step, const View& view);
Collective exchanged(Scene& scene, const Step& step, const View& view);

/// The sides of messages that are carried out when a step completes them.
void write_late_messages(Scene& scene, const Step& begun);

/// The calls before the first step and after the last.
void write_prologue(Scene& scene, const Steps& steps);
void write_epilogue(Scene& scene, const Steps& steps);

}  // namespace rota::programs
