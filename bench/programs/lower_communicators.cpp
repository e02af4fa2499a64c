// Steps that make and free communicators.
#include <algorithm>
#include <array>

#include "scene.hpp"

namespace rota::programs {

namespace {

constexpr std::int64_t temporary_comm = comm_slots;
constexpr std::int64_t temporary_request = std::int64_t{2} * request_slots;

std::int64_t flag_of(bool value) { return value ? 1 : 0; }

template <class Numbers>
Argument array_of(const Numbers& values) {
  return numbers({values.begin(), values.end()});
}

void write_dup(Script& script, const Step& step) {
  if (step.action == Action::dup) {
    return script.call("MPI_Comm_dup", {slot(Kind::comm, step.comm), out(Kind::comm, step.made)});
  }
  script.call("MPI_Comm_idup", {slot(Kind::comm, step.comm), out(Kind::comm, step.made),
                                out(Kind::request, temporary_request)});
  script.call("MPI_Wait", {out(Kind::request, temporary_request), name("MPI_STATUS_IGNORE")});
}

void write_split(Script& script, const Step& step, const View& view) {
  const auto color = color_of(step, view.rank, view.size());
  script.call("MPI_Comm_split", {slot(Kind::comm, step.comm), color ? number(*color) : name("MPI_UNDEFINED"),
                                 number(key_of(step, view.rank, view.size())), out(Kind::comm, step.made)});
}

void write_create(Script& script, const Step& step, const View& view) {
  const std::vector<int> ranks = chosen_ranks(step, view.size());
  const bool is_in = std::ranges::find(ranks, view.rank) != ranks.end();
  if (step.action == Action::create_group && !is_in) return;
  script.call("MPI_Comm_group", {slot(Kind::comm, step.comm), out(Kind::group, 0)});
  script.call("MPI_Group_incl", {slot(Kind::group, 0), number(static_cast<std::int64_t>(ranks.size())),
                                 array_of(ranks), out(Kind::group, 1)});
  if (step.action == Action::create) {
    script.call("MPI_Comm_create",
                {slot(Kind::comm, step.comm), slot(Kind::group, 1), out(Kind::comm, step.made)});
  } else {
    script.call("MPI_Comm_create_group",
                {slot(Kind::comm, step.comm), slot(Kind::group, 1), number(7), out(Kind::comm, step.made)});
  }
  script.call("MPI_Group_free", {out(Kind::group, 0)});
  script.call("MPI_Group_free", {out(Kind::group, 1)});
}

void write_cart(Script& script, const Step& step, const View& view) {
  const std::vector<int> extents = cart_extents(step, view.size());
  std::vector<std::int64_t> periodic;
  periodic.reserve(extents.size());
  for (std::size_t i = 0; i < extents.size(); ++i) periodic.push_back(flag_of(is_periodic(step, i)));
  script.call("MPI_Cart_create",
              {slot(Kind::comm, step.comm), number(static_cast<std::int64_t>(extents.size())),
               array_of(extents), numbers(periodic), number(0), out(Kind::comm, step.made)});
}

void write_graph(Script& script, const Step& step, const View& view) {
  const std::vector<Neighbors> all = graph_neighbors(step, view.size());
  if (step.action == Action::dist_graph) {
    const Neighbors& own = all[static_cast<std::size_t>(view.rank)];
    return script.call(
        "MPI_Dist_graph_create_adjacent",
        {slot(Kind::comm, step.comm), number(static_cast<std::int64_t>(own.sources.size())),
         array_of(own.sources), name("MPI_UNWEIGHTED"),
         number(static_cast<std::int64_t>(own.destinations.size())), array_of(own.destinations),
         name("MPI_UNWEIGHTED"), name("MPI_INFO_NULL"), number(0), out(Kind::comm, step.made)});
  }
  std::vector<std::int64_t> ends;
  std::vector<std::int64_t> edges;
  for (const Neighbors& each : all) {
    edges.insert(edges.end(), each.destinations.begin(), each.destinations.end());
    ends.push_back(static_cast<std::int64_t>(edges.size()));
  }
  script.call("MPI_Graph_create", {slot(Kind::comm, step.comm), number(view.size()), numbers(ends),
                                   numbers(edges), number(0), out(Kind::comm, step.made)});
}

/// Communicators between groups do not all take over their parent's error handler.
void write_return_errors(Script& script, std::int64_t comm) {
  script.call("MPI_Comm_set_errhandler", {slot(Kind::comm, comm), name("MPI_ERRORS_RETURN")});
}

/// Leaders are the first of each group.
void write_intercomm(Script& script, const Step& step, const View& view) {
  const int size = view.size();
  const bool is_first = is_in_first_group(step, view.rank, size);
  int other = 0;
  while (other < size && is_in_first_group(step, other, size) == is_first) ++other;
  if (other == size) return;
  script.call("MPI_Comm_split", {slot(Kind::comm, step.comm), number(flag_of(is_first)), number(view.rank),
                                 out(Kind::comm, temporary_comm)});
  script.call("MPI_Intercomm_create",
              {slot(Kind::comm, temporary_comm), number(0), slot(Kind::comm, step.comm), number(other),
               number(9), out(Kind::comm, step.made)});
  script.call("MPI_Comm_free", {out(Kind::comm, temporary_comm)});
  write_return_errors(script, step.made);
}

void write_merge(Script& script, const Step& step, const View& view) {
  script.call("MPI_Intercomm_merge",
              {slot(Kind::comm, step.comm), number(flag_of(!view.is_first)), out(Kind::comm, step.made)});
  write_return_errors(script, step.made);
}

/// Threads that make one of the same group at the same time need different words.
void write_session(Script& script, const Step& step, int thread) {
  constexpr std::array<std::string_view, 4> words{"here", "there", "elsewhere", "anywhere"};
  script.call("MPI_Session_init",
              {name("MPI_INFO_NULL"), name("MPI_ERRORS_RETURN"), out(Kind::session, step.made)});
  script.call("MPI_Group_from_session_pset",
              {slot(Kind::session, step.made), text("mpi://WORLD"), out(Kind::group, 0)});
  script.call("MPI_Comm_create_from_group",
              {slot(Kind::group, 0), text(words[static_cast<std::size_t>(thread) % words.size()]),
               name("MPI_INFO_NULL"), name("MPI_ERRORS_RETURN"), out(Kind::comm, step.made)});
  script.call("MPI_Group_free", {out(Kind::group, 0)});
}

void write_session_end(Scene& scene, const Step& step) {
  for (int comm = 1; comm < comm_slots; ++comm) {
    const auto& family = scene.model.at(comm);
    const bool is_of_it = family && family->session == step.made;
    if (is_of_it && scene.view(comm)) scene.script.call("MPI_Comm_free", {out(Kind::comm, comm)});
  }
  scene.script.call("MPI_Session_finalize", {out(Kind::session, step.made)});
}

void write_made(Script& script, const Step& step, const View& view) {
  switch (step.action) {
    case Action::dup:
    case Action::idup:
      return write_dup(script, step);
    case Action::split:
      return write_split(script, step, view);
    case Action::create:
    case Action::create_group:
      return write_create(script, step, view);
    case Action::cart:
      return write_cart(script, step, view);
    case Action::graph:
    case Action::dist_graph:
      return write_graph(script, step, view);
    case Action::intercomm:
      return write_intercomm(script, step, view);
    default:
      return write_merge(script, step, view);
  }
}

}  // namespace

void write_communicators(Scene& scene, const Step& step) {
  if (step.action == Action::session) return write_session(scene.script, step, scene.place.thread);
  if (step.action == Action::session_end) return write_session_end(scene, step);
  const auto view = scene.view(step.comm);
  if (!view) return;
  if (step.action == Action::free) return scene.script.call("MPI_Comm_free", {out(Kind::comm, step.comm)});
  if (step.action == Action::disconnect) {
    return scene.script.call("MPI_Comm_disconnect", {out(Kind::comm, step.comm)});
  }
  write_made(scene.script, step, *view);
}

}  // namespace rota::programs
