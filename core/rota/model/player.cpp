#include "rota/model/player.hpp"

#include <algorithm>
#include <utility>

namespace rota {

Player::Player(RankSchedule steps, Round rounds, Round in_flight)
    : steps_(std::move(steps)), window_{.rounds = rounds, .in_flight = in_flight}, turns_(window_.places()) {}

bool Player::has_asked(Rank sender, Round round) const {
  const Message& asked = turn(round).step.receive;
  return round < window_.begun && !asked.blocks.empty() && asked.peer == sender;
}

void Player::begin(const BlockBytes& bytes) {
  Turn& now = turn(window_.begun);
  now.step = steps_(window_.begun);
  now.send = MessageEnd::of(size_of(now.step.send.blocks, bytes));
  now.receive = MessageEnd::of(size_of(now.step.receive.blocks, bytes));
  now.has_arrived = false;
  ++window_.begun;
}

Task Player::next() const {
  const auto step_of = [this](Round round) -> const Step& { return turn(round).step; };
  if (window_.may_send(step_of)) return Task::send;
  if (window_.settled < window_.arrived && window_.may_settle(step_of)) return Task::settle;
  if (window_.arrived < window_.begun && turn(window_.arrived).receive.is_seen) return Task::arrive;
  if (window_.left < window_.sent && turn(window_.left).send.is_seen) return Task::leave;
  return Task::none;
}

Round& Player::round_of(Task task) {
  switch (task) {
    case Task::send:
      return window_.sent;
    case Task::settle:
      return window_.settled;
    case Task::arrive:
      return window_.arrived;
    default:
      return window_.left;
  }
}

const MessageEnd& Player::oldest() const {
  return window_.waits_for_send() ? turn(window_.left).send : turn(window_.arrived).receive;
}

void Player::look() {
  if (window_.left < window_.sent) turn(window_.left).send.is_seen = turn(window_.left).send.is_over;
  if (window_.arrived < window_.begun)
    turn(window_.arrived).receive.is_seen = turn(window_.arrived).receive.is_over;
}

std::int64_t Player::unasked(Rank receiver, Round begun) const {
  std::int64_t count = 0;
  for (Round round = std::max(window_.left, begun); round < window_.sent; ++round) {
    const Turn& sent = turn(round);
    if (sent.send.bytes > 0 && sent.step.send.peer == receiver) ++count;
  }
  return count;
}

}  // namespace rota
