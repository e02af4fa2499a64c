// In what messages calls go before rounds have been measured: short ones, but large calls of ranks with a link each in large ones
// where links are fast; broadcasts only where processors are scarce. And how sums follow what was measured then.
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

double message_bytes(const Call& call, Pace pace, Processors processors = Processors::scarce) {
  const Choice choice = choose(
      call, Settings{}, {.pace = pace, .processors = processors, .round_times = {}, .is_crowded = false});
  require(choice.algorithm != nullptr, "a schedule serves it");
  return mean_message_bytes(*choice.algorithm, call, choice.blocks);
}

void are_large_where_links_are_fast() {
  for (const Collective collective :
       {Collective::broadcast, Collective::reduce, Collective::scan, Collective::allreduce}) {
    for (const std::int64_t bytes : {4 * mebibyte, 64 * mebibyte})
      require(message_bytes(call_of(collective, bytes), Pace::fast) > short_bytes * 8, "few");
    require(message_bytes(call_of(collective, 16 * mebibyte), Pace::slow) <= short_bytes, "slow links");
  }
}

void are_short_where_ranks_have_processors() {
  const auto bytes_of = [](Collective collective, Processors processors) {
    return message_bytes(call_of(collective, 16 * mebibyte), Pace::fast, processors);
  };
  for (const Processors processors : {Processors::enough, Processors::unknown}) {
    require(bytes_of(Collective::broadcast, processors) <= short_bytes, "of broadcasts");
    require(bytes_of(Collective::reduce, processors) > short_bytes * 8, "sums keep their order");
  }
  require(bytes_of(Collective::allreduce, Processors::enough) <= short_bytes, "of sums that do anyway");
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

/// Best in messages of 128 KiB, two at once.
RoundTimes measured() {
  return {.measured = {{1 << 10, 1e-4}, {1 << 17, 2e-4}, {1 << 19, 1.6e-3}}, .in_flight = 2};
}

Choice on_fast_links(Collective collective, std::int64_t bytes, const std::optional<RoundTimes>& times) {
  return choose(call_of(collective, bytes), Settings{},
                {.pace = Pace::fast, .round_times = times, .is_crowded = false});
}

/// Rounds wait for processors that others have, whatever their messages.
RoundTimes measured_beside_others() {
  return {.measured = {{1 << 10, 4e-3}, {1 << 17, 4.1e-3}, {1 << 19, 4.4e-3}}, .in_flight = 1};
}

/// Only then may sums follow what was measured: the same schedule, cut in another way.
void follow_the_network_where_that_changes_no_order() {
  for (const Collective collective : {Collective::allreduce, Collective::scan, Collective::exscan}) {
    const Choice before = on_fast_links(collective, 16 * mebibyte, {});
    const Choice after = on_fast_links(collective, 16 * mebibyte, measured());
    require(before.algorithm != nullptr && before.algorithm->keeps_order, "a schedule of one order");
    require(after.algorithm == before.algorithm, "the same one");
    require(after.blocks > 4 * before.blocks, "in shorter messages");
    require(before.in_flight == 1 && after.in_flight == 2, "in flight");
    const Choice beside_others = on_fast_links(collective, 16 * mebibyte, measured_beside_others());
    require(mean_message_bytes(*after.algorithm, call_of(collective, 16 * mebibyte), beside_others.blocks) >
                mebibyte,
            "in larger ones than were measured");
    require(on_fast_links(collective, 2 * mebibyte, measured()).algorithm == nullptr, "little data");
  }
  const Call large = call_of(Collective::allreduce, 16 * mebibyte);
  require(choose(large, Settings{}, {.pace = Pace::fast, .round_times = {}}).algorithm == nullptr,
          "an allreduce of ranks that share processors is native");
  const Choice before = on_fast_links(Collective::reduce, 16 * mebibyte, {});
  const Choice after = on_fast_links(Collective::reduce, 16 * mebibyte, measured());
  require(!before.algorithm->keeps_order && after.blocks == before.blocks && after.in_flight == 1,
          "others do not");
  const Call call = call_of(Collective::scan, 16 * mebibyte);
  require(choose(call, Settings{}, {.pace = Pace::slow, .round_times = measured()}).blocks ==
              choose(call, Settings{}, {.pace = Pace::slow, .round_times = {}}).blocks,
          "nor on slow links, whose bytes are what takes time");
}

bool depends(Collective collective, std::int64_t bytes, const Settings& settings = {}) {
  return sizes_depend_on_processors(call_of(collective, bytes), settings);
}

void processors_count_where_messages_depend_on_them() {
  require(depends(Collective::broadcast, mebibyte), "a large broadcast");
  require(!depends(Collective::broadcast, mebibyte / 2), "a small one");
  require(!depends(Collective::allgather, 4 * mebibyte), "an allgather");
  require(depends(Collective::allreduce, 4 * mebibyte), "a sum of one order");
  require(!depends(Collective::reduce, 4 * mebibyte), "another");
  Settings asked;
  asked.block_bytes = 1000;
  require(!depends(Collective::broadcast, 4 * mebibyte, asked), "users decide");
}

}  // namespace

int main() try {
  are_large_where_links_are_fast();
  are_short_where_nobody_knows();
  are_short_where_ranks_have_processors();
  follow_the_network_where_that_changes_no_order();
  processors_count_where_messages_depend_on_them();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
