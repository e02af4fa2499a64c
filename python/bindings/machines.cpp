// The machines on which the executor's rounds in flight are simulated, as Python objects.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>

#include "bindings.hpp"
#include "costs.hpp"
#include "data.hpp"
#include "rota/model/cost.hpp"
#include "rota/model/in_flight.hpp"
#include "rota/model/pauses.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rota {

namespace {

RandomPauses pauses_of(double pause_s, double every_s, std::uint64_t seed) {
  const RandomPauses pauses{pause_s, every_s, seed};
  require_valid(pauses);
  return pauses;
}

/// The pauses that Python has given machines.
std::optional<RandomPauses> pauses_in(const Machines& machines) {
  const auto* const pauses = machines.pauses.target<RandomPauses>();
  return pauses == nullptr ? std::nullopt : std::optional(*pauses);
}

void set_pauses(Machines& machines, const std::optional<RandomPauses>& pauses) {
  machines.pauses = pauses ? Pauses(*pauses) : Pauses();
}

Machines machines_of(const Network& network, double overhead_s, std::optional<std::int64_t> rendezvous_from,
                     double handshake_s, const std::optional<RandomPauses>& pauses, Waits waits,
                     double nap_s) {
  require_costs("a message's", {overhead_s, handshake_s});
  require_costs("a nap's", {nap_s});
  Machines machines{network};
  machines.overhead_s = overhead_s;
  if (rendezvous_from) machines.rendezvous_from = *rendezvous_from;
  machines.handshake_s = handshake_s;
  set_pauses(machines, pauses);
  machines.waits = waits;
  machines.nap_s = nap_s;
  return machines;
}

}  // namespace

void bind_machines(nb::module_& module) {
  nb::enum_<Waits>(module, "Waits", "What a rank waits for that has nothing to do.")
      .value("for_oldest", Waits::for_oldest, "Its oldest message, as Rota's executor does.")
      .value("for_any", Waits::for_any, "Any of its messages.");
  Data<RandomPauses>(module, "RandomPauses",
                     "Every rank loses its processor once in each every_s seconds, for pause_s, at a\n"
                     "moment drawn from seed, the rank and the number of the interval.")
      .field("pause_s", &RandomPauses::pause_s)
      .field("every_s", &RandomPauses::every_s)
      .field("seed", &RandomPauses::seed)
      .itself()
      .def(
          "__init__",
          [](RandomPauses* self, double pause_s, double every_s, std::uint64_t seed) {
            new (self) RandomPauses(pauses_of(pause_s, every_s, seed));
          },
          "pause_s"_a, "every_s"_a, "seed"_a = 0,
          "Raises ValueError unless 0 <= pause_s < every_s, both finite.");
  Data<Machines>(
      module, "Machines",
      "What ranks run on, how their MPI library sends, and how they wait: a processor takes overhead_s for\n"
      "each message sent and each received, and is lost in pauses; messages of rendezvous_from bytes and "
      "more\n"
      "(none: no message) leave handshake_s after both ranks have begun the round, shorter ones at once. A "
      "rank\nthat waits looks every nap_s (0: all the time).")
      .field("network", &Machines::network)
      .field("overhead_s", &Machines::overhead_s)
      .field("rendezvous_from", &Machines::rendezvous_from)
      .field("handshake_s", &Machines::handshake_s)
      .field("pauses", pauses_in, set_pauses, "None: no rank loses its processor.")
      .field("waits", &Machines::waits)
      .field("nap_s", &Machines::nap_s)
      .itself()
      .def(
          "__init__",
          [](Machines* self, const Network& network, double overhead_s,
             std::optional<std::int64_t> rendezvous_from, double handshake_s,
             const std::optional<RandomPauses>& pauses, Waits waits, double nap_s) {
            new (self) Machines(
                machines_of(network, overhead_s, rendezvous_from, handshake_s, pauses, waits, nap_s));
          },
          "network"_a, nb::kw_only(), "overhead_s"_a = 0.0, "rendezvous_from"_a = nb::none(),
          "handshake_s"_a = 0.0, "pauses"_a = nb::none(), "waits"_a = Waits::for_oldest, "nap_s"_a = 0.0,
          "Raises ValueError for a cost below 0 or without bound.");
}

}  // namespace rota
