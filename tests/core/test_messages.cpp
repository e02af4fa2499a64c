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
  const Choice choice = choose(call, Settings{}, {.pace = pace, .processors = processors, .round_times = {}});
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

FoundNetwork fast_links(Processors processors) {
  return {.pace = Pace::fast, .processors = processors, .round_times = {}, .is_crowded = false};
}

Call allreduce_of(Rank ranks, std::int64_t bytes) {
  Call call = call_of(Collective::allreduce, bytes);
  call.problem.ranks = ranks;
  return call;
}

/// By one schedule, which adds in one order, whatever processors do: with any number of ranks, and of bytes.
void of_allreduces_follow_processors_in_one_order() {
  const Algorithm* const chunks = find_algorithm(Collective::allreduce, "circulant_chunks");
  require(chunks->keeps_order, "in one order");
  for (const Rank ranks : {3, 4, 15, 16, 17, 64, 1000}) {
    for (const std::int64_t bytes : {4 * mebibyte, 16 * mebibyte, 4096 * mebibyte}) {
      const Call call = allreduce_of(ranks, bytes);
      const Choice few = choose(call, Settings{}, fast_links(Processors::scarce));
      const Choice many = choose(call, Settings{}, fast_links(Processors::enough));
      require(few.algorithm == chunks && many.algorithm == chunks, "the same schedule");
      require(few.blocks == 1 || bytes > 1024 * mebibyte, "one chunk");
      require(mean_message_bytes(*chunks, call, many.blocks) <= 262144, "middling messages");
    }
  }
}

bool is_native(const Call& call, const FoundNetwork& found) {
  return choose(call, Settings{}, found).algorithm == nullptr;
}

void are_native_in_an_allreduce_else() {
  const FoundNetwork fast = fast_links(Processors::enough);
  FoundNetwork crowded = fast;
  crowded.is_crowded = true;
  require(is_native(allreduce_of(4, 16 * mebibyte), crowded), "of ranks that share processors");
  require(is_native(allreduce_of(4, 2 * mebibyte), fast), "of little data");
  Call in_order = allreduce_of(4, 16 * mebibyte);
  in_order.problem.in_order = true;
  require(is_native(in_order, fast), "of an operator that does not commute");
  const Call large = allreduce_of(4, 16 * mebibyte);
  for (const FoundNetwork& found : {crowded, FoundNetwork{.pace = Pace::slow, .round_times = {}}})
    require(!goes_in_chunks(large, Settings{}, found), "nobody asks for processors");
  require(goes_in_chunks(large, Settings{}, fast), "but here");
  Settings asked;
  asked.wishes[static_cast<std::size_t>(Collective::allreduce)].algorithm = 0;
  require(!goes_in_chunks(large, asked, fast), "users decide");
}

bool depends(Collective collective, std::int64_t bytes, const Settings& settings = {}) {
  return sizes_depend_on_processors(call_of(collective, bytes), settings);
}

void processors_count_where_messages_depend_on_them() {
  require(depends(Collective::broadcast, mebibyte), "a large broadcast");
  require(!depends(Collective::broadcast, mebibyte / 2), "a small one");
  require(!depends(Collective::allgather, 4 * mebibyte), "an allgather");
  require(!depends(Collective::reduce, 4 * mebibyte), "a sum");
  Settings asked;
  asked.block_bytes = 1000;
  require(!depends(Collective::broadcast, 4 * mebibyte, asked), "users decide");
}

}  // namespace

int main() try {
  are_large_where_links_are_fast();
  are_short_where_nobody_knows();
  are_short_where_ranks_have_processors();
  of_allreduces_follow_processors_in_one_order();
  are_native_in_an_allreduce_else();
  processors_count_where_messages_depend_on_them();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
