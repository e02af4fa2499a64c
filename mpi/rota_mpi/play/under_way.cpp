#include "rota_mpi/play/under_way.hpp"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "rota_mpi/communicators/outstanding.hpp"
#include "rota_mpi/communicators/pausing.hpp"
#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

namespace {

bool combines(const Step& step, const Blocks& blocks) {
  return std::ranges::any_of(step.combinations,
                             [&](const Combination& each) { return blocks.contains(each.from); });
}

/// By links' pace: not where the program has started something else, whose rounds may be shorter.
bool may_sleep(Nanoseconds nap) { return nap > Nanoseconds::zero() && !is_any_outstanding(); }

/// Before a sleep: nothing has come of which the engine knows only later.
template <class Look>
bool has_success(Look look) {
  for (int looks = 0; looks < looks_at_everything; ++looks) {
    if (look()) return true;
  }
  return false;
}

/// Throws MpiError.
void wait_napping(MPI_Request& request, Nanoseconds nap) {
  while (may_sleep(nap)) {
    if (has_success([&] { return is_over_after_progress(request); })) return;
    std::this_thread::sleep_for(nap);
  }
  check_own(wait_for(request));
}

/// Until a look has success, as a rank waits for what no call of MPI's waits for.
template <class Look>
void wait_until(Look look, Nanoseconds nap) {
  std::optional<Pausing> pausing;
  if (Pausing::is_of_use()) pausing.emplace();
  while (!look()) {
    if (may_sleep(nap)) {
      if (has_success(look)) return;
      std::this_thread::sleep_for(nap);
    } else if (pausing) {
      pausing->pause();
    } else {
      std::this_thread::yield();
    }
  }
}

// Others' messages, and what the program has started, need the MPI library now and then while a rank looks into boxes.
constexpr std::int64_t looks_a_progress = 8;

// What the program itself has under way goes on so often while a rank sleeps, the longer it does the less.
constexpr Nanoseconds shortest_sleep = std::chrono::microseconds(250);
constexpr Nanoseconds longest_sleep = std::chrono::milliseconds(1);

void make_progress(const Self& self) {
  int is_there = 0;
  check_own(pmpi.Iprobe(self.rank, self.tag, self.comm, &is_there, MPI_STATUS_IGNORE));
}

void make_all_progress(const Self& self) {
  for (int looks = 0; looks < looks_at_everything; ++looks) make_progress(self);
}

}  // namespace

UnderWay::UnderWay(Execution execution, Store& store, Scratch& scratch)
    : execution_(std::move(execution)),
      store_(store),
      scratch_(scratch),
      turns_(static_cast<std::size_t>(std::min(execution_.in_flight, execution_.rounds) + 1)) {
  store_.start();
}

UnderWay::~UnderWay() {
  for (Turn& each : turns_) {
    if (each.receive.request != MPI_REQUEST_NULL) {
      pmpi.Cancel(&each.receive.request);
      pmpi.Wait(&each.receive.request, MPI_STATUS_IGNORE);
    }
    // A send may have no partner any more, so it is left to MPI, and with it the memory that it reads.
    if (each.send.request != MPI_REQUEST_NULL) {
      pmpi.Request_free(&each.send.request);
      static_cast<void>(each.send.elsewhere.bytes.release());
    }
  }
}

bool UnderWay::advance() {
  while (begin() || send() || settle() || arrive() || leave()) {
  }
  return left_ == execution_.rounds && settled_ == execution_.rounds;
}

bool UnderWay::look() { return look_by(is_over); }

/// At messages through boxes, and by what asks MPI for a request.
bool UnderWay::look_by(IsOver is_request_over) {
  const bool has_left = left_ < sent_ && has_been_taken(turn(left_).send, is_request_over);
  const bool has_arrived = arrived_ < begun_ && has_come(turn(arrived_).receive, is_request_over);
  return has_left || has_arrived;
}

bool UnderWay::has_been_taken(Transfer& send, IsOver is_request_over) const {
  if (!send.boxed) return is_request_over(send.request);
  if (!execution_.boxes->is_taken(send.boxed->peer, send.boxed->number)) return false;
  send.boxed.reset();
  return true;
}

bool UnderWay::has_come(Transfer& receive, IsOver is_request_over) const {
  if (!receive.boxed) return is_request_over(receive.request);
  if (!execution_.boxes->take(receive.boxed->peer, receive.boxed->place, receive.boxed->bytes)) return false;
  receive.boxed.reset();
  return true;
}

void UnderWay::wait() {
  if (is_through_box()) return wait_at_boxes();
  const bool for_send = left_ < sent_ && left_ <= arrived_;
  Transfer& oldest = for_send ? turn(left_).send : turn(arrived_).receive;
  wait_napping(oldest.request, execution_.nap);
  // With one round in flight whatever else there is, is waited for next.
  if (execution_.in_flight > 1) look();
}

/// Is one of the oldest messages?
bool UnderWay::is_through_box() {
  return (left_ < sent_ && turn(left_).send.boxed) || (arrived_ < begun_ && turn(arrived_).receive.boxed);
}

/// Does whatever this schedule has under way end by boxes, so that MPI has nothing to do for it?
bool UnderWay::is_by_boxes_alone() {
  for (Round round = left_; round < sent_; ++round) {
    if (turn(round).send.request != MPI_REQUEST_NULL) return false;
  }
  for (Round round = arrived_; round < begun_; ++round) {
    if (turn(round).receive.request != MPI_REQUEST_NULL) return false;
  }
  return true;
}

/// At both, for who is to take this rank's message may wait for it to take theirs, which no call of MPI's
/// does.
void UnderWay::wait_at_boxes() {
  if (may_sleep(execution_.nap) && is_by_boxes_alone()) return sleep_at_boxes();
  wait_until(
      [this] {
        if (look_by(is_over_after_progress)) return true;
        if (++looks_at_boxes_ % looks_a_progress == 0) make_progress(execution_.channel.self());
        return false;
      },
      execution_.nap);
}

/// Only where ranks sleep by pace while they wait for MPI, too: who is woken where others look all the time
/// waits for their turns.
void UnderWay::sleep_at_boxes() {
  Bell& bell = execution_.boxes->bell();
  for (Nanoseconds at_most = shortest_sleep;; at_most = std::min(2 * at_most, longest_sleep)) {
    const Bell::Rings heard = bell.rings();
    if (look()) return;
    const bool has_rung = bell.wait(heard, at_most);
    if (!has_rung || ++looks_at_boxes_ % looks_a_progress == 0) make_all_progress(execution_.channel.self());
  }
}

bool UnderWay::begin() {
  const Round last = std::min({execution_.rounds, std::min(left_, arrived_) + execution_.in_flight,
                               settled_ + execution_.in_flight + 1});
  if (begun_ == last) return false;
  Turn& now = turn(begun_);
  now.step = execution_.steps(begun_);
  if (!is_empty(now.step.receive.blocks)) post_receive(now);
  ++begun_;
  return true;
}

bool UnderWay::send() {
  if (sent_ == begun_) return false;
  Turn& now = turn(sent_);
  for (Round round = settled_; round < sent_; ++round) {
    if (sends_changed(now.step, turn(round).step)) return false;
  }
  if (!is_empty(now.step.send.blocks)) {
    if (is_for_box(now.step.send) && !execution_.boxes->has_room()) return false;
    post_send(now);
  }
  ++sent_;
  return true;
}

bool UnderWay::arrive() {
  if (arrived_ == begun_ || is_on_its_way(turn(arrived_).receive)) return false;
  tell_end(turn(arrived_).receive);
  ++arrived_;
  return true;
}

bool UnderWay::leave() {
  if (left_ == sent_) return false;
  Turn& now = turn(left_);
  if (is_on_its_way(now.send)) return false;
  tell_end(now.send);
  scratch_.give_back(std::move(now.send.elsewhere));
  ++left_;
  return true;
}

/// Alike for both its ends.
bool UnderWay::is_for_box(const Message& message) const {
  return execution_.boxes != nullptr && execution_.boxes->carry(message.peer, store_.bytes(message.blocks));
}

bool UnderWay::settle() {
  if (settled_ == std::min(arrived_, sent_)) return false;
  Turn& now = turn(settled_);
  for (Round round = left_; round <= settled_; ++round) {
    if (sends_changed(turn(round).step, now.step)) return false;
  }
  const Blocks& blocks = now.step.receive.blocks;
  if (now.receive.elsewhere.bytes != nullptr) {
    store_.take(blocks, now.step.on_receive, now.receive.elsewhere.bytes.get());
    scratch_.give_back(std::move(now.receive.elsewhere));
  } else if (!is_empty(blocks)) {
    store_.filled(blocks);
  }
  for (const Combination& combination : now.step.combinations) store_.combine(combination);
  ++settled_;
  return true;
}

/// Where nobody reads or changes the blocks before they are settled, they are received in their place.
std::byte* UnderWay::place_of(const Step& step) {
  const Blocks& blocks = step.receive.blocks;
  if (step.on_receive != OnReceive::store || blocks.overlaps(step.send.blocks)) return nullptr;
  for (Round round = left_; round < begun_; ++round) {
    if (blocks.overlaps(turn(round).step.send.blocks)) return nullptr;
  }
  for (Round round = settled_; round < begun_; ++round) {
    const Step& before = turn(round).step;
    if (changes(before, blocks) || combines(before, blocks)) return nullptr;
  }
  return store_.room(blocks);
}

void UnderWay::post_receive(Turn& now) {
  const Message& message = now.step.receive;
  const std::int64_t size = store_.bytes(message.blocks);
  std::byte* place = place_of(now.step);
  if (place == nullptr) {
    now.receive.elsewhere = scratch_.take(size);
    place = now.receive.elsewhere.bytes.get();
  }
  const Channel& channel = execution_.channel;
  watch(now.receive, {Way::received, begun_, channel.peer(message.peer), size});
  if (is_for_box(message)) {
    now.receive.boxed = {.peer = message.peer, .place = place, .bytes = size};
    return;
  }
  check_own(pmpi.Irecv(place, static_cast<int>(size), MPI_BYTE, channel.peer(message.peer), channel.tag(),
                       channel.comm(), &now.receive.request));
}

void UnderWay::post_send(Turn& now) {
  const Message& message = now.step.send;
  const std::int64_t size = store_.bytes(message.blocks);
  const std::byte* bytes = store_.in_place(message.blocks);
  if (bytes == nullptr) {
    now.send.elsewhere = scratch_.take(size);
    store_.copy_out(message.blocks, now.send.elsewhere.bytes.get());
    bytes = now.send.elsewhere.bytes.get();
  }
  const Channel& channel = execution_.channel;
  watch(now.send, {Way::sent, sent_, channel.peer(message.peer), size});
  if (is_for_box(message)) {
    now.send.boxed = {.peer = message.peer, .number = execution_.boxes->leave(message.peer, bytes, size)};
    return;
  }
  check_own(pmpi.Issend(bytes, static_cast<int>(size), MPI_BYTE, channel.peer(message.peer), channel.tag(),
                        channel.comm(), &now.send.request));
}

void UnderWay::watch(Transfer& transfer, const Passing& passing) const {
  transfer.watched = execution_.observer->begins(passing);
}

/// A round without such a message has none that is watched.
void UnderWay::tell_end(Transfer& transfer) const {
  if (transfer.watched >= 0) execution_.observer->ends(transfer.watched);
  transfer.watched = -1;
}

}  // namespace rota::mpi
