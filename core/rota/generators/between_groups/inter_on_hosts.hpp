// Inter-group allgather where ranks share hosts: as among all ranks on two levels, but senders get nothing for which they have no use.
//
// Statement   after the last round every rank has every owner's data of the other group, for every p, q, n, unequal shares, placement and
//             number of links
// Rounds      those of hierarchical.hpp; where a host has senders only, and one link, its R owners tell their leader in R n rounds
// Bytes       each byte enters a host once: the least possible for a host that has receivers. If one group has all data, a rank of the
//             other receives all of it; a sender on a host of senders nothing, but for the leader, which all that goes over the link
//             passes
// Cost        that of the allgather
// Needs       p, q >= 1, hosts
// Source      Rota; paper 3 has senders among the receivers, who cost nobody time on the links; but what is received within a host costs
//             its processors
//
//   2 hosts of 3 ranks, 0 1 2 to 3 4 5     host 0: 1 -> 0, 2 -> 0 in turns     0 === 3     host 1: 3 to 4 and 5
#pragma once

#include "rota/schedule/schedule.hpp"

namespace rota {

/// The schedule for problem.collective == inter_allgather. Throws std::invalid_argument for a problem that is
/// none, or one without hosts.
Schedule inter_on_hosts(const Problem& problem);

}  // namespace rota
