// Which ranks share a host, and what the links of hosts carry while all are loaded both ways.
#pragma once

#include <vector>

namespace rota::bench {

struct Links {
  std::vector<int> host_of_rank;   // numbered in the order of their first ranks
  std::vector<double> bits_per_s;  // of each host, in each direction; 0 where there is but one host
};

/// Takes about a second, most of it for messages between hosts. Collective; the same on all ranks.
///
/// Every host sends to one other and receives from one at once, as many ranks of each host as the smallest
/// has. A fast link between two slow ones cannot show what it carries: so there are three ways round, in
/// steps of 1, 2 and 3 hosts, and of each host the best one counts.
Links measured_links();

}  // namespace rota::bench
