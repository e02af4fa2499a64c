// Steps about attributes and error handlers, and what a thread makes for them at its beginning.
#include <algorithm>
#include <array>

#include "sides.hpp"

namespace rota::programs {

namespace {

struct Functions {
  std::string_view copy;
  std::string_view remove;
  bool is_copied;
};

/// By keyval. The last has an allreduce on the communicator that is being freed.
constexpr std::array<Functions, keyval_slots> keyvals{{{"MPI_COMM_NULL_COPY_FN", "delete_counted", false},
                                                       {"MPI_COMM_DUP_FN", "delete_counted", true},
                                                       {"copy_next", "delete_counted", true},
                                                       {"MPI_COMM_NULL_COPY_FN", "delete_reducing", false}}};

constexpr std::array<std::string_view, 2> handlers{"count_errors", "count_more_errors"};

std::size_t keyval_of(const Step& step) { return static_cast<std::size_t>(step.way) % keyvals.size(); }

bool needs_keyval(const Steps& steps, std::size_t keyval) {
  return std::ranges::any_of(steps, [&](const Step& step) {
    return step.action == Action::set_attribute && keyval_of(step) == keyval;
  });
}

Argument comm_of(const Step& step) { return slot(Kind::comm, step.comm); }

void write_handler(Script& script, const Step& step) {
  const int way = step.way % 3;
  if (way == 0) return script.call("MPI_Comm_set_errhandler", {comm_of(step), name("MPI_ERRORS_RETURN")});
  const std::int64_t index = way - 1;
  script.call("MPI_Comm_create_errhandler",
              {name(handlers[static_cast<std::size_t>(index)]), out(Kind::handler, 0)});
  script.call("MPI_Comm_set_errhandler", {comm_of(step), slot(Kind::handler, 0)});
  script.call("MPI_Errhandler_free", {out(Kind::handler, 0)});
}

/// A call that all ranks make alike and that MPI refuses on each of them.
void write_error(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const Region region = script.take(64);
  const Argument buffer = address(region.first);
  const Argument type = name("MPI_INT");
  const Argument comm = comm_of(step);
  const int nobody = view.senders() + 5;
  switch (step.way % 8) {
    case 0:
      return script.call("MPI_Send", {buffer, number(1), type, number(nobody), number(0), comm});
    case 1:
      return call(scene, step, "MPI_Bcast", {buffer, number(4), type, number(nobody), comm});
    case 2:
      return call(scene, step, "MPI_Bcast", {buffer, number(-1), type, number(0), comm});
    case 3:
      return call(scene, step, "MPI_Allreduce",
                  {buffer, address(region.first + 32), number(4), type, name("MPI_OP_NULL"), comm});
    case 4:
      return call(scene, step, "MPI_Bcast", {buffer, number(4), name("MPI_DATATYPE_NULL"), number(0), comm});
    case 5:
      return call(scene, step, "MPI_Bcast", {buffer, number(4), type, number(0), name("MPI_COMM_NULL")});
    case 6:
      return call(
          scene, step, "MPI_Allgather",
          {buffer, number(1), script.uncommitted(), address(region.first + 32), number(2), type, comm});
    default:
      return call(
          scene, step, "MPI_Reduce",
          {buffer, address(region.first + 32), number(4), type, name("MPI_SUM"), number(nobody), comm});
  }
}

}  // namespace

void write_attributes(Scene& scene, const Step& step) {
  Script& script = scene.script;
  const auto keyval = static_cast<std::int64_t>(keyval_of(step));
  const auto has = scene.model.family(step.comm).has_attribute[keyval_of(step)];
  if (step.action == Action::set_attribute) {
    return script.call(
        "MPI_Comm_set_attr",
        {comm_of(step), slot(Kind::keyval, keyval), {Kind::value, std::int64_t{step.data} + 1}});
  }
  if (!has) return;
  if (step.action == Action::delete_attribute) {
    return script.call("MPI_Comm_delete_attr", {comm_of(step), slot(Kind::keyval, keyval)});
  }
  script.call("MPI_Comm_get_attr",
              {comm_of(step), slot(Kind::keyval, keyval), out(Kind::value, 0), out(Kind::flag, 0)});
  script.call("see_attribute", {slot(Kind::flag, 0), slot(Kind::value, 0)});
}

void write_handlers(Scene& scene, const Step& step, const View& view) {
  if (step.action == Action::set_handler) return write_handler(scene.script, step);
  write_error(scene, step, view);
}

void write_prologue(Scene& scene, const Steps& steps) {
  for (std::size_t i = 0; i < keyvals.size(); ++i) {
    if (!needs_keyval(steps, i)) continue;
    scene.script.call("MPI_Comm_create_keyval",
                      {name(keyvals[i].copy), name(keyvals[i].remove),
                       out(Kind::keyval, static_cast<std::int64_t>(i)), name("NULL")});
  }
}

void write_epilogue(Scene& scene, const Steps& steps) {
  const Family& world = scene.model.family(0);
  for (std::size_t i = 0; i < keyvals.size(); ++i) {
    const Argument keyval = slot(Kind::keyval, static_cast<std::int64_t>(i));
    if (world.has_attribute[i]) scene.script.call("MPI_Comm_delete_attr", {slot(Kind::comm, 0), keyval});
    if (needs_keyval(steps, i)) {
      scene.script.call("MPI_Comm_free_keyval", {out(Kind::keyval, static_cast<std::int64_t>(i))});
    }
  }
  const bool has_handler = std::ranges::any_of(
      steps, [](const Step& step) { return step.action == Action::set_handler && step.comm == 0; });
  if (has_handler)
    scene.script.call("MPI_Comm_set_errhandler", {slot(Kind::comm, 0), name("MPI_ERRORS_RETURN")});
}

}  // namespace rota::programs
