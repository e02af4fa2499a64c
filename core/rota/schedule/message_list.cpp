#include "rota/schedule/message_list.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace rota {

namespace {

/// A message as one of its ports sees it: position `message` in the list.
struct Use {
  Round round = 0;
  std::size_t message = 0;
};

/// Which messages a port handles, in the order of rounds.
using Port = std::vector<Use>;

struct MessageList {
  std::vector<TimedMessage> messages;
  std::vector<Port> sends;     // by rank
  std::vector<Port> receives;  // by rank
};

const TimedMessage* in_round(const MessageList& list, const Port& port, Round round) {
  const auto found = std::ranges::lower_bound(port, round, {}, &Use::round);
  return found != port.end() && found->round == round ? &list.messages[found->message] : nullptr;
}

Step step(const MessageList& list, Rank rank, Round round) {
  const auto r = static_cast<std::size_t>(rank);
  Step result;
  if (const TimedMessage* const sent = in_round(list, list.sends[r], round))
    result.send = {sent->to, sent->blocks};
  if (const TimedMessage* const received = in_round(list, list.receives[r], round))
    result.receive = {received->from, received->blocks};
  return result;
}

void require_rank(Rank rank, Rank ranks) {
  if (rank >= 0 && rank < ranks) return;
  throw std::invalid_argument("a message to or from rank " + std::to_string(rank) + "; ranks are 0.." +
                              std::to_string(ranks - 1));
}

void require_ranks(const Problem& problem, const std::vector<TimedMessage>& messages) {
  for (const TimedMessage& each : messages) {
    require_rank(each.from, problem.ranks);
    require_rank(each.to, problem.ranks);
  }
}

std::shared_ptr<const MessageList> by_port(std::vector<TimedMessage> messages, Rank ranks) {
  auto list = std::make_shared<MessageList>();
  list->messages = std::move(messages);
  list->sends.resize(static_cast<std::size_t>(ranks));
  list->receives.resize(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < list->messages.size(); ++i) {
    const TimedMessage& each = list->messages[i];
    list->sends[static_cast<std::size_t>(each.from)].push_back({each.round, i});
    list->receives[static_cast<std::size_t>(each.to)].push_back({each.round, i});
  }
  for (auto* const side : {&list->sends, &list->receives}) {
    for (Port& port : *side)
      std::ranges::sort(port, {}, [](const Use& use) { return std::pair(use.round, use.message); });
  }
  return list;
}

}  // namespace

Schedule schedule_of_messages(const Problem& problem, std::vector<TimedMessage> messages) {
  require_ranks(problem, messages);
  Round rounds = 0;
  for (const TimedMessage& each : messages) rounds = std::max(rounds, each.round + 1);
  return {problem, rounds, [list = by_port(std::move(messages), problem.ranks)](Rank rank) -> RankSchedule {
            return [list, rank](Round round) { return step(*list, rank, round); };
          }};
}

Schedule schedule_in_order(const Problem& problem, std::vector<TimedMessage> messages) {
  require_ranks(problem, messages);
  std::vector<Round> send_free(static_cast<std::size_t>(problem.ranks));
  std::vector<Round> receive_free(send_free.size());
  for (TimedMessage& each : messages) {
    Round& sends_next = send_free[static_cast<std::size_t>(each.from)];
    Round& receives_next = receive_free[static_cast<std::size_t>(each.to)];
    each.round = std::max(sends_next, receives_next);
    sends_next = receives_next = each.round + 1;
  }
  return schedule_of_messages(problem, std::move(messages));
}

}  // namespace rota
