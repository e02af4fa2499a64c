// What goes on around collectives: messages, nonblocking collectives, probes; and their completion.
#include <algorithm>

#include "sides.hpp"

namespace rota::programs {

namespace {

constexpr std::int64_t probing_flag = 0;

/// The two requests of a slot.
std::int64_t first_of(const Step& step) { return 2 * std::int64_t{step.request}; }

Argument comm_of(const Step& step) { return slot(Kind::comm, step.comm); }

/// Whom a rank sends to and gets messages from; nobody without a partner in the other group.
struct Peers {
  bool are_there;
  int to;
  int from;
};

Peers peers_of(const View& view) {
  if (view.is_inter()) {
    return {view.rank < static_cast<int>(view.remote().size()), view.rank, view.rank};
  }
  return {true, (view.rank + 1) % view.size(), (view.rank + view.size() - 1) % view.size()};
}

/// Messages of a step begin at once, or a side of them when they are completed. A receiver may take any.
struct Exchange {
  Peers peers;
  Region sent;
  Region received;
};

bool sends_late(const Step& step) { return step.way % 4 == 1 || step.way % 4 == 3; }
bool receives_late(const Step& step) { return step.way % 4 == 2; }
bool takes_any(const Step& step) { return step.way % 4 == 1 || step.way % 4 == 2; }

std::vector<Argument> received(const Step& step, const Exchange& what) {
  const bool any = takes_any(step);
  return {address(what.received.first),
          number(step.count),
          name("MPI_INT"),
          any ? name("MPI_ANY_SOURCE") : number(what.peers.from),
          any ? name("MPI_ANY_TAG") : number(step.request),
          comm_of(step)};
}

std::vector<Argument> sent(const Step& step, const Exchange& what) {
  return {address(what.sent.first), number(step.count),   name("MPI_INT"),
          number(what.peers.to),    number(step.request), comm_of(step)};
}

std::vector<Argument> with(std::vector<Argument> arguments, Argument last) {
  arguments.push_back(std::move(last));
  return arguments;
}

void write_exchange(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::int64_t bytes = 4 * std::int64_t{step.count};
  const Exchange what{peers_of(view), script.take(bytes), script.take(bytes)};
  scene.outstanding[step.request] = {{what.sent, what.received}};
  script.fill(what.sent, Fill::bytes, step.data);
  if (!what.peers.are_there) return;
  if (!receives_late(step)) {
    script.call("MPI_Irecv", with(received(step, what), out(Kind::request, first_of(step))));
  }
  if (!sends_late(step)) {
    script.call("MPI_Isend", with(sent(step, what), out(Kind::request, first_of(step) + 1)));
  }
}

void write_status(Script& script) { script.call("see_status", {slot(Kind::status, 0)}); }

void write_waiting(Script& script, std::int64_t request, bool sees_status) {
  script.call("MPI_Wait",
              {out(Kind::request, request), sees_status ? out(Kind::status, 0) : name("MPI_STATUS_IGNORE")});
  if (sees_status) write_status(script);
}

void write_end_of_exchange(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::vector<Region>& regions = scene.outstanding[step.request].regions;
  const Exchange what{peers_of(view), regions[0], regions[1]};
  if (!what.peers.are_there) return;
  if (sends_late(step)) script.call("MPI_Send", sent(step, what));
  if (receives_late(step)) {
    script.call("MPI_Probe",
                {name("MPI_ANY_SOURCE"), name("MPI_ANY_TAG"), comm_of(step), out(Kind::status, 0)});
    write_status(script);
    script.call("MPI_Recv", with(received(step, what), out(Kind::status, 0)));
    write_status(script);
  } else {
    write_waiting(script, first_of(step), true);
  }
  if (!sends_late(step)) write_waiting(script, first_of(step) + 1, false);
}

/// Open MPI 5.0.11 makes communicators by messages that a receive of any message takes: none may begin before
/// it is over.
void write_end_of_any(Scene& scene, const Step& step) {
  if (scene.library.is_open_mpi && takes_any(step)) scene.script.call("MPI_Barrier", {comm_of(step)});
}

void write_nonblocking(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const Argument request = out(Kind::request, first_of(step));
  if (step.action == Action::ibarrier) {
    scene.outstanding[step.request] = {};
    return script.call("MPI_Ibarrier", {comm_of(step), request});
  }
  const Region region = script.take(4 * std::int64_t{step.count});
  const Region result = script.take(region.bytes);
  scene.outstanding[step.request] = {{region, result}};
  if (step.action == Action::iallreduce || is_root(step, view)) script.fill(region, Fill::int32, step.data);
  if (step.action == Action::ibcast) {
    return script.call("MPI_Ibcast", {address(region.first), number(step.count), name("MPI_INT"),
                                      root_of(step, view), comm_of(step), request});
  }
  script.call("MPI_Iallreduce", {address(region.first), address(result.first), number(step.count),
                                 name("MPI_INT"), name("MPI_SUM"), comm_of(step), request});
}

/// No message of anyone's is under way: a barrier keeps later ones back until all have looked.
void write_probe(Script& script, const Step& step) {
  script.call("MPI_Iprobe", {name("MPI_ANY_SOURCE"), name("MPI_ANY_TAG"), comm_of(step),
                             out(Kind::flag, probing_flag), name("MPI_STATUS_IGNORE")});
  script.call("see_flag", {slot(Kind::flag, probing_flag)});
  script.call("MPI_Barrier", {comm_of(step)});
}

}  // namespace

void write_started(Scene& scene, const Step& step, const View& view) {
  switch (step.action) {
    case Action::barrier:
      return scene.script.call("MPI_Barrier", {comm_of(step)});
    case Action::exchange:
      return write_exchange(scene, step, view);
    case Action::iprobe:
      return write_probe(scene.script, step);
    default:
      return write_nonblocking(scene, step, view);
  }
}

void write_wait(Scene& scene, const Step& step) {
  const Step started = scene.model.pending.at(step.request);
  const auto view = scene.view(started.comm);
  if (!view) return;
  if (started.action == Action::exchange) {
    write_end_of_exchange(scene, started, *view);
    write_end_of_any(scene, started);
  } else {
    write_waiting(scene.script, first_of(started), false);
  }
  std::ranges::for_each(scene.outstanding[step.request].regions,
                        [&](Region region) { scene.script.look(region); });
  scene.outstanding.erase(step.request);
}

}  // namespace rota::programs
