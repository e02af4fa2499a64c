#include "rota/model/player.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rota {

Player::Player(RankSchedule steps, Round rounds, Round in_flight)
    : steps_(std::move(steps)),
      rounds_(rounds),
      in_flight_(in_flight),
      turns_(static_cast<std::size_t>(std::min(in_flight, rounds) + 1)) {}

bool Player::has_asked(Rank sender, Round round) const {
  const Message& asked = turn(round).step.receive;
  return round < begun_ && !asked.blocks.empty() && asked.peer == sender;
}

bool Player::may_begin() const {
  return begun_ < std::min({rounds_, std::min(left_, arrived_) + in_flight_, settled_ + in_flight_ + 1});
}

void Player::begin(const BlockBytes& bytes) {
  Turn& now = turn(begun_);
  now.step = steps_(begun_);
  now.send = MessageEnd::of(size_of(now.step.send.blocks, bytes));
  now.receive = MessageEnd::of(size_of(now.step.receive.blocks, bytes));
  now.has_arrived = false;
  ++begun_;
}

Task Player::next() const {
  if (may_send()) return Task::send;
  if (may_settle()) return Task::settle;
  if (arrived_ < begun_ && turn(arrived_).receive.is_seen) return Task::arrive;
  if (left_ < sent_ && turn(left_).send.is_seen) return Task::leave;
  return Task::none;
}

Round& Player::round_of(Task task) {
  switch (task) {
    case Task::send:
      return sent_;
    case Task::settle:
      return settled_;
    case Task::arrive:
      return arrived_;
    default:
      return left_;
  }
}

const MessageEnd& Player::oldest() const {
  return left_ < sent_ && left_ <= arrived_ ? turn(left_).send : turn(arrived_).receive;
}

void Player::look() {
  if (left_ < sent_) turn(left_).send.is_seen = turn(left_).send.is_over;
  if (arrived_ < begun_) turn(arrived_).receive.is_seen = turn(arrived_).receive.is_over;
}

std::int64_t Player::unasked(Rank receiver, Round begun) const {
  std::int64_t count = 0;
  for (Round round = std::max(left_, begun); round < sent_; ++round) {
    const Turn& sent = turn(round);
    if (sent.send.bytes > 0 && sent.step.send.peer == receiver) ++count;
  }
  return count;
}

bool Player::may_send() const {
  if (sent_ == begun_) return false;
  for (Round round = settled_; round < sent_; ++round) {
    if (sends_changed(turn(sent_).step, turn(round).step)) return false;
  }
  return true;
}

bool Player::may_settle() const {
  if (settled_ == std::min(arrived_, sent_)) return false;
  for (Round round = left_; round <= settled_; ++round) {
    if (sends_changed(turn(round).step, turn(settled_).step)) return false;
  }
  return true;
}

}  // namespace rota
