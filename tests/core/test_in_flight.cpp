// Small cases of schedules as the executor plays them, worked out by hand.
#include "rota/model/in_flight.hpp"

#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "by_hand.hpp"
#include "machines.hpp"
#include "require.hpp"
#include "rota/generators/index.hpp"

namespace {

using namespace rota;

constexpr double latency_s = network.latency_s;

double bytes_s(std::int64_t bytes) { return static_cast<double>(bytes) * network.seconds_per_byte; }
double message_s(std::int64_t bytes) { return latency_s + bytes_s(bytes); }

Machines short_messages() { return {network}; }

// Whoever is busy in every round takes what rounds take; short messages make no difference.
void the_circulant_broadcast_with_short_messages() {
  for (Rank ranks = 2; ranks <= 40; ++ranks) {
    const Schedule broadcast =
        find_algorithm(Collective::broadcast, "circulant")->schedule({Collective::broadcast, ranks, 0, 6});
    const BlockBytes bytes = equal_cuts(broadcast.problem, 384);
    const auto rounds = static_cast<double>(broadcast.rounds);
    require(simulate_in_flight(broadcast, 1, short_messages(), bytes).seconds == rounds * message_s(64),
            "p = " + std::to_string(ranks));
  }
}

/// Rank 0 sends rank 1 a block in each round.
Schedule stream(Round rounds) {
  std::map<std::pair<Rank, Round>, Step> steps;
  for (Round round = 0; round < rounds; ++round) {
    steps[{0, round}] = sends(1, {0, round});
    steps[{1, round}] = receives(0, {0, round});
  }
  return by_hand(2, rounds, std::move(steps));
}

BlockBytes each_of(std::int64_t bytes) {
  return [bytes](Block) { return bytes; };
}

/// One rank has no processor from one time to another.
Pauses away(Rank who, double begin_s, double end_s) {
  return [=](Rank rank, double time_s) {
    constexpr double never_s = std::numeric_limits<double>::infinity();
    return rank == who && time_s < end_s ? Pause{begin_s, end_s} : Pause{never_s, never_s};
  };
}

// Four bytes of time to one latency: four messages and more at once keep the port busy.
void slack_hides_latency() {
  const std::int64_t bytes = 256;  // 2^-12 s
  const auto seconds = [&](Round in_flight) {
    return simulate_in_flight(stream(20), in_flight, short_messages(), each_of(bytes)).seconds;
  };
  require(seconds(1) == 20 * message_s(bytes), "one after the other");
  require(seconds(2) == 10 * (message_s(bytes)) + bytes_s(bytes), "two at a time");
  require(seconds(5) == latency_s + 20 * bytes_s(bytes), "as fast as the port");
  require(seconds(1000) == latency_s + 20 * bytes_s(bytes), "and no faster");
}

// Of short messages W leave, and lie there until the receiver is back; so far is the sender ahead.
void a_late_receiver_is_waited_for() {
  for (const Round in_flight : {1, 2, 5}) {
    Machines machines = short_messages();
    machines.pauses = away(1, 0, 1);
    const InFlightSimulation played = simulate_in_flight(stream(10), in_flight, machines, each_of(64));
    require(played.drift == in_flight, "ahead by the bound");
    require(played.unasked == in_flight, "as many messages lie there");
    const Round rest = 9 / in_flight;  // times W messages, or fewer at last
    require(played.seconds <= 1 + static_cast<double>(rest) * message_s(64 * in_flight),
            "what was there, was there");
    machines.rendezvous_from = 64;
    require(simulate_in_flight(stream(10), in_flight, machines, each_of(64)).seconds > 1 + bytes_s(640),
            "long messages begin when it is back");
  }
}

void a_late_sender_is_waited_for() {
  Machines machines = short_messages();
  machines.pauses = away(0, 0, 1);
  const InFlightSimulation played = simulate_in_flight(stream(5), 5, machines, each_of(64));
  require(played.drift == 5 && played.unasked == 0, "all messages are asked for before they are sent");
  require(played.seconds == 1 + message_s(320), "and come one after the other");
}

// Rank 2 is away. With one round in flight rank 0 waits for it, and rank 1 for rank 0; with two, rank 1 does not.
void slack_helps_those_who_need_not_wait() {
  const Schedule schedule = by_hand(3, 2,
                                    {{{0, 0}, sends(2, {0, 0})},
                                     {{2, 0}, receives(0, {0, 0})},
                                     {{0, 1}, sends(1, {0, 1})},
                                     {{1, 1}, receives(0, {0, 1})}});
  Machines machines = asked_for();
  machines.pauses = away(2, 0, 1);
  const auto finish_s = [&](Round in_flight) {
    return simulate_in_flight(schedule, in_flight, machines, each_of(64)).finish_s;
  };
  require(finish_s(1) == std::vector<double>{1 + 2 * message_s(64), 1 + 2 * message_s(64), 1 + message_s(64)},
          "all wait");
  require(finish_s(2) == std::vector<double>{1 + message_s(64), message_s(64), 1 + message_s(64)},
          "the port takes the later round's message");
}

void a_handshake_takes_both_processors() {
  Machines machines = asked_for();
  machines.handshake_s = 0x1p-8;
  require(simulate_in_flight(stream(3), 1, machines, each_of(64)).seconds == 3 * (0x1p-8 + message_s(64)),
          "nobody late");
  machines.rendezvous_from = 65;
  require(simulate_in_flight(stream(3), 1, machines, each_of(64)).seconds == 3 * message_s(64),
          "short messages need none");
  machines.rendezvous_from = 64;
  machines.pauses = away(0, 0x1p-9, 1);
  require(simulate_in_flight(stream(1), 1, machines, each_of(64)).seconds == 1 + message_s(64),
          "the sender hears of the answer when it is back");
  machines.overhead_s = 0x1p-8;
  machines.pauses = away(1, 0x1p-9, 1);
  require(simulate_in_flight(stream(1), 1, machines, each_of(64)).seconds == 1 + 0x1p-7 + message_s(64),
          "the receiver answers when it is back");
}

void a_short_message_is_acknowledged_by_its_receiver() {
  Machines machines = short_messages();
  machines.pauses = away(1, 0x1p-20, 1);
  require(simulate_in_flight(stream(1), 1, machines, each_of(64)).finish_s[0] == 1,
          "which asked for it, and then was away");
}

void a_processor_does_one_thing_after_the_other() {
  Machines machines = short_messages();
  machines.overhead_s = 0x1p-8;
  const InFlightSimulation played = simulate_in_flight(stream(10), 10, machines, each_of(1));
  require(played.seconds == 10 * 0x1p-8 + message_s(1) + 0x1p-8,
          "sent one after the other, and the last one received");
  machines.pauses = away(0, 0x1p-9, 1);
  require(
      simulate_in_flight(stream(1), 1, machines, each_of(1)).seconds == 1 + 0x1p-9 + message_s(1) + 0x1p-8,
      "work goes on where it was interrupted");
}

// Rank 1 combines what it received and passes it on, or passes on something else meanwhile.
void a_send_waits_for_what_changes_its_blocks() {
  Step combines = receives(0, {0, 0});
  combines.on_receive = OnReceive::combine_left;
  const auto finish_s = [&](Block passed_on) {
    const Schedule schedule = by_hand(3, 2,
                                      {{{0, 0}, sends(1, {0, 0})},
                                       {{1, 0}, combines},
                                       {{1, 1}, sends(2, passed_on)},
                                       {{2, 1}, receives(1, passed_on)}});
    Machines machines = asked_for();
    machines.network.seconds_per_combined_byte = 0x1p-12;
    return simulate_in_flight(schedule, 1, machines, each_of(64)).finish_s;
  };
  const double combined_s = 64 * 0x1p-12;
  require(finish_s({0, 0})[2] == message_s(64) + combined_s + message_s(64), "it is combined first");
  require(finish_s({1, 0})[2] == 2 * message_s(64), "it need not be combined first");
  require(finish_s({1, 0})[1] == message_s(64) + std::max(combined_s, message_s(64)), "and is, meanwhile");
}

// What the rank itself still sends must not change under way: rank 1 combines when rank 2 has come and taken it.
void settling_waits_for_what_is_sent() {
  Step both = sends(2, {0, 0});
  both.receive = {0, Block{0, 0}};
  both.on_receive = OnReceive::combine_left;
  Machines machines = short_messages();
  machines.network.seconds_per_combined_byte = 0x1p-12;
  machines.waits = Waits::for_any;
  machines.pauses = away(2, 0, 1);
  const Schedule schedule =
      by_hand(3, 1, {{{0, 0}, sends(1, {0, 0})}, {{1, 0}, both}, {{2, 0}, receives(1, {0, 0})}});
  require(simulate_in_flight(schedule, 2, machines, each_of(64)).finish_s[1] == 1 + 64 * 0x1p-12,
          "not before");
}

// A rank that has nothing to do waits for its oldest message, and hears of others then: rank 1 has what rank 2 waits for, but waits
// for rank 3 to take its message.
void a_rank_waits_for_its_oldest_message() {
  Step both = sends(3, {1, 0});
  both.receive = {0, Block{0, 0}};
  const Schedule schedule = by_hand(4, 2,
                                    {{{0, 0}, sends(1, {0, 0})},
                                     {{1, 0}, both},
                                     {{3, 0}, receives(1, {1, 0})},
                                     {{1, 1}, sends(2, {0, 0})},
                                     {{2, 1}, receives(1, {0, 0})}});
  Machines machines = asked_for();
  machines.pauses = away(3, 0, 1);
  const InFlightSimulation played = simulate_in_flight(schedule, 2, machines, each_of(64));
  require(played.finish_s[2] == 1 + 2 * message_s(64), "rank 2 has it after rank 3");
  machines.waits = Waits::for_any;
  const InFlightSimulation waiting_for_any = simulate_in_flight(schedule, 2, machines, each_of(64));
  require(waiting_for_any.finish_s[2] == 2 * message_s(64), "and need not wait for it");
}

void a_rank_that_sleeps_looks_after_a_nap() {
  Machines machines = short_messages();
  machines.nap_s = 0x1p-9;  // two latencies
  const InFlightSimulation played = simulate_in_flight(stream(1), 1, machines, each_of(64));
  require(played.finish_s[1] == 0x1p-9, "the message is there after one");
  require(played.finish_s[0] == 0x1p-9, "and the sender looks at the same time");
  machines.rendezvous_from = 64;
  machines.handshake_s = 0x1p-11;
  require(simulate_in_flight(stream(1), 1, machines, each_of(64)).finish_s[1] == 2 * machines.nap_s,
          "the sender has slept when it is told to send, and the receiver again when that is there");
}

void pauses_interrupt_work() {
  const RandomPauses random{0.25, 1.0, 7};
  for (const Rank rank : {0, 1, 77}) {
    double end_s = 0;
    for (int interval = 0; interval < 100; ++interval) {
      const Pause next = random(rank, end_s);
      require(next.begin_s >= interval && next.end_s <= interval + 1, "one in each interval");
      require(next.end_s == next.begin_s + 0.25 && next.begin_s >= end_s, "one after the other");
      require(awake_s(random, rank, next.begin_s) == next.end_s, "it lasts to its end");
      require(awake_s(random, rank, next.end_s) == next.end_s, "and no longer");
      end_s = next.end_s;
    }
    require(std::abs(worked_s(random, rank, 0, 30) - 40) <= 1,
            "three quarters of the time are left for work");
  }
  require(random(0, 0).begin_s != random(1, 0).begin_s, "ranks pause at different times");
  require(random(0, 0).begin_s != RandomPauses{0.25, 1.0, 8}(0, 0).begin_s, "and others for another seed");
  require(worked_s(away(3, 2, 5), 3, 1, 1) == 2 && worked_s(away(3, 2, 5), 3, 1, 2) == 6, "before and after");
  require(worked_s({}, 0, 1, 2) == 3 && awake_s({}, 0, 1) == 1, "nobody is late");
}

void rounds_are_told() {
  Round told = 0;
  simulate_in_flight(stream(9), 3, short_messages(), each_of(1),
                     [&](Round done) { require(done == ++told, "in order"); });
  require(told == 9, "every round's worth of steps");
}

template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

void mistakes_are_refused() {
  const auto played = [](const Schedule& schedule, Round in_flight) {
    return refusal([&] { simulate_in_flight(schedule, in_flight, short_messages(), each_of(1)); });
  };
  require(played(stream(2), 0) == "0 rounds in flight; give 1 or more", "no round in flight");
  for (const Rank peer : {-1, 2}) {
    require(played(by_hand(2, 1, {{{0, 0}, sends(peer, Block{0, 0})}}), 1)
                .ends_with("which is no rank; verify the schedule first"),
            "a peer that is none");
  }
  require(played(by_hand(2, 1, {{{0, 0}, sends(1, Block{0, 0})}}), 1)
              .starts_with("rank 0, in round 0, waits forever"),
          "a message that nobody asks for");
  for (const RandomPauses& pauses : {RandomPauses{-1, 1}, RandomPauses{1, 1}, RandomPauses{0, 0}}) {
    require(refusal([&] { require_valid(pauses); }).ends_with("give one of 0 s or more, shorter than that"),
            "pauses without end");
  }
}

}  // namespace

int main() try {
  the_circulant_broadcast_with_short_messages();
  slack_hides_latency();
  a_late_receiver_is_waited_for();
  a_late_sender_is_waited_for();
  slack_helps_those_who_need_not_wait();
  a_handshake_takes_both_processors();
  a_short_message_is_acknowledged_by_its_receiver();
  a_processor_does_one_thing_after_the_other();
  a_send_waits_for_what_changes_its_blocks();
  settling_waits_for_what_is_sent();
  a_rank_waits_for_its_oldest_message();
  a_rank_that_sleeps_looks_after_a_nap();
  pauses_interrupt_work();
  rounds_are_told();
  mistakes_are_refused();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
