// Between groups, where ranks share hosts: what must pass the busiest host's link, whatever the schedule.
//
// What one group has for the other enters each host on which the other has ranks, but for what is on that host already; and it
// leaves each host that it is on, if the other group has ranks elsewhere. What stands for all ranks of a group, as a sum does,
// enters as a whole where not all of the group is on that host.
//
//   shares   host A: 0 1 (6 bytes each)    host B: 2 (4 bytes)  3    host C: 4     first group 0 1 2
//            B's and C's ranks 3, 4 need 16 bytes: 12 enter B, 16 enter C; 12 leave A
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// For a problem between groups with hosts: of shares, or of `bytes` that a root has, or each rank in an
/// inter_allreduce. O(ranks).
double link_bytes_between(const Problem& problem, double bytes);

}  // namespace rota
