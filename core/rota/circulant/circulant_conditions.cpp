#include "rota/circulant/circulant_conditions.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "rota/circulant/circulant_all_ranks.hpp"

namespace rota::circulant {
namespace {

// A set of blocks -q … q - 1, one bit each; the last bit stands for all other numbers.
using Blocks = std::uint64_t;

Blocks only(int q, int block) {
  constexpr int others = 63;
  static_assert(2 * max_q <= others);
  return Blocks{1} << (block >= -q && block < q ? block + q : others);
}

// Condition 3's set.
Blocks to_receive(int q, Rank r, int b) {
  const Blocks below_zero = (Blocks{1} << q) - 1;
  return r == 0 ? below_zero : (below_zero & ~only(q, b - q)) | only(q, b);
}

class Conditions {
 public:
  Conditions(const Skips& skips, Table receive, Table send) : skips_(skips), receive_(receive), send_(send) {}

  std::vector<Violation> violations() {
    for (int k = 0; k < skips_.q; ++k) check_matching(k);
    for (Rank r = 0; r < skips_.ranks(); ++r) {
      const int b = baseblock(skips_, r);
      check_received(r, b);
      if (r != 0) check_sent(r, b);
    }
    return std::move(violations_);
  }

 private:
  std::size_t at(int k, Rank r) const {
    return static_cast<std::size_t>(k) * static_cast<std::size_t>(skips_.ranks()) +
           static_cast<std::size_t>(r);
  }
  int received(int k, Rank r) const { return receive_[at(k, r)]; }
  int sent(int k, Rank r) const { return send_[at(k, r)]; }

  // The send row is the receive row read from skip[k] on; only where it isn't, the ranks are looked at one by one.
  void check_matching(int k) {
    const Rank skip = static_cast<Rank>(skips_[k]);
    const Rank rest = skips_.ranks() - skip;
    const auto receive = receive_.subspan(at(k, 0), at(1, 0));
    const auto send = send_.subspan(at(k, 0), at(1, 0));
    const auto wrap = receive.begin() + skip;
    if (std::equal(wrap, receive.end(), send.begin()) &&
        std::equal(receive.begin(), wrap, send.begin() + rest))
      return;
    for (Rank r = 0; r < skips_.ranks(); ++r) {
      const int there = sent(k, skips_.from(r, k));
      if (received(k, r) != there) report(Rule::received_is_sent, r, k, received(k, r), there);
    }
  }

  void check_received(Rank r, int b) {
    Blocks missing = to_receive(skips_.q, r, b);
    for (int k = 0; k < skips_.q; ++k) {
      const Blocks block = only(skips_.q, received(k, r));
      if ((block & missing) == 0) report(Rule::received_blocks_differ, r, k, received(k, r), 0);
      missing &= ~block;
    }
  }

  void check_sent(Rank r, int b) {
    Blocks there = only(skips_.q, b - skips_.q);
    for (int k = 0; k < skips_.q; ++k) {
      if ((only(skips_.q, sent(k, r)) & there) == 0) report(Rule::sent_is_there, r, k, sent(k, r), 0);
      there |= only(skips_.q, received(k, r));
    }
  }

  void report(Rule rule, Rank r, int k, int found, int wanted) {
    violations_.push_back({.rule = rule, .rank = r, .round = k, .found = found, .wanted = wanted});
  }

  const Skips& skips_;
  Table receive_;
  Table send_;
  std::vector<Violation> violations_;
};

// The schedules of all ranks, computed one by one, with what is wrong about each by itself.
class Ranks {
 public:
  explicit Ranks(const Skips& skips)
      : skips_(skips),
        receive_(entries(skips)),
        send_(entries(skips)),
        report_{.ranks = skips.ranks(), .violations = {}, .largest = {}} {
    for (Rank r = 0; r < skips.ranks(); ++r) compute(r);
  }

  Report report() && {
    append(condition_violations(skips_, receive_, send_));
    compare_with_all_ranks();
    return std::move(report_);
  }

 private:
  static std::size_t entries(const Skips& skips) {
    return static_cast<std::size_t>(skips.q) * static_cast<std::size_t>(skips.ranks());
  }

  void compute(Rank r) {
    const Schedule receive = receive_schedule(skips_, r);
    const CountedReceive searched = counted_receive_schedule(skips_, r);
    const CountedSend send = counted_send_schedule(skips_, r);
    for (int k = 0; k < skips_.q; ++k) {
      if (receive[k] != searched.schedule[k])
        add(Rule::search_agrees, r, k, receive[k], searched.schedule[k]);
      receive_[at(k, r)] = receive[k];
      send_[at(k, r)] = send.schedule[k];
    }
    check_bounds(r, searched, send);
  }

  void check_bounds(Rank r, const CountedReceive& receive, const CountedSend& send) {
    const int calls = receive.recursive_calls;
    check_bound(Rule::recursive_calls, r, calls, std::max(skips_.q - 1, 0));
    check_bound(Rule::iterations, r, receive.iterations, 3 * skips_.q + calls);
    check_bound(Rule::violations, r, send.violations, 4);
    Counters& largest = report_.largest;
    largest.recursive_calls = std::max(largest.recursive_calls, calls);
    largest.iterations = std::max(largest.iterations, receive.iterations);
    largest.iterations_beyond_lemma_6 =
        std::max(largest.iterations_beyond_lemma_6, receive.iterations - (2 * skips_.q + calls));
    largest.violations = std::max(largest.violations, send.violations);
  }

  void check_bound(Rule rule, Rank r, int counted, int bound) {
    if (counted > bound) add(rule, r, -1, counted, bound);
  }

  void compare_with_all_ranks() {
    const AllSchedules all(skips_);
    for (Rank r = 0; r < skips_.ranks(); ++r)
      compare(r, -1, all.baseblocks()[index(r)], baseblock(skips_, r));
    for (int k = 0; k < skips_.q; ++k) {
      compare_row(k, all.receive(k), receive_);
      compare_row(k, all.send(k), send_);
    }
  }

  void compare_row(int k, AllSchedules::Row row, Table table) {
    if (std::equal(row.begin(), row.end(), table.begin() + static_cast<std::ptrdiff_t>(at(k, 0)))) return;
    for (Rank r = 0; r < skips_.ranks(); ++r) compare(r, k, row[index(r)], table[at(k, r)]);
  }

  void compare(Rank r, int k, int found, int wanted) {
    if (found != wanted) add(Rule::all_ranks_agree, r, k, found, wanted);
  }

  void add(Rule rule, Rank r, int k, int found, int wanted) {
    report_.violations.push_back({.rule = rule, .rank = r, .round = k, .found = found, .wanted = wanted});
  }

  void append(const std::vector<Violation>& violations) {
    report_.violations.insert(report_.violations.end(), violations.begin(), violations.end());
  }

  static std::size_t index(Rank r) { return static_cast<std::size_t>(r); }
  std::size_t at(int k, Rank r) const { return index(k) * index(skips_.ranks()) + index(r); }

  const Skips& skips_;
  std::vector<std::int8_t> receive_;
  std::vector<std::int8_t> send_;
  Report report_;
};

std::string statement(const Violation& v) {
  const std::string found = std::to_string(v.found);
  const std::string wanted = std::to_string(v.wanted);
  switch (v.rule) {
    case Rule::received_is_sent:
      return "receives block " + found + ", but is sent " + wanted + " (Conditions 1, 2)";
    case Rule::received_blocks_differ:
      return "receives block " + found + " again or in vain (Condition 3)";
    case Rule::sent_is_there:
      return "sends block " + found + " that it has not received yet (Condition 4)";
    case Rule::recursive_calls:
      return found + " recursive calls, more than " + wanted + " (Lemma 5)";
    case Rule::iterations:
      return found + " iterations, more than " + wanted + " (3q + recursive calls)";
    case Rule::violations:
      return found + " violations of the send schedule, more than " + wanted + " (Theorem 3)";
    case Rule::search_agrees:
      return "receives block " + found + ", but Algorithm 4 finds " + wanted;
    case Rule::all_ranks_agree:
      return found + " among all ranks, but " + wanted + " by itself";
  }
  return {};
}

}  // namespace

std::string_view name(Rule rule) {
  switch (rule) {
    case Rule::received_is_sent:
      return "received_is_sent";
    case Rule::received_blocks_differ:
      return "received_blocks_differ";
    case Rule::sent_is_there:
      return "sent_is_there";
    case Rule::recursive_calls:
      return "recursive_calls";
    case Rule::iterations:
      return "iterations";
    case Rule::violations:
      return "violations";
    case Rule::search_agrees:
      return "search_agrees";
    case Rule::all_ranks_agree:
      return "all_ranks_agree";
  }
  return {};
}

std::string message(const Violation& violation) {
  const std::string round = violation.round < 0 ? "" : ", round " + std::to_string(violation.round);
  return "rank " + std::to_string(violation.rank) + round + ": " + statement(violation);
}

std::vector<Violation> condition_violations(const Skips& skips, Table receive, Table send) {
  const auto entries = static_cast<std::size_t>(skips.q) * static_cast<std::size_t>(skips.ranks());
  if (receive.size() != entries || send.size() != entries) {
    throw std::invalid_argument("the tables have " + std::to_string(receive.size()) + " and " +
                                std::to_string(send.size()) + " blocks: give " + std::to_string(entries) +
                                ", q for each rank");
  }
  return Conditions(skips, receive, send).violations();
}

Report check(Rank p) { return Ranks(skips(p)).report(); }

}  // namespace rota::circulant
