#include "rota_mpi/decide/predict.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

namespace rota::mpi {

namespace {

// Where nothing was measured only the ratio of latency to seconds per byte matters, for it alone decides the size of blocks: the
// bytes that a link carries during what a round costs besides its bytes. The executor overlaps most of a message's latency
// with other messages; 3 kB is what slow links were measured to leave (docs/performance.md).
constexpr Network default_network{
    .latency_s = 3e-6, .seconds_per_byte = 1e-9, .seconds_per_combined_byte = 1e-10};

// Where links are fast, processors take as much of the time as they do, and what a round costs besides its bytes is that some rank's
// comes late: as long as 40 kB take. So messages are larger, of 1 to 16 MiB some hundreds of kilobytes, which serve whether or not
// others have the processors at times, and links that processors fill as well (docs/performance.md).
constexpr Network fast_network{
    .latency_s = 4e-5, .seconds_per_byte = 1e-9, .seconds_per_combined_byte = 1e-10};

// Less data is too few of these to keep all links at work: so sums of less do not gain.
constexpr std::int64_t least_bytes_of_sums = std::int64_t{1} << 20;

// Broadcasts of less are in few messages by themselves, and on slow links take less than to find out that they are slow.
constexpr std::int64_t least_bytes_of_broadcasts = std::int64_t{1} << 20;

// MPI counts the bytes of a message in ints.
constexpr double most_message_bytes = std::numeric_limits<int>::max();

// The largest that MPI libraries send over TCP before the receiver has given leave: the next larger ones wait for that in a queue
// behind what the receiver itself sends, on links of any rate (docs/performance.md).
constexpr std::int64_t most_default_message_bytes = 61440;

// Where hosts have several links, larger ones: these MPI libraries cut over all links, smaller ones take one each.
constexpr std::int64_t most_default_message_bytes_over_links = 131072;

// Messages whose rounds wait for nobody's data may be several at once, on links of any rate.
constexpr Round pieces_in_flight = 4;

// Times of rounds are measured no better than this.
constexpr double about_equal = 1.07;

// A larger piece must take this part of a smaller one's time a byte.
constexpr double gain = 0.8;

/// Of these neither the order of values depends on the number of blocks, nor are rounds' messages of very
/// different sizes.
bool follows_round_times(Collective collective) {
  return collective == Collective::broadcast || collective == Collective::inter_broadcast ||
         collective == Collective::all_to_many;
}

// The largest message is less than four times the mean, but where messages double from round to round: there
// it is half of what ceil(log2 p) rounds carry.
double most_mean_message_bytes(Rank ranks) {
  return most_message_bytes / std::max(4.0, 1 + ceil_log2(ranks) / 2.0);
}

/// Has the user said nothing else, and is it more than a message?
bool is_free_to_follow(const Call& call, const Settings& settings) {
  return settings.adapt != Adapt::off &&
         settings.profile.nearest(call.problem.collective, call.bytes) == nullptr &&
         settings.block_bytes == 0 && !settings.paper_blocks && call.bytes >= most_default_message_bytes;
}

/// On one host all may be silent.
double rounds_of(const Pipeline& pipeline, BlockIndex blocks) {
  return std::max(1.0, pipeline.per_block * static_cast<double>(blocks) + pipeline.fixed);
}

double bytes_of(const Pipeline& pipeline, BlockIndex blocks) {
  return pipeline.bytes + pipeline.spread_bytes / static_cast<double>(blocks);
}

/// Within a host a leader passes on one block of everything that it carries, which that mean knows nothing
/// of.
bool can_be_passed_on(const Call& call, BlockIndex blocks) {
  const Hosts* const hosts = call.problem.hosts.get();
  return hosts == nullptr ||
         static_cast<double>(call.bytes) * hosts->links <= most_message_bytes * static_cast<double>(blocks);
}

bool can_be_sent(const Pipeline& pipeline, BlockIndex blocks, const Call& call) {
  const double most_bytes = most_mean_message_bytes(call.problem.ranks) * rounds_of(pipeline, blocks);
  return bytes_of(pipeline, blocks) <= most_bytes && can_be_passed_on(call, blocks);
}

/// Blocks whose messages have about so many bytes.
BlockIndex blocks_of_size(const Pipeline& pipeline, const Call& call, double message_bytes) {
  return std::min(call.most_blocks, blocks_for_messages(pipeline, message_bytes));
}

/// By what predictions are made: what rounds take; or, where that is not known or does not count, the linear
/// model.
struct Ground {
  Network network;
  double most_message_bytes;
  const RoundTimes* times = nullptr;
};

bool has_several_links(const Call& call) {
  return call.problem.hosts != nullptr && call.problem.hosts->links > 1;
}

/// Sums go by links' pace alone, for that is the same in all jobs.
bool is_in_large_messages(const Call& call, const FoundNetwork& found) {
  return found.pace == Pace::fast && (gains_in_large_messages(call) || is_large_broadcast(call));
}

/// On a network that was measured messages may be as large as the model wants.
Ground ground_without_times(const Call& call, const Settings& settings, const FoundNetwork& found) {
  if (settings.profile.has_network()) return {settings.profile.network, most_message_bytes};
  if (is_in_large_messages(call, found)) return {fast_network, most_message_bytes};
  const std::int64_t most =
      has_several_links(call) ? most_default_message_bytes_over_links : most_default_message_bytes;
  return {default_network, static_cast<double>(most)};
}

/// What was measured, if the call goes by it.
const RoundTimes* times_for(const Call& call, const Settings& settings, const FoundNetwork& found) {
  const bool follows =
      found.is_one_memory ? depends_on_memory_times(call, settings) : depends_on_round_times(call, settings);
  return follows ? found.times() : nullptr;
}

Ground ground_of(const Call& call, const Settings& settings, const FoundNetwork& found) {
  Ground ground = ground_without_times(call, settings, found);
  ground.times = times_for(call, settings, found);
  return ground;
}

/// The model's seconds, where a message that cannot be cut costs twice what its pieces would.
double seconds_by_model(const Pipeline& pipeline, BlockIndex blocks, const Ground& ground) {
  const double messages = bytes_of(pipeline, blocks) / ground.most_message_bytes;
  return predicted_seconds(pipeline, ground.network, blocks) +
         2 * std::max(0.0, messages - rounds_of(pipeline, blocks)) * ground.network.latency_s;
}

/// Silent rounds are within hosts, which the shortest messages between them stand for.
double seconds_by_times(const Pipeline& pipeline, BlockIndex blocks, const RoundTimes& times) {
  const double rounds = rounds_of(pipeline, blocks);
  const double bytes = bytes_of(pipeline, blocks);
  if (bytes > static_cast<double>(times.most_bytes) * rounds) return std::numeric_limits<double>::infinity();
  const double silent = pipeline.silent_per_block * static_cast<double>(blocks) + pipeline.silent_fixed;
  return rounds * times.seconds(bytes / rounds) + silent * times.measured.front().seconds +
         pipeline.combined_part * bytes * default_network.seconds_per_combined_byte;
}

/// A schedule with messages that MPI cannot count takes forever.
double seconds_for(const Pipeline& pipeline, BlockIndex blocks, const Call& call, const Ground& ground) {
  if (!can_be_sent(pipeline, blocks, call)) return std::numeric_limits<double>::infinity();
  return ground.times != nullptr ? seconds_by_times(pipeline, blocks, *ground.times)
                                 : seconds_by_model(pipeline, blocks, ground);
}

/// Does a chain carry its data, which knows one of the several links that each host has?
bool is_by_chain_over_links(const Call& call) {
  const Collective collective = call.problem.collective;
  return has_several_links(call) && (collective == Collective::scan || collective == Collective::exscan);
}

/// So many blocks, which one link of each host carries; or as many as have messages that MPI libraries cut
/// over all of them, where that is quicker.
BlockIndex blocks_over_links(BlockIndex blocks, BlockIndex fewest, const Pipeline& pipeline, const Call& call,
                             const Network& network) {
  const BlockIndex cut =
      std::max(fewest, blocks_of_size(pipeline, call, most_default_message_bytes_over_links));
  Network of_all = network;
  of_all.seconds_per_byte /= call.problem.hosts->links;
  const bool gains = predicted_seconds(pipeline, of_all, cut) < predicted_seconds(pipeline, network, blocks);
  return gains ? cut : blocks;
}

/// The best number of blocks by the model, but in messages that are not too large.
BlockIndex blocks_by_model(const Pipeline& pipeline, const Call& call, const Ground& ground) {
  const BlockIndex fewest = blocks_of_size(pipeline, call, ground.most_message_bytes);
  const BlockIndex best = std::max(fewest, best_blocks(pipeline, ground.network, call.most_blocks));
  return is_by_chain_over_links(call) ? blocks_over_links(best, fewest, pipeline, call, ground.network)
                                      : best;
}

/// The best of those for messages of the measured sizes, or of larger ones; of about equally good ones the
/// most, for with shorter messages a pipeline fills sooner, and links' bursts make longer ones look better.
/// Messages shorter than were measured must be clearly better.
BlockIndex blocks_by_times(const Pipeline& pipeline, const Call& call, const Ground& ground) {
  const auto seconds = [&](BlockIndex blocks) { return seconds_for(pipeline, blocks, call, ground); };
  std::vector<BlockIndex> tried{1};
  for (const RoundTime& each : std::span(ground.times->measured).subspan(1))
    tried.push_back(blocks_of_size(pipeline, call, static_cast<double>(each.bytes)));
  for (std::int64_t bytes = 2 * ground.times->measured.back().bytes; bytes < call.bytes; bytes *= 2)
    tried.push_back(blocks_of_size(pipeline, call, static_cast<double>(bytes)));
  const double enough_s = about_equal * seconds(*std::ranges::min_element(tried, {}, seconds));
  std::ranges::sort(tried, std::greater{});
  BlockIndex best = *std::ranges::find_if(tried, [&](BlockIndex each) { return seconds(each) <= enough_s; });
  for (const double bytes : {16384.0, 8192.0, 4096.0}) {
    const BlockIndex more = blocks_of_size(pipeline, call, bytes);
    if (about_equal * seconds(more) < seconds(best)) best = more;
  }
  return best;
}

/// Ranks of the fullest host to each of its links.
Rank ranks_of_a_link(const Hosts* hosts) {
  return hosts == nullptr ? 1 : (hosts->most_ranks() + hosts->links - 1) / hosts->links;
}

/// Where nothing was measured: half as long where ranks share a link, for several have some under way there.
std::int64_t usual_piece_bytes(Rank ranks) { return most_default_message_bytes / (ranks > 1 ? 2 : 1); }

/// Does a link carry as many bytes a second in the shorter messages? Of what a round of them takes, all that
/// does not grow with bytes passes for all of a host's ranks at once.
bool serve_as_well(const RoundTime& shorter, const RoundTime& longer, Rank ranks) {
  const double wire_s =
      (longer.seconds - shorter.seconds) / static_cast<double>(longer.bytes - shorter.bytes);
  const double start_s = std::max(0.0, shorter.seconds - wire_s * static_cast<double>(shorter.bytes)) / ranks;
  const auto seconds_per_byte = [&](std::int64_t bytes) {
    return wire_s + start_s / static_cast<double>(bytes);
  };
  return seconds_per_byte(shorter.bytes) <= about_equal * seconds_per_byte(longer.bytes);
}

/// The shortest that serve as well: the less is under way at a port, the less do messages that others wait
/// for queue behind those that nobody waits for. Larger ones than libraries send without leave must be
/// clearly better.
std::int64_t best_piece_bytes(const RoundTimes& found, Rank ranks) {
  std::int64_t best = most_default_message_bytes;
  for (const RoundTime& each : found.measured) {
    if (each.bytes > best && each.seconds_per_byte() < gain * found.seconds_per_byte(best)) best = each.bytes;
  }
  if (best > most_default_message_bytes) return best;
  const RoundTime usual{best, found.seconds(static_cast<double>(best))};
  for (const RoundTime& each : found.measured) {
    if (each.bytes < best && serve_as_well(each, usual, ranks)) return each.bytes;
  }
  return best;
}

/// As the user asks; else the best that is known.
BlockIndex blocks_for(const Algorithm& algorithm, const Pipeline& pipeline, const Call& call,
                      const Settings& settings, const Ground& ground) {
  if (settings.block_bytes > 0)
    return blocks_of_size(pipeline, call, static_cast<double>(settings.block_bytes));
  if (settings.paper_blocks && algorithm.paper_blocks != nullptr)
    return std::min(call.most_blocks, algorithm.paper_blocks(load_of(call), *settings.paper_blocks));
  return ground.times != nullptr ? blocks_by_times(pipeline, call, ground)
                                 : blocks_by_model(pipeline, call, ground);
}

}  // namespace

const Network& network_of(const Settings& settings) {
  return settings.profile.has_network() ? settings.profile.network : default_network;
}

Pieces pieces_on(const Settings& settings, const RoundTimes* found, const Hosts* hosts) {
  const Rank ranks = ranks_of_a_link(hosts);
  Pieces pieces{usual_piece_bytes(ranks), pieces_in_flight};
  if (found != nullptr && settings.adapt != Adapt::off) pieces.bytes = best_piece_bytes(*found, ranks);
  if (settings.block_bytes > 0) pieces.bytes = settings.block_bytes;
  if (settings.rounds_in_flight > 0) pieces.in_flight = settings.rounds_in_flight;
  return pieces;
}

Candidate predicted(const Algorithm& algorithm, const Call& call, const Settings& settings,
                    const FoundNetwork& found) {
  const Ground ground = ground_of(call, settings, found);
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  const BlockIndex blocks = blocks_for(algorithm, pipeline, call, settings, ground);
  return {&algorithm, blocks, seconds_for(pipeline, blocks, call, ground)};
}

Candidate predicted_with(std::int64_t message_bytes, const Algorithm& algorithm, const Call& call,
                         const Settings& settings) {
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  const BlockIndex blocks = blocks_of_size(pipeline, call, static_cast<double>(message_bytes));
  return {&algorithm, blocks, seconds_for(pipeline, blocks, call, ground_without_times(call, settings, {}))};
}

double seconds_on(const RoundTimes& found, const Algorithm& algorithm, const Call& call, BlockIndex blocks) {
  return seconds_by_times(algorithm.pipeline(load_of(call)), blocks, found);
}

double seconds_of_exchange(const RoundTimes& found, std::int64_t port_bytes) {
  const RoundTime& best = std::ranges::min(found.measured, {}, &RoundTime::seconds_per_byte);
  return static_cast<double>(port_bytes) * best.seconds_per_byte();
}

double rounds_between_hosts(const Algorithm& algorithm, const Call& call, BlockIndex blocks) {
  return rounds_of(algorithm.pipeline(load_of(call)), blocks);
}

double mean_message_bytes(const Algorithm& algorithm, const Call& call, BlockIndex blocks) {
  const Pipeline pipeline = algorithm.pipeline(load_of(call));
  return bytes_of(pipeline, blocks) / rounds_of(pipeline, blocks);
}

std::vector<Candidate> candidates(const Call& call, const Settings& settings, const FoundNetwork& found) {
  std::vector<Candidate> result;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.role == Role::candidate && suits(algorithm, call.problem))
      result.push_back(predicted(algorithm, call, settings, found));
  }
  return result;
}

bool depends_on_round_times(const Call& call, const Settings& settings) {
  const bool may_follow = settings.adapt == Adapt::all || follows_round_times(call.problem.collective);
  return may_follow && is_free_to_follow(call, settings);
}

bool depends_on_memory_times(const Call& call, const Settings& settings) {
  const bool is_same_in_any_order = call.problem.collective != Collective::allgather && !changes_bits(call);
  return (settings.adapt == Adapt::all || is_same_in_any_order) && is_free_to_follow(call, settings);
}

bool gains_in_large_messages(const Call& call) {
  return is_one_way_sum(call.problem.collective) && call.problem.hosts == nullptr &&
         call.bytes >= least_bytes_of_sums;
}

bool is_large_broadcast(const Call& call) {
  return call.problem.collective == Collective::broadcast && call.problem.hosts == nullptr &&
         call.bytes >= least_bytes_of_broadcasts;
}

Round rounds_in_flight(const Call& call, const Settings& settings, const FoundNetwork& found) {
  if (settings.rounds_in_flight > 0) return settings.rounds_in_flight;
  const RoundTimes* const times = times_for(call, settings, found);
  return times != nullptr ? times->in_flight : 1;
}

}  // namespace rota::mpi
