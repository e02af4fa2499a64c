// Who sends how many bytes to whom in the all-to-many collectives.
#pragma once

#include <cstdint>
#include <vector>

#include "contest.hpp"
#include "shares.hpp"

namespace rota::bench {

/// The messages of all ranks, of which the busiest rank sends or receives `port_bytes`, rounded up to whole
/// messages. None if there is one rank. The same on all ranks.
std::vector<Message> messages(int port_bytes, Shape shape, int ranks);

/// The most bytes that a rank sends or receives.
std::int64_t port_bytes(const std::vector<Message>& messages, int ranks);

/// What a rank sends, or receives: bytes by peer, one after the other.
Shares sent_by(int rank, const std::vector<Message>& messages, int ranks);
Shares received_by(int rank, const std::vector<Message>& messages, int ranks);

}  // namespace rota::bench
