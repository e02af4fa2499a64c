// Everybody has as much for everybody, where ranks share hosts: no pattern is stored, and each rank knows its own messages.
//
// Statement   every rank sends each other rank its message, whole; in a round all messages that leave a host go to one other host,
//             all that come to it come from one other
// Rounds      H S - 1 for H hosts of S ranks: no schedule has fewer. (H - 1) S between hosts, S - 1 within, spread evenly between
//             them; S is the most ranks of a host where they differ
// Bytes       each once
// Cost        O(H) once; a rank's peers in a round: O(log H)
// Needs       H >= 2 hosts, of any numbers of ranks
// Source      Rota; the rounds of a linear permutation, twice: of hosts, and of the ranks of two hosts
//
// Host A sends to host A + 1, then to A + 2 and so on modulo their number, in as many rounds each time as the larger of both has
// ranks: in round c the i-th rank of the one to the (i + c)-th of the other, modulo that number.
//
//   2 hosts of 2 ranks     round 0   0 -> 2   1 -> 3   2 -> 0   3 -> 1        A = {0, 1}   B = {2, 3}
//                          round 1   0 -> 3   1 -> 2   2 -> 1   3 -> 0
//                          round 2   0 -> 1   1 -> 0   2 -> 3   3 -> 2        within
#pragma once

#include <memory>
#include <vector>

#include "rota/generators/all_to_many/everybody.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota/schedule/schedule.hpp"

namespace rota {

class EverybodyOnHosts {
 public:
  /// Throws std::invalid_argument unless there are two hosts or more.
  explicit EverybodyOnHosts(std::shared_ptr<const Hosts> hosts);

  const std::shared_ptr<const Hosts>& hosts() const { return hosts_; }
  Round rounds() const { return begins_.back(); }

  Peers peers(Rank rank, Round round) const;

 private:
  Peers between(Rank rank, Rank distance, Rank c) const;
  Peers within(Rank rank, Rank c) const;

  std::shared_ptr<const Hosts> hosts_;
  std::vector<Round> begins_;  // of the rounds of each distance from 1 on, and the end
};

/// The same as a schedule to simulate, in which a block's index is the round in which it is sent. It names no
/// parcels, for they are p (p - 1), so that it cannot be verified as it is.
Schedule everybody_to_everybody(const std::shared_ptr<const EverybodyOnHosts>& everybody);

}  // namespace rota
