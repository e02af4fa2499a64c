// Where a step is put into calls: on which rank, among which communicators.
#pragma once

#include <map>
#include <vector>

#include "lower.hpp"
#include "script.hpp"

namespace rota::programs {

/// What a rank has outstanding.
struct Outstanding {
  std::vector<Region> regions;  // looked at when it is complete
};

struct Scene {
  Place place;
  Library library;
  Model model;
  Script script;
  std::map<int, Outstanding> outstanding;  // by request slot, on this rank

  std::optional<View> view(int slot) const { return model.view(slot, place.rank); }
};

/// Each writes the calls of steps of one theme; the step applies, and this rank is in the communicator.
void write_communicators(Scene& scene, const Step& step);
void write_moved(Scene& scene, const Step& step, const View& view);
void write_reduction(Scene& scene, const Step& step, const View& view);
void write_exchanged(Scene& scene, const Step& step, const View& view);
void write_started(Scene& scene, const Step& step, const View& view);
void write_wait(Scene& scene, const Step& step);
void write_attributes(Scene& scene, const Step& step);
void write_handlers(Scene& scene, const Step& step, const View& view);

/// The calls before the first step and after the last.
void write_prologue(Scene& scene, const Steps& steps);
void write_epilogue(Scene& scene, const Steps& steps);

}  // namespace rota::programs
