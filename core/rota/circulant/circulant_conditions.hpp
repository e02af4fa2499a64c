// What makes circulant schedules right, checked for all ranks of one p.
//
// Conditions 1 and 2: rank r sends in round k what rank r + skip[k] receives. (They are one equation, read by
// the receiver and by the sender; a mismatch is reported once, at the receiver.)
// Condition 3: over its q rounds a rank other than the root receives its baseblock b and each of -1 … -q but
// b - q; the root, for which nothing is meant, each of -1 … -q.
// Condition 4: in round k such a rank sends b - q or what it has received in a round before k.
//
// Time: O(p q), most of it for computing all schedules three ways. Memory: 3 p q bytes.
// Source: Träff 2024, Section 2, Lemmas 5 and 6, Theorem 3.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rota/circulant/circulant.hpp"

namespace rota::circulant {

enum class Rule : std::uint8_t {
  received_is_sent,        // Conditions 1 and 2
  received_blocks_differ,  // Condition 3
  sent_is_there,           // Condition 4
  recursive_calls,         // Lemma 5
  iterations,              // what holds in place of Lemma 6: see counted_receive_schedule
  violations,              // Theorem 3
  search_agrees,           // receive_schedule finds what Algorithm 4's whole search does
  all_ranks_agree,         // AllSchedules holds what receive_schedule, send_schedule and baseblock compute
};

// At `rank`, in `round` (-1: in none), there is `found`. `wanted` is what should be there, a bound for what is counted;
// 0 where the rule names a set of blocks.
struct Violation {
  Rule rule;
  Rank rank;
  int round;
  int found;
  int wanted;

  bool operator==(const Violation&) const = default;
};

std::string_view name(Rule rule);
std::string message(const Violation& violation);

// The largest over all ranks.
struct Counters {
  int recursive_calls = 0;
  int iterations = 0;
  int iterations_beyond_lemma_6 = 0;  // iterations - (2q + recursive calls)
  int violations = 0;
};

struct Report {
  Rank ranks;
  std::vector<Violation> violations;
  Counters largest;
};

// What p ranks receive and send, the block of rank r in round k at [k p + r].
using Table = std::span<const std::int8_t>;

// All violations of the four conditions. Throws std::invalid_argument unless both tables have p q entries.
std::vector<Violation> condition_violations(const Skips& skips, Table receive, Table send);

// All violations of all rules by the schedules that this library computes for p ranks.
Report check(Rank p);

}  // namespace rota::circulant
