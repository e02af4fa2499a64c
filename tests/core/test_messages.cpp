// In what messages calls go before rounds have been measured: short ones, but large calls of ranks with a link each in large ones
// where links are fast; broadcasts and allreduces only where processors are scarce.
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

/// Which it may, for in whichever messages it goes, values are combined in one order.
void of_an_allreduce_follow_processors() {
  const Call call = call_of(Collective::allreduce, 16 * mebibyte);
  const auto chosen = [&](Processors processors, bool is_crowded) {
    return choose(
        call, Settings{},
        {.pace = Pace::fast, .processors = processors, .round_times = {}, .is_crowded = is_crowded});
  };
  const Choice large = chosen(Processors::scarce, false);
  require(large.algorithm != nullptr && large.algorithm->keeps_order, "a schedule of one order");
  require(large.blocks == 1, "the least number of messages");
  const Choice middling = chosen(Processors::enough, false);
  require(middling.algorithm == large.algorithm, "the same schedule");
  const double bytes = mean_message_bytes(*middling.algorithm, call, middling.blocks);
  require(bytes > 2 * short_bytes && bytes <= 262144, "neither short nor large");
  require(chosen(Processors::enough, true).algorithm == nullptr, "native where ranks share processors");
  const Call small = call_of(Collective::allreduce, 2 * mebibyte);
  require(choose(small, Settings{}, {.pace = Pace::fast, .round_times = {}, .is_crowded = false}).algorithm ==
              nullptr,
          "native below");
}

bool depends(Collective collective, std::int64_t bytes, const Settings& settings = {}) {
  const FoundNetwork fast{.pace = Pace::fast, .round_times = {}, .is_crowded = false};
  return sizes_depend_on_processors(call_of(collective, bytes), settings, fast);
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
  of_an_allreduce_follow_processors();
  processors_count_where_messages_depend_on_them();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
