// What goes on around collectives: messages, probes, collectives that Rota leaves alone.
#include <algorithm>
#include <utility>

#include "messages.hpp"
#include "sides.hpp"

namespace rota::programs {

namespace {

constexpr std::int64_t probing_flag = 0;

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

/// What is received goes first, and then what is sent.
Collective messages_with(Script& script, const Step& step) {
  const std::int64_t bytes = 4 * std::int64_t{step.count};
  const Region received = script.take(bytes);
  const Region sent = script.take(bytes);
  return {
      .arguments = {}, .given = {{sent, Fill::bytes, step.data}}, .undefined = {}, .seen = {received, sent}};
}

std::vector<Argument> received(const Step& step, const Peers& peers, const Collective& messages) {
  const bool any = takes_any(step);
  return {address(messages.seen[0].first),
          number(step.count),
          name("MPI_INT"),
          any ? name("MPI_ANY_SOURCE") : number(peers.from),
          any ? name("MPI_ANY_TAG") : number(step.request),
          comm_of(step)};
}

std::vector<Argument> sent(const Step& step, const Peers& peers, const Collective& messages) {
  return {address(messages.seen[1].first),
          number(step.count),
          name("MPI_INT"),
          number(peers.to),
          number(step.request),
          comm_of(step)};
}

std::vector<Argument> with(std::vector<Argument> arguments, Argument last) {
  arguments.push_back(std::move(last));
  return arguments;
}

void write_exchange(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const bool is_set_up = step.action == Action::exchange_init;
  const Peers peers = peers_of(view);
  Begun begun{.collective = messages_with(script, step), .places = {}};
  const std::int64_t first = first_request_of(step.request);
  if (!is_set_up) script.fill(begun.collective.given[0]);
  if (peers.are_there && !receives_late(step)) {
    script.call(is_set_up ? "MPI_Recv_init" : "MPI_Irecv",
                with(received(step, peers, begun.collective), out(Kind::request, first)));
    begun.places.push_back(first);
    begun.receives = 1;
  }
  if (peers.are_there && !sends_late(step)) {
    script.call(is_set_up ? "MPI_Send_init" : "MPI_Isend",
                with(sent(step, peers, begun.collective), out(Kind::request, first + 1)));
    begun.places.push_back(first + 1);
  }
  scene.begun[step.request] = std::move(begun);
}

void write_status(Script& script) { script.call("see_status", {slot(Kind::status, 0)}); }

void write_ibarrier(Scene& scene, const Step& step) {
  const std::int64_t place = first_request_of(step.request);
  scene.script.call("MPI_Ibarrier", {comm_of(step), out(Kind::request, place)});
  scene.begun[step.request] = {.collective = {}, .places = {place}};
}

/// No message of anyone's is under way: a barrier keeps later ones back until all have looked.
void write_probe(Script& script, const Step& step) {
  script.call("MPI_Iprobe", {name("MPI_ANY_SOURCE"), name("MPI_ANY_TAG"), comm_of(step),
                             out(Kind::flag, probing_flag), name("MPI_STATUS_IGNORE")});
  script.call("see_flag", {slot(Kind::flag, probing_flag)});
  script.call("MPI_Barrier", {comm_of(step)});
}

void write_gather(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const std::int64_t bytes = 4 * std::int64_t{step.count};
  const Region sent = script.take(bytes);
  const Region received = script.take(bytes * view.size());
  script.fill({sent, Fill::bytes, step.data});
  script.call("MPI_Gather",
              {address(sent.first), number(step.count), name("MPI_INT"), address(received.first),
               number(step.count), name("MPI_INT"), root_of(step, view), comm_of(step)});
  script.look(received);
}

}  // namespace

void write_messages(Scene& scene, const Step& step, const View& view) {
  switch (step.action) {
    case Action::barrier:
      return scene.script.call("MPI_Barrier", {comm_of(step)});
    case Action::gather:
      return write_gather(scene, step, view);
    case Action::ibarrier:
      return write_ibarrier(scene, step);
    case Action::iprobe:
      return write_probe(scene.script, step);
    default:
      return write_exchange(scene, step, view);
  }
}

void write_late_messages(Scene& scene, const Step& begun) {
  const auto view = scene.view(begun.comm);
  if (!view) return;
  const Peers peers = peers_of(*view);
  if (!peers.are_there) return;
  Script& script = scene.script;
  const Collective& messages = scene.begun.at(begun.request).collective;
  if (sends_late(begun)) script.call("MPI_Send", sent(begun, peers, messages));
  if (!receives_late(begun)) return;
  script.call("MPI_Probe",
              {name("MPI_ANY_SOURCE"), name("MPI_ANY_TAG"), comm_of(begun), out(Kind::status, 0)});
  write_status(script);
  script.call("MPI_Recv", with(received(begun, peers, messages), out(Kind::status, 0)));
  write_status(script);
}

}  // namespace rota::programs
