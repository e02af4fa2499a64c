#include "rota_mpi/choose.hpp"

#include <algorithm>
#include <limits>

namespace rota::mpi {

namespace {

// Without a profile only the ratio of latency to seconds per byte matters, for it alone decides the size of blocks: the
// bytes that a link carries during what a round costs besides its bytes. The executor overlaps most of a message's latency
// with other messages; 3 kB is what the lab was measured to leave.
constexpr Network default_network{.latency_s = 3e-6, .seconds_per_byte = 1e-9};

// Larger blocks travel by rendezvous over many transports (over TCP from 64 KiB), and the receiver's answer waits behind its
// own outgoing blocks. Measured in docs/performance.md; fast networks lose some tens of percent of what larger ones give.
constexpr std::int64_t most_default_block_bytes = std::int64_t{36} * 1024;

// Below this, MPI libraries take a binomial tree, which is round-optimal for one block: nothing is left to gain.
constexpr std::int64_t least_bytes = std::int64_t{16} * 1024;

Load load_of(const Call& call) {
  const auto bytes = static_cast<double>(call.bytes);
  return {call.collective, call.ranks, bytes, bytes, bytes};
}

std::int64_t block_bytes(const Algorithm& algorithm, const Call& call, const Settings& settings) {
  if (settings.block_bytes > 0) return std::min(settings.block_bytes, call.bytes);
  const BlockIndex blocks = best_blocks(algorithm.pipeline(load_of(call)), default_network, call.bytes);
  return std::min((call.bytes + blocks - 1) / blocks, most_default_block_bytes);
}

double best_seconds(const Algorithm& algorithm, const Call& call) {
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  return predicted_seconds(pipeline, default_network, best_blocks(pipeline, default_network, call.bytes));
}

/// The algorithm for this collective that the model predicts to be fastest; every served collective has one.
const Algorithm& fastest(const Call& call) {
  const auto seconds = [&](const Algorithm& algorithm) {
    return algorithm.collective == call.collective ? best_seconds(algorithm, call)
                                                   : std::numeric_limits<double>::infinity();
  };
  return *std::ranges::min_element(algorithms(), {}, seconds);
}

const Algorithm* asked_for(const Call& call, const Settings& settings) {
  const int position = settings.wish(call.collective).algorithm;
  return position < 0 ? nullptr : &algorithms()[static_cast<std::size_t>(position)];
}

}  // namespace

const char* reason_for_native(const Call& call, const Settings& settings) {
  if (settings.wish(call.collective).off) return "switched off";
  if (call.ranks == 1) return "one rank";
  if (call.bytes == 0) return "no data";
  if (asked_for(call, settings) != nullptr) return nullptr;
  if (call.ranks == 2) return "two ranks";
  if (call.bytes < least_bytes) return "small";
  return nullptr;
}

Choice choose(const Call& call, const Settings& settings, bool ranks_share_hosts) {
  const Algorithm* const wanted = asked_for(call, settings);
  if (wanted == nullptr && ranks_share_hosts) return native("ranks share hosts");
  const Algorithm& algorithm = wanted != nullptr ? *wanted : fastest(call);
  return {&algorithm, block_bytes(algorithm, call, settings), ""};
}

}  // namespace rota::mpi
