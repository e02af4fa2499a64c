#include "asked_call.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "rota/schedule/groups.hpp"

namespace rota {

namespace {

/// Of both groups: their messages are worked out for all ranks together.
constexpr Rank most_ranks_between = 1 << 12;

constexpr std::array served_between{Collective::broadcast, Collective::reduce, Collective::allgather,
                                    Collective::allreduce};

/// What the model's floating-point numbers count exactly.
constexpr std::int64_t most_bytes = std::int64_t{1} << 53;

/// A call as it is asked about.
struct Question {
  Collective collective;
  Rank ranks;
  std::int64_t bytes;
  bool in_order;
  std::optional<std::int64_t> largest_share_bytes;
};

/// The same of a call between two groups.
struct QuestionBetween {
  Collective collective;
  Rank senders;
  Rank receivers;
  std::int64_t bytes;
  bool is_duplex;
  bool in_order;
};

bool has_shares(Collective collective) {
  return collective == Collective::allgather || collective == Collective::reduce_scatter;
}

/// What can be cut apart: bytes of data that is only moved, else items, which are taken for doubles.
std::int64_t item_bytes(Collective collective) {
  const bool is_moved = collective == Collective::broadcast || collective == Collective::allgather ||
                        collective == Collective::inter_broadcast;
  return is_moved ? 1 : 8;
}

void require_share(const Question& question) {
  if (!question.largest_share_bytes) return;
  if (!has_shares(question.collective)) {
    throw std::invalid_argument("only allgather and reduce_scatter have shares: leave out the largest one");
  }
  const std::int64_t even = (question.bytes + question.ranks - 1) / question.ranks;
  const std::int64_t largest = *question.largest_share_bytes;
  if (largest < even || largest > question.bytes) {
    throw std::invalid_argument("the largest share is " + std::to_string(largest) + " bytes; give " +
                                std::to_string(even) + " (all alike) to " + std::to_string(question.bytes));
  }
}

/// Rank 0 has the largest share, what is left is cut evenly among the others; those without data own nothing.
void add_shares(const Question& question, mpi::Call& call) {
  const std::int64_t even = (question.bytes + question.ranks - 1) / question.ranks;
  call.largest_share_bytes = question.largest_share_bytes.value_or(even);
  const std::int64_t rest = question.bytes - call.largest_share_bytes;
  call.smallest_share_bytes =
      question.ranks == 1 ? rest + call.largest_share_bytes : rest / (question.ranks - 1);
  if (call.smallest_share_bytes > 0 || question.bytes == 0) return;
  call.problem.owners.resize(static_cast<std::size_t>(rest) + 1);
  std::iota(call.problem.owners.begin(), call.problem.owners.end(), 0);
}

mpi::Call call_of(const Question& question) {
  mpi::Call call;
  call.problem = {question.collective, question.ranks};
  call.problem.in_order = question.in_order;
  call.bytes = question.bytes;
  if (has_shares(question.collective)) add_shares(question, call);
  const std::int64_t cut_bytes = has_shares(question.collective) ? call.largest_share_bytes : call.bytes;
  call.most_blocks = std::max<std::int64_t>(1, cut_bytes / item_bytes(question.collective));
  return call;
}

/// How many ranks of each group take part: of that with the root, it alone.
std::array<Rank, 2> sizes_of(const QuestionBetween& question) {
  switch (question.collective) {
    case Collective::inter_broadcast:
      return {1, question.receivers};
    case Collective::inter_reduce:
      return {1, question.senders};
    default:
      return {question.senders, question.receivers};
  }
}

mpi::Call call_of(const QuestionBetween& question) {
  const auto [first, second] = sizes_of(question);
  if (question.collective == Collective::inter_allgather) {
    const std::int64_t back = question.is_duplex ? question.bytes : 0;
    return mpi::inter_allgather_call(inter_allgather_problem({first, second}, {question.bytes, back}, 1));
  }
  mpi::Call call;
  call.problem = {question.collective, first + second};
  call.problem.first_group = first;
  call.problem.in_order = question.in_order;
  call.bytes = question.bytes;
  call.most_blocks = std::max<std::int64_t>(1, call.bytes / item_bytes(question.collective));
  require_valid(call.problem);
  return call;
}

/// What a call of that kind is between two groups.
Collective between(const CollectiveOrName& asked) {
  switch (one_of(served_between, asked)) {
    case Collective::broadcast:
      return Collective::inter_broadcast;
    case Collective::reduce:
      return Collective::inter_reduce;
    case Collective::allgather:
      return Collective::inter_allgather;
    default:
      return Collective::inter_allreduce;
  }
}

void require_bytes(std::int64_t bytes) {
  if (bytes < 0)
    throw std::invalid_argument("the data has " + std::to_string(bytes) + " bytes; give 0 or more");
}

}  // namespace

mpi::Call asked_call(const CollectiveOrName& asked, Rank ranks, std::int64_t bytes, bool in_order,
                     std::optional<std::int64_t> largest_share_bytes) {
  const Question question{one_of(within_a_group, asked), ranks, bytes, in_order, largest_share_bytes};
  require_valid({question.collective, ranks});
  require_bytes(bytes);
  require_share(question);
  return call_of(question);
}

mpi::Call asked_call_between(const CollectiveOrName& asked, Rank senders, Rank receivers, std::int64_t bytes,
                             bool is_duplex, bool in_order) {
  require_bytes(bytes);
  if (std::min(senders, receivers) < 1)
    throw std::invalid_argument("an empty group; give each at least 1 rank");
  const Rank more = std::max(senders, receivers);
  if (more > most_ranks_between / 2)
    throw std::invalid_argument(std::to_string(more) + " ranks in a group; give " +
                                std::to_string(most_ranks_between / 2) + " at most");
  if (bytes > most_bytes / more)
    throw std::invalid_argument("a group with " + std::to_string(more) + " times " + std::to_string(bytes) +
                                " bytes; give less than 2^53 in all");
  const QuestionBetween question{between(asked), senders, receivers, bytes, is_duplex, in_order};
  return call_of(question);
}

}  // namespace rota
