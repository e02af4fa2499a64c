// In what messages calls go before rounds have been measured: short ones, but large calls of ranks with a link each in large ones,
// where links are fast.
#include <iostream>

#include "require.hpp"
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
    for (const std::int64_t bytes : {4 * mebibyte, 64 * mebibyte})
      require(message_bytes(call_of(collective, bytes), Pace::fast) > short_bytes * 8, "few");
    require(message_bytes(call_of(collective, 16 * mebibyte), Pace::slow) <= short_bytes, "slow links");
  }
}

void are_short_where_nobody_knows() {
  const Call large = call_of(Collective::broadcast, 16 * mebibyte);
  require(message_bytes(large, Pace::unknown) <= short_bytes, "no pace is known");
  require(message_bytes(call_of(Collective::broadcast, mebibyte), Pace::fast) <= short_bytes, "little data");
  Call shared = large;
  shared.problem.hosts = std::make_shared<const Hosts>(hosts_in_a_row(4, 2));
  require(message_bytes(shared, Pace::fast) <= short_bytes, "ranks share hosts");
}

void pace_is_asked_for_where_it_counts() {
  const Settings settings;
  require(sizes_depend_on_pace(call_of(Collective::broadcast, 4 * mebibyte), settings), "a large broadcast");
  require(!sizes_depend_on_pace(call_of(Collective::broadcast, mebibyte), settings), "a small one");
  require(!sizes_depend_on_pace(call_of(Collective::allgather, 4 * mebibyte), settings), "an allgather");
  Settings asked;
  asked.block_bytes = 1000;
  require(!sizes_depend_on_pace(call_of(Collective::broadcast, 4 * mebibyte), asked), "users decide");
}

}  // namespace

int main() try {
  are_large_where_links_are_fast();
  are_short_where_nobody_knows();
  pace_is_asked_for_where_it_counts();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
