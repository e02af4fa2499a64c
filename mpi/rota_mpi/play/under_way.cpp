#include "rota_mpi/play/under_way.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "rota_mpi/communicators/outstanding.hpp"
#include "rota_mpi/communicators/pausing.hpp"
#include "rota_mpi/library/progress.hpp"
#include "rota_mpi/library/raising.hpp"

namespace rota::mpi {

namespace {

bool combines(const Step& step, const Blocks& blocks) {
  return std::ranges::any_of(step.combinations,
                             [&](const Combination& each) { return blocks.contains(each.from); });
}

/// Once it is over, are the blocks that it receives as they came?
bool leaves_as_it_came(const Step& step) {
  return step.on_receive == OnReceive::store &&
         std::ranges::none_of(step.combinations, [&](const Combination& each) {
           return step.receive.blocks.contains(each.into);
         });
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

void make_all_progress(const Channel& channel) {
  for (int looks = 0; looks < looks_at_everything; ++looks) channel.make_progress();
}

}  // namespace

UnderWay::UnderWay(Execution execution, Store& store, Scratch& scratch)
    : execution_(std::move(execution)),
      store_(store),
      scratch_(scratch),
      window_{.rounds = execution_.rounds, .in_flight = execution_.in_flight},
      turns_(window_.places()) {
  store_.start();
}

UnderWay::~UnderWay() {
  for (Turn& each : turns_) {
    if (each.receive.request != MPI_REQUEST_NULL) {
      pmpi.Cancel(&each.receive.request);
      leave_to_mpi(each.receive);
    }
    if (each.send.request != MPI_REQUEST_NULL) leave_to_mpi(each.send);
  }
}

/// A send may have no partner any more, and a receive that has begun cannot be cancelled. Nobody waits for
/// them here, where the MPI library's engine may be what has called.
void UnderWay::leave_to_mpi(Transfer& transfer) {
  static_cast<void>(failure_of([&] { is_over(transfer.request); }));
  if (transfer.request == MPI_REQUEST_NULL) return;
  pmpi.Request_free(&transfer.request);
  static_cast<void>(transfer.elsewhere.bytes.release());
}

bool UnderWay::advance() {
  while (begin() || send() || settle() || arrive() || leave()) {
  }
  return window_.is_over();
}

bool UnderWay::look() { return look_by(is_over); }

/// At messages through boxes, and by what asks MPI for a request.
bool UnderWay::look_by(IsOver is_request_over) {
  const bool has_left = window_.left < window_.sent && has_been_taken(turn(window_.left), is_request_over);
  const bool has_arrived =
      window_.arrived < window_.begun && has_come(turn(window_.arrived), is_request_over);
  return has_left || has_arrived;
}

bool UnderWay::has_been_taken(Turn& now, IsOver is_request_over) const {
  if (!now.send.in_box) return is_request_over(now.send.request);
  if (!execution_.boxes->is_taken(now.step.send.peer, *now.send.in_box)) return false;
  now.send.in_box.reset();
  return true;
}

bool UnderWay::has_come(Turn& now, IsOver is_request_over) {
  if (!now.receive.is_for_box) return is_request_over(now.receive.request);
  Boxes& boxes = *execution_.boxes;
  const Rank sender = now.step.receive.peer;
  const std::optional<Boxes::Filling> next = boxes.next_of(sender);
  if (!next) return false;
  receive_from_box(now, *next);
  boxes.take(sender, *next);
  now.receive.filling = next;
  now.receive.is_for_box = false;
  return true;
}

/// A store may lose what it combines, so that has to be nobody else's.
void UnderWay::receive_from_box(Turn& now, const Boxes::Filling& filling) {
  Incoming& incoming = now.receive;
  const Message& message = now.step.receive;
  std::byte* const bytes = execution_.boxes->bytes_of(filling);
  const bool may_be_used =
      now.step.on_receive == OnReceive::store || execution_.boxes->is_own_of(message.peer, filling);
  if (incoming.place == nullptr && may_be_used && window_.settled == window_.arrived && may_settle()) {
    store_.take(message.blocks, now.step.on_receive, bytes);
    incoming.is_in_use = true;
    return;
  }
  const std::int64_t size = store_.bytes(message.blocks);
  std::byte* const place = incoming.place != nullptr ? incoming.place : room_elsewhere(incoming, size);
  std::memcpy(place, bytes, static_cast<std::size_t>(size));
}

void UnderWay::wait() {
  if (is_through_box()) return wait_at_boxes();
  wait_napping(
      window_.waits_for_send() ? turn(window_.left).send.request : turn(window_.arrived).receive.request,
      execution_.nap);
  // With one round in flight whatever else there is, is waited for next.
  if (execution_.in_flight > 1) look();
}

/// Is one of the oldest messages?
bool UnderWay::is_through_box() {
  return (window_.left < window_.sent && turn(window_.left).send.in_box) ||
         (window_.arrived < window_.begun && turn(window_.arrived).receive.is_for_box);
}

/// Does whatever this schedule has under way end by boxes, so that MPI has nothing to do for it?
bool UnderWay::is_by_boxes_alone() {
  for (Round round = window_.left; round < window_.sent; ++round) {
    if (turn(round).send.request != MPI_REQUEST_NULL) return false;
  }
  for (Round round = window_.arrived; round < window_.begun; ++round) {
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
        if (++looks_at_boxes_ % looks_a_progress == 0) execution_.channel.make_progress();
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
    if (!has_rung || ++looks_at_boxes_ % looks_a_progress == 0) make_all_progress(execution_.channel);
  }
}

bool UnderWay::begin() {
  if (!window_.may_begin()) return false;
  Turn& now = turn(window_.begun);
  now.step = execution_.steps(window_.begun);
  now.receive = {};
  const std::int64_t size = bytes_of(now.step.receive.blocks);
  if (size > 0) post_receive(now, size);
  ++window_.begun;
  return true;
}

bool UnderWay::send() {
  if (!window_.may_send([this](Round round) -> const Step& { return step_of(round); })) return false;
  Turn& now = turn(window_.sent);
  const std::int64_t size = bytes_of(now.step.send.blocks);
  if (is_for_box(now.step.send.peer, size)) {
    if (!leave_in_box(now, size)) return false;
  } else if (size > 0) {
    post_send(now, size);
  }
  ++window_.sent;
  return true;
}

bool UnderWay::arrive() {
  if (window_.arrived == window_.begun || turn(window_.arrived).receive.is_on_its_way()) return false;
  tell_end(turn(window_.arrived).receive);
  ++window_.arrived;
  return true;
}

bool UnderWay::leave() {
  if (window_.left == window_.sent) return false;
  Turn& now = turn(window_.left);
  if (now.send.is_on_its_way()) return false;
  tell_end(now.send);
  scratch_.give_back(std::move(now.send.elsewhere));
  ++window_.left;
  return true;
}

/// Alike for both its ends.
bool UnderWay::is_for_box(Rank peer, std::int64_t size) const {
  return execution_.boxes != nullptr && size > 0 && execution_.boxes->carry(peer, size);
}

/// Once its message is there, the next that is not settled?
bool UnderWay::may_settle() const {
  return window_.may_settle([this](Round round) -> const Step& { return step_of(round); });
}

bool UnderWay::settle() {
  if (window_.settled == window_.arrived || !may_settle()) return false;
  Turn& now = turn(window_.settled);
  const Blocks& blocks = now.step.receive.blocks;
  if (now.receive.elsewhere.bytes != nullptr) {
    store_.take(blocks, now.step.on_receive, now.receive.elsewhere.bytes.get());
    scratch_.give_back(std::move(now.receive.elsewhere));
  } else if (!now.receive.is_in_use && bytes_of(blocks) > 0) {
    store_.filled(blocks);
  }
  for (const Combination& combination : now.step.combinations) store_.combine(combination);
  if (execution_.boxes != nullptr) remember(now);
  ++window_.settled;
  return true;
}

/// What the rank holds now as it came.
void UnderWay::remember(Turn& now) {
  std::erase_if(brought_, [&](const Brought& each) { return changes(now.step, each.blocks); });
  if (!now.receive.filling || !leaves_as_it_came(now.step)) return;
  brought_.push_back({now.step.receive.blocks, *now.receive.filling});
  if (brought_.size() > Boxes::boxes_a_rank) brought_.pop_front();
}

/// Where nobody reads or changes the blocks before they are settled, they are received in their place.
std::byte* UnderWay::place_of(const Step& step) {
  const Blocks& blocks = step.receive.blocks;
  if (step.on_receive != OnReceive::store || blocks.overlaps(step.send.blocks)) return nullptr;
  for (Round round = window_.left; round < window_.begun; ++round) {
    if (blocks.overlaps(turn(round).step.send.blocks)) return nullptr;
  }
  for (Round round = window_.settled; round < window_.begun; ++round) {
    const Step& before = turn(round).step;
    if (changes(before, blocks) || combines(before, blocks)) return nullptr;
  }
  return store_.room(blocks);
}

/// Memory on the way for a message that has no place of its own.
std::byte* UnderWay::room_elsewhere(Transfer& transfer, std::int64_t size) {
  transfer.elsewhere = scratch_.take(size);
  return transfer.elsewhere.bytes.get();
}

void UnderWay::post_receive(Turn& now, std::int64_t size) {
  const Message& message = now.step.receive;
  const Channel& channel = execution_.channel;
  watch(now.receive, {Way::received, window_.begun, channel.peer(message.peer), size});
  std::byte* place = place_of(now.step);
  if (is_for_box(message.peer, size)) {
    now.receive.is_for_box = true;
    now.receive.place = place;
    return;
  }
  if (place == nullptr) place = room_elsewhere(now.receive, size);
  check_own(pmpi.Irecv(place, static_cast<int>(size), MPI_BYTE, channel.peer(message.peer), channel.tag(),
                       channel.comm(), &now.receive.request));
}

void UnderWay::post_send(Turn& now, std::int64_t size) {
  const Message& message = now.step.send;
  const std::byte* bytes = store_.in_place(message.blocks);
  if (bytes == nullptr) {
    std::byte* const packed = room_elsewhere(now.send, size);
    store_.copy_out(message.blocks, packed);
    bytes = packed;
  }
  const Channel& channel = execution_.channel;
  watch(now.send, {Way::sent, window_.sent, channel.peer(message.peer), size});
  check_own(pmpi.Issend(bytes, static_cast<int>(size), MPI_BYTE, channel.peer(message.peer), channel.tag(),
                        channel.comm(), &now.send.request));
}

/// Not where it has to wait for one that is free.
bool UnderWay::leave_in_box(Turn& now, std::int64_t size) {
  Boxes& boxes = *execution_.boxes;
  const Message& message = now.step.send;
  std::optional<Boxes::Filling> filling = brought_as(message);
  const bool is_there = filling.has_value();
  if (!is_there) filling = boxes.claim(message.peer);
  if (!filling) return false;
  watch(now.send, {Way::sent, window_.sent, execution_.channel.peer(message.peer), size});
  if (!is_there) store_.copy_out(message.blocks, boxes.bytes_of(*filling));
  now.send.in_box = boxes.leave(message.peer, *filling);
  return true;
}

/// What the message passes on, claimed for its receiver.
std::optional<Boxes::Filling> UnderWay::brought_as(const Message& message) const {
  for (const Brought& each : brought_) {
    if (each.blocks == message.blocks && execution_.boxes->claim_again(message.peer, each.filling)) {
      return each.filling;
    }
  }
  return std::nullopt;
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
