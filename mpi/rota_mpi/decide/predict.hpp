// What schedules are predicted to take for a call, and in how many blocks they take least.
//
// By what was measured of the network at hand, or of one like it (a profile), or where nothing was, by a network that stands for most.
#pragma once

#include <vector>

#include "rota/generators/index.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/call.hpp"
#include "rota_mpi/decide/found_network.hpp"
#include "rota_mpi/decide/round_times.hpp"
#include "rota_mpi/settings/settings.hpp"

namespace rota::mpi {

/// The cost model's network: the profile's, or without a profile one that stands for most.
const Network& network_of(const Settings& settings);

/// In what pieces messages leave that no model cuts.
struct Pieces {
  std::int64_t bytes = 0;
  Round in_flight = 1;

  bool operator==(const Pieces&) const = default;
};

/// As the user asks, or as serves most networks, or such as the one that was found, if any was; between hosts
/// that ranks share, if any do.
Pieces pieces_on(const Settings& settings, const RoundTimes* found, const Hosts* hosts);

/// A schedule that a call may take, with its best number of blocks and what that is predicted to take:
/// infinitely long where messages would have more bytes than MPI counts.
struct Candidate {
  const Algorithm* algorithm = nullptr;
  BlockIndex blocks = 1;
  double seconds = 0;
};

/// On the network found, if any was, as far as the settings let its choice depend on that.
Candidate predicted(const Algorithm& algorithm, const Call& call, const Settings& settings,
                    const FoundNetwork& found);

/// The same in messages of about so many bytes.
Candidate predicted_with(std::int64_t message_bytes, const Algorithm& algorithm, const Call& call,
                         const Settings& settings);

/// What it takes in so many blocks on the network found.
double seconds_on(const RoundTimes& found, const Algorithm& algorithm, const Call& call, BlockIndex blocks);

/// What an exchange takes there, at the least: pieces that wait for nobody's data may be several at once.
double seconds_of_exchange(const RoundTimes& found, std::int64_t port_bytes);

/// So many of its rounds between hosts, in so many blocks, wait for one another.
double rounds_between_hosts(const Algorithm& algorithm, const Call& call, BlockIndex blocks);

/// Of its messages, in so many blocks.
double mean_message_bytes(const Algorithm& algorithm, const Call& call, BlockIndex blocks);

/// All schedules that solve the call's problem; where ranks share hosts, those that mind it.
std::vector<Candidate> candidates(const Call& call, const Settings& settings, const FoundNetwork& found = {});

/// Do predictions for such a call depend on what rounds take on the network at hand?
bool depends_on_round_times(const Call& call, const Settings& settings);

/// The same where all ranks are on one host, and rounds go through its memory: sums too, if their bits are
/// the same in whatever order. Not allgathers, of whose messages each is of several blocks, which are copied
/// once more.
bool depends_on_memory_times(const Call& call, const Settings& settings);

/// A sum of ranks with a link each: does it gain on fast links, in larger messages, whatever else hosts do?
bool gains_in_large_messages(const Call& call);

/// A broadcast of ranks with a link each: is it so large that its messages follow links' pace, until rounds
/// have been measured?
bool is_large_broadcast(const Call& call);

/// The rounds in flight with which its schedule is played.
Round rounds_in_flight(const Call& call, const Settings& settings, const FoundNetwork& found);

}  // namespace rota::mpi
