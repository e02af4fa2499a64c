// How long a rank that waits may sleep, so that others have the processors.
//
//     messages  |-----------|-----------|-----------|--
//     looks     .   .   .   .   .   .   .   .   .   .      naps: a third of what a round's bytes take on links, at the least
//
// Where ranks outnumber their host's processors, those that look all the time take them from those that have data to pass on. A rank that
// sleeps learns late that a message has come, was taken, or is asked for: by 3 naps a round at the most, and what it may be combining meanwhile
// (rota/model/in_flight.hpp, whose test checks it), so that all naps together take no longer than the schedule's bytes on the links, whatever is done. And a nap is made
// of nothing that has naps in it: however late they make others, they do not become longer.
#pragma once

#include <chrono>

#include "rota/schedule/schedule.hpp"
#include "rota_mpi/decide/pace.hpp"

namespace rota::mpi {

using Nanoseconds = std::chrono::nanoseconds;

/// How long a nap is where others run as they like (communicators/pausing.hpp), and so many ranks have one
/// processor: little beside what a message of some tens of kilobytes takes, times their number, for each
/// wakes in another's turn.
Nanoseconds nap_among_others(Rank ranks_a_processor);

/// Of a schedule in so many rounds, of which so many bytes must pass the busiest port, where the system makes
/// every sleep longer by `slack`. Zero: it does not sleep; where nobody knows how slow links are, and where
/// naps would not be much longer than the slack.
Nanoseconds nap_of(double port_bytes, Round rounds, Pace pace, Nanoseconds slack);

}  // namespace rota::mpi
