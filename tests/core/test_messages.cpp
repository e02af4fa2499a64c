// In what messages calls go before rounds have been measured: short ones, but large calls of ranks with a link each in larger ones
// where links are fast; allreduces only where ranks need not share processors. And which sums stay native, by links' pace; and what
// may gain on one host.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>

#include "require.hpp"
#include "rota/generators/index.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/choose.hpp"

namespace {

using namespace rota;
using namespace rota::mpi;

constexpr std::int64_t mebibyte = 1048576;
constexpr double short_bytes = 60 * 1024;

Call call_of(Collective collective, std::int64_t bytes) {
  Call call;
  call.problem = {collective, 4};
  call.bytes = bytes;
  call.most_blocks = bytes / 8;
  return call;
}

double message_bytes(const Call& call, Pace pace) {
  const Choice choice = choose(call, Settings{}, {.pace = pace, .round_times = {}});
  require(choice.algorithm != nullptr, "a schedule serves it");
  return mean_message_bytes(*choice.algorithm, call, choice.blocks);
}

void are_large_where_links_are_fast() {
  for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::scan}) {
    const auto bytes_of = [&](std::int64_t bytes) {
      return message_bytes(call_of(collective, bytes), Pace::fast);
    };
    require(bytes_of(mebibyte) > 1e5 && bytes_of(mebibyte) < 3e5, "of a mebibyte");
    require(bytes_of(4 * mebibyte) > 2e5 && bytes_of(4 * mebibyte) < 5e5, "of four");
    require(bytes_of(64 * mebibyte) > 1e6 && bytes_of(64 * mebibyte) < 2e6, "of many");
    require(message_bytes(call_of(collective, 16 * mebibyte), Pace::slow) <= short_bytes, "slow links");
  }
}

void are_short_where_nobody_knows() {
  const Call large = call_of(Collective::broadcast, 16 * mebibyte);
  require(message_bytes(large, Pace::unknown) <= short_bytes, "no pace is known");
  require(message_bytes(call_of(Collective::broadcast, mebibyte / 2), Pace::fast) <= short_bytes,
          "little data");
  Call shared = large;
  shared.problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(4, 2));
  require(message_bytes(shared, Pace::fast) <= short_bytes, "ranks share hosts");
}

/// So many bytes, over so many hosts of four ranks and two links each.
double message_bytes_over_links(std::int64_t bytes, Rank hosts) {
  Call call = call_of(Collective::scan, bytes);
  call.problem.ranks = 4 * hosts;
  call.problem.hosts = std::make_shared<const Hosts>(with_links(hosts_in_a_row(4 * hosts, hosts), 2));
  return message_bytes(call, Pace::slow);
}

void of_chains_are_cut_over_links() {
  const double cut = 131072;
  for (const std::int64_t bytes : {2 * mebibyte, 8 * mebibyte, 64 * mebibyte}) {
    const double each = message_bytes_over_links(bytes, 4);
    require(each > 0.9 * cut && each <= cut, "all links carry them");
  }
  require(message_bytes_over_links(mebibyte / 2, 32) < cut / 2, "a long chain of few messages");
}

/// Rounds through it, of messages up to the largest that a box holds.
FoundNetwork memory_of_one_host() {
  const RoundTimes times{.measured = {{1024, 2e-6}, {32768, 8e-6}, {131072, 2e-5}, {262144, 3e-5}},
                         .most_bytes = 262144};
  return {.round_times = std::make_shared<const RoundTimes>(times), .is_one_memory = true};
}

Call call_on_one_host(Collective collective, std::int64_t bytes) {
  Call call = call_of(collective, bytes);
  call.problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(4, 1));
  return call;
}

void fit_into_the_memory_of_one_host() {
  const FoundNetwork found = memory_of_one_host();
  for (std::int64_t bytes = 300000; bytes < 100 * mebibyte; bytes += bytes / 3) {
    const Call call = call_on_one_host(Collective::broadcast, bytes);
    const Choice choice = choose(call, Settings{}, found);
    require(choice.algorithm != nullptr && choice.seconds > 0, "a schedule may gain");
    require(mean_message_bytes(*choice.algorithm, call, choice.blocks) <= 262144, "by messages that fit");
    require(choose(call, Settings{}, {}).algorithm == nullptr, "not before rounds have been measured");
  }
}

void are_native_on_one_host_else() {
  const FoundNetwork found = memory_of_one_host();
  const auto chosen = [&](Collective collective, bool is_exact, Adapt adapt) {
    Call call = call_on_one_host(collective, 8 * mebibyte);
    call.is_exact = is_exact;
    Settings settings;
    settings.adapt = adapt;
    return choose(call, settings, found).algorithm;
  };
  for (const Collective sum : {Collective::reduce, Collective::allreduce, Collective::scan}) {
    require(chosen(sum, false, Adapt::moved) == nullptr, "sums keep their order");
    require(chosen(sum, true, Adapt::moved) != nullptr, "but where it does not show");
    require(chosen(sum, false, Adapt::all) != nullptr, "or the user lets them change it");
    require(chosen(sum, true, Adapt::off) == nullptr, "nothing follows what was measured");
  }
  require(chosen(Collective::allgather, false, Adapt::moved) == nullptr, "allgathers gain nothing");
}

FoundNetwork fast_links() { return {.pace = Pace::fast, .round_times = {}, .ranks_a_processor = 1}; }

Call allreduce_of(Rank ranks, std::int64_t bytes) {
  Call call = call_of(Collective::allreduce, bytes);
  call.problem.ranks = ranks;
  return call;
}

void are_short_enough_of_little_data_on_one_host() {
  for (const Collective collective :
       {Collective::broadcast, Collective::allgather, Collective::reduce_scatter}) {
    const Call call = call_on_one_host(collective, 12);
    for (int position = 0; position < std::ssize(algorithms()); ++position) {
      Settings settings;
      settings.wishes[static_cast<std::size_t>(collective)].algorithm = position;
      const Choice choice = choose(call, settings, {});
      const std::string name(algorithms()[static_cast<std::size_t>(position)].name);
      require(choice.algorithm != nullptr || std::string(choice.reason) != "messages of 2 GiB", name);
    }
  }
}

void of_allreduces_are_chunks() {
  const Algorithm* const chunks = find_algorithm(Collective::allreduce, "circulant_chunks");
  require(chunks->keeps_order, "in one order");
  for (const Rank ranks : {3, 4, 15, 16, 17, 64, 1000}) {
    for (const std::int64_t bytes : {4 * mebibyte, 16 * mebibyte, 4096 * mebibyte}) {
      const Call call = allreduce_of(ranks, bytes);
      const Choice choice = choose(call, Settings{}, fast_links());
      require(choice.algorithm == chunks, "the same schedule");
      const double each = mean_message_bytes(*chunks, call, choice.blocks);
      require(each > 131072 && each <= 524288, "middling messages");
    }
  }
}

bool is_native(const Call& call, const FoundNetwork& found, const Settings& settings = {}) {
  return choose(call, settings, found).algorithm == nullptr;
}

bool is_in_chunks(const Call& call, const Settings& settings, const FoundNetwork& found) {
  const Algorithm* const algorithm = choose(call, settings, found).algorithm;
  return algorithm != nullptr && algorithm->name == "circulant_chunks";
}

void are_native_in_an_allreduce_else() {
  const FoundNetwork fast = fast_links();
  FoundNetwork crowded = fast;
  crowded.ranks_a_processor = 2;
  require(is_native(allreduce_of(4, 16 * mebibyte), crowded), "of ranks that share processors");
  require(is_native(allreduce_of(4, 2 * mebibyte), fast), "of little data");
  const FoundNetwork slow{.pace = Pace::slow, .round_times = {}};
  const FoundNetwork medium{.pace = Pace::medium, .round_times = {}};
  require(
      is_native(allreduce_of(4, mebibyte / 2 - 8), slow) && !is_native(allreduce_of(4, mebibyte / 2), slow),
      "on slow links");
  require(is_native(allreduce_of(4, mebibyte), medium) && !is_native(allreduce_of(4, 2 * mebibyte), medium),
          "on medium ones");
  Call in_order = allreduce_of(4, 16 * mebibyte);
  in_order.problem.in_order = true;
  require(is_native(in_order, fast), "of an operator that does not commute");
  const Call large = allreduce_of(4, 16 * mebibyte);
  for (const FoundNetwork& found : {crowded, slow})
    require(!is_in_chunks(large, Settings{}, found), "on crowded machines, and slow links");
  require(is_in_chunks(large, Settings{}, fast), "but here");
  Settings asked;
  asked.wishes[static_cast<std::size_t>(Collective::allreduce)].algorithm = 0;
  require(!is_in_chunks(large, asked, fast), "users decide");
}

/// To each of so many ranks its share.
Call shares_of(std::int64_t bytes, Rank ranks, const Hosts& hosts) {
  Call call = call_of(Collective::reduce_scatter, bytes);
  call.problem.ranks = ranks;
  call.problem.hosts = std::make_shared<const Hosts>(hosts);
  call.smallest_share_bytes = call.largest_share_bytes = bytes / ranks;
  return call;
}

void are_native_in_shares_where_a_ring_passes_links_once() {
  const Hosts in_a_row = hosts_in_a_row(16, 4);
  const Hosts in_turn = hosts_called({0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
  const FoundNetwork medium{.pace = Pace::medium, .round_times = {}};
  const FoundNetwork slow{.pace = Pace::slow, .round_times = {}};
  require(is_native(shares_of(2 * mebibyte, 16, in_a_row), medium), "in a row");
  require(!is_native(shares_of(4 * mebibyte, 16, in_a_row), medium), "but not large ones");
  require(!is_native(shares_of(2 * mebibyte, 16, in_turn), medium), "nor in turn");
  require(!is_native(shares_of(2 * mebibyte, 16, in_a_row), slow), "nor on slow links");
}

/// Of 32 ranks on eight hosts, by how many share a processor.
void are_native_in_shares_where_ranks_take_turns() {
  const Hosts in_a_row = hosts_in_a_row(32, 8);
  for (const Rank ranks_a_processor : {1, 2, 8, 16, 32}) {
    const FoundNetwork slow{.pace = Pace::slow, .round_times = {}, .ranks_a_processor = ranks_a_processor};
    const std::int64_t least = std::max<std::int64_t>(mebibyte / 4, ranks_a_processor * (mebibyte * 3 / 32));
    require(is_native(shares_of(least - 256, 32, in_a_row), slow), "of little data");
    require(!is_native(shares_of(least, 32, in_a_row), slow), "but not of more");
  }
}

/// Of such a call's largest data that goes native, and of more.
void require_halves_below(std::int64_t bytes, const Hosts& hosts, NativeLibrary library, bool has_one_count,
                          const char* where) {
  const FoundNetwork slow{.pace = Pace::slow, .round_times = {}};
  Settings settings;
  settings.native = library;
  const auto is_native_of = [&](std::int64_t size) {
    Call call = shares_of(size, static_cast<Rank>(hosts.of_rank.size()), hosts);
    call.has_one_count = has_one_count;
    return is_native(call, slow, settings);
  };
  require(is_native_of(bytes - 256), where);
  require(!is_native_of(bytes), where);
}

void are_native_in_shares_where_halves_stay_on_hosts() {
  const Hosts in_turn = hosts_called({0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
  const Hosts to_three = hosts_called({0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0});
  const Hosts of_twelve = hosts_called({0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
  const std::int64_t else_from = mebibyte / 4;
  const NativeLibrary mpich = NativeLibrary::mpich;
  const NativeLibrary open_mpi = NativeLibrary::open_mpi;
  require_halves_below(mebibyte / 2, in_turn, mpich, false, "MPICH, in turn");
  require_halves_below(mebibyte / 2, in_turn, mpich, true, "MPICH, of one count");
  require_halves_below(mebibyte / 2, in_turn, open_mpi, true, "Open MPI, of one count");
  require_halves_below(else_from, in_turn, open_mpi, false, "Open MPI, of any counts");
  require_halves_below(else_from, to_three, mpich, true, "to three hosts");
  require_halves_below(else_from, of_twelve, mpich, true, "twelve ranks");
}

}  // namespace

int main() try {
  are_large_where_links_are_fast();
  are_short_where_nobody_knows();
  of_chains_are_cut_over_links();
  fit_into_the_memory_of_one_host();
  are_native_on_one_host_else();
  are_short_enough_of_little_data_on_one_host();
  of_allreduces_are_chunks();
  are_native_in_an_allreduce_else();
  are_native_in_shares_where_a_ring_passes_links_once();
  are_native_in_shares_where_ranks_take_turns();
  are_native_in_shares_where_halves_stay_on_hosts();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
