// One rank's part after the other: the parts of all ranks fit together, of everybody's messages to everybody on hosts of any sizes, where
// they mind links, and of patterns; played one turn at a time nobody waits for ever, neither all turns nor the first ones alone.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "patterns.hpp"
#include "require.hpp"
#include "rota/generators/all_to_many/all_to_many.hpp"
#include "rota/generators/all_to_many/everybody_on_hosts.hpp"
#include "rota/schedule/hosts.hpp"
#include "rota_mpi/decide/part.hpp"

namespace {

using namespace rota;
using mpi::Part;
using mpi::Transfer;
using mpi::Turn;

using Parts = std::vector<Part>;
using Pair = std::pair<Rank, Rank>;

std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }

bool is_one(const Transfer& transfer) { return transfer.range.size() > 0; }

Parts parts_on(const Hosts& hosts, std::int64_t bytes, std::int64_t piece) {
  const EverybodyOnHosts everybody(std::make_shared<const Hosts>(hosts));
  Parts parts;
  for (Rank rank = 0; rank < static_cast<Rank>(hosts.of_rank.size()); ++rank)
    parts.push_back(mpi::part_of_everybody(
        everybody.rounds(), [&](Round round) { return everybody.peers(rank, round); }, bytes, piece));
  return parts;
}

/// Each rank's next turn; a message passes when both its ranks have come to it.
class Play {
 public:
  explicit Play(const Parts& parts)
      : parts_(parts), turns_(parts.size()), sent_(parts.size()), received_(parts.size()) {}

  /// The bytes that each pair of ranks has exchanged when nothing moves any more.
  std::map<Pair, std::int64_t> exchanged() {
    while (moves()) {
    }
    for (std::size_t rank = 0; rank < parts_.size(); ++rank)
      require(turns_[rank] == parts_[rank].turns.size(), "rank " + std::to_string(rank) + " waits for ever");
    return exchanged_;
  }

 private:
  const Turn* turn_of(Rank rank) const {
    const std::vector<Turn>& turns = parts_[index(rank)].turns;
    return turns_[index(rank)] < turns.size() ? &turns[turns_[index(rank)]] : nullptr;
  }

  bool passes(Rank from, Rank to) const {
    const Turn* const sender = turn_of(from);
    const Turn* const receiver = turn_of(to);
    return sender != nullptr && receiver != nullptr && !sent_[index(from)] && !received_[index(to)] &&
           is_one(sender->send) && is_one(receiver->receive) && sender->send.peer == to &&
           receiver->receive.peer == from;
  }

  bool moves() {
    bool any = false;
    for (Rank rank = 0; rank < static_cast<Rank>(parts_.size()); ++rank) {
      const Turn* const turn = turn_of(rank);
      if (turn == nullptr) continue;
      if (is_one(turn->send) && passes(rank, turn->send.peer)) {
        pass(*turn, rank);
        any = true;
      }
      if (is_through(*turn, rank)) {
        ++turns_[index(rank)];
        sent_[index(rank)] = received_[index(rank)] = false;
        any = true;
      }
    }
    return any;
  }

  void pass(const Turn& turn, Rank from) {
    const Rank to = turn.send.peer;
    const Transfer& received = turn_of(to)->receive;
    require(received.range.first == turn.send.range.first && received.range.last == turn.send.range.last,
            "another piece is expected");
    exchanged_[{from, to}] += turn.send.range.size();
    sent_[index(from)] = received_[index(to)] = true;
  }

  bool is_through(const Turn& turn, Rank rank) const {
    return (!is_one(turn.send) || sent_[index(rank)]) && (!is_one(turn.receive) || received_[index(rank)]);
  }

  const Parts& parts_;
  std::vector<std::size_t> turns_;
  std::vector<bool> sent_;
  std::vector<bool> received_;
  std::map<Pair, std::int64_t> exchanged_;
};

/// What a rank sends to another, it sends from the beginning to the end. (Schedules of patterns may not.)
void require_in_order(const Parts& parts) {
  for (const Part& part : parts) {
    std::map<Rank, std::int64_t> so_far;
    for (const Turn& turn : part.turns) {
      if (!is_one(turn.send)) continue;
      require(turn.send.range.first == so_far[turn.send.peer], "pieces are out of order");
      so_far[turn.send.peer] = turn.send.range.last;
    }
  }
}

/// The first turns alone, as they are rehearsed.
Parts beginnings(Parts parts) {
  for (Part& part : parts) part.turns.resize(part.first_turns);
  return parts;
}

void check(const Hosts& hosts, std::int64_t bytes, std::int64_t piece) {
  const auto ranks = static_cast<Rank>(hosts.of_rank.size());
  const Parts parts = parts_on(hosts, bytes, piece);
  require_in_order(parts);
  const auto exchanged = Play(parts).exchanged();
  require(exchanged.size() == index(ranks) * index(ranks - 1), "not everybody has sent to everybody");
  for (const auto& [pair, sum] : exchanged)
    require(pair.first != pair.second && sum == bytes, "a message is not complete");
  require(Play(beginnings(parts)).exchanged().size() == exchanged.size(), "somebody is not met at first");
}

void all_placements() {
  std::mt19937 random(1);
  for (Rank ranks = 2; ranks <= 16; ++ranks) {
    for (Rank count = 2; count <= ranks; ++count) {
      check(hosts_in_a_row(ranks, count), 100, 100);
      check(hosts_in_a_row(ranks, count), 100, 30);
    }
  }
  for (int i = 0; i < 200; ++i) {
    const auto ranks = static_cast<Rank>(2 + random() % 30);
    std::vector<Rank> names{0, 1};
    while (std::cmp_less(names.size(), ranks)) names.push_back(static_cast<Rank>(random() % 6));
    check(hosts_called(names), 70, 20);
  }
}

/// Of hosts with as many ranks each, in whole messages: in every turn with another host all ranks of a host
/// send to the same one, and there are p - 1 turns.
void links_are_as_busy() {
  for (const Rank per_host : {1, 2, 4}) {
    for (const Rank count : {2, 3, 5}) {
      const Hosts hosts = hosts_in_a_row(per_host * count, count);
      const Parts parts = parts_on(hosts, 8, 8);
      for (const Part& part : parts)
        require(std::cmp_equal(part.turns.size(), per_host * count - 1), "too many turns");
      for (std::size_t turn = 0; turn < parts[0].turns.size(); ++turn) {
        for (const std::vector<Rank>& host : hosts.ranks) {
          const auto target = [&](Rank rank) {
            return hosts.of_rank[index(parts[index(rank)].turns[turn].send.peer)];
          };
          for (const Rank rank : host) require(target(rank) == target(host[0]), "ranks of a host part");
        }
      }
    }
  }
}

/// None, or hosts with up to three links, in a row.
std::shared_ptr<const Hosts> some_hosts(Rank ranks, std::mt19937& random) {
  const auto links = static_cast<Rank>(random() % 4);
  if (links == 0) return nullptr;
  return std::make_shared<const Hosts>(with_links(hosts_in_a_row(ranks, (ranks + 2) / 3), links));
}

/// A rank's messages and turns are others than another's; all the same the first turns of all go together.
void all_patterns() {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const auto ranks = static_cast<Rank>(3 + random() % 14);
    const SharedPattern pattern = random_pattern(ranks, 0.6, 1000, random);
    const std::shared_ptr<const Hosts> hosts = some_hosts(ranks, random);
    for (const AllToManyAlgorithm& algorithm : all_to_many_algorithms()) {
      const Schedule schedule = algorithm.schedule(pattern, hosts, 1);
      Parts parts;
      for (Rank rank = 0; rank < ranks; ++rank) parts.push_back(mpi::part_of(schedule, rank, 60));
      std::int64_t bytes = 0;
      for (const auto& [pair, sum] : Play(parts).exchanged()) bytes += sum;
      require(bytes == pattern->total_bytes(), "not all bytes are exchanged");
      Play(beginnings(parts)).exchanged();
    }
  }
}

}  // namespace

int main() try {
  all_placements();
  all_patterns();
  links_are_as_busy();
  return 0;
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
