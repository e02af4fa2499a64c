// What an all-to-many schedule takes on a network, and the least that any one does.
//
// Rounds are not synchronised: a rank sends its messages in their order, one after the other, receives what is for it likewise,
// and a message starts when both its ports are free. So ports are kept apart, and rounds matter only as that order:
//
//   sender 0    | 10 bytes to 2   | 4 to 3 |          the message 1 -> 2 starts at 10, when 2's port is free,
//   sender 1    | 3 to 3 |        | 10 bytes to 2 |   though its sender was free from 3 on
//
// Where ranks share hosts, a message takes a link of each host too, and messages within one take no time.
#pragma once

#include "rota/model/cost.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/pattern.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

/// Until the last message of an all-to-many schedule that verifies is through. Time O(p rounds) for going
/// through it.
double unsynchronised_seconds(const Schedule& schedule, const Network& network);

/// The same in bytes, on a network on which nothing but bytes takes time.
std::int64_t unsynchronised_bytes(const Schedule& schedule);

/// How long the schedule is, in bytes that pass one port: all rounds' lengths together, or, where rounds have
/// none, without synchronisation. Never less than the pattern's port_bytes, or its hosts'.
std::int64_t length_bytes(const Schedule& schedule);

/// No schedule takes less: the busiest port needs the latency of each of its messages and the time of its
/// bytes. Where ranks share hosts (nullptr: none do), those within one take no time, and its links share what
/// all its ranks have for others.
double least_seconds(const Pattern& pattern, const Hosts* hosts, const Network& network);

}  // namespace rota
