// Schedules in which all hosts do the same, each so many hosts further on: the ranks of one host tell all others' steps.
//
// Hosts of as many ranks each, H of them; a rank's *place* is its position among those of its host. Moved by a hosts, the rank at
// place i of host h is that at place i of host h + a (mod H). A schedule *rotates by hosts* if for all hosts h the step of
// the rank at place i of host h, in every round, is that of the rank at place i of host 0 with all peers and owners moved by h; what
// arrives is combined on the one if it is on the other; and no rank combines blocks within itself.
//
//   3 hosts of 2 ranks, the leaders' first round     host 0   0 -> 2    host 1   2 -> 4    host 2   4 -> 0
//
// A schedule played backwards rotates if it does, and so do two that do, one after the other. A generator that says so
// (Schedule::symmetry) says why beside it; host_rotation_fault checks it.
#pragma once

#include <optional>
#include <string>

#include "rota/schedule/hosts.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// The first rank and round that differ from what the rank at the same place of host 0 does, in a line;
/// nullopt: none, also where the hosts have different numbers of ranks. All steps of all ranks.
std::optional<std::string> host_rotation_fault(const Schedule& schedule);

}  // namespace rota
