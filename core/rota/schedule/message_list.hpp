// Schedules that are known as a list of messages, because they were worked out for all ranks together.
#pragma once

#include <vector>

#include "rota/schedule/schedule.hpp"

namespace rota {

/// `from` sends these blocks to `to` in that round; they are stored.
struct TimedMessage {
  Round round = 0;
  Rank from = 0;
  Rank to = 0;
  Blocks blocks;
};

/// The schedule of these messages, in as many rounds as the last one of them needs. Of two messages of one
/// port in one round only one is played: verify would miss the other. Throws std::invalid_argument for
/// messages to or from what is no rank. Time and memory O(messages log messages + ranks); of_rank O(1); a
/// step O(log of the rank's messages).
Schedule schedule_of_messages(const Problem& problem, std::vector<TimedMessage> messages);

/// The same, where the list is only the order in which ports handle their messages: each message gets the
/// first round after those of its sender's and its receiver's messages before it. Its own round does not
/// count.
Schedule schedule_in_order(const Problem& problem, std::vector<TimedMessage> messages);

}  // namespace rota
