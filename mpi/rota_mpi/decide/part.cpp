#include "rota_mpi/decide/part.hpp"

#include <algorithm>

#include "rota/schedule/parcels.hpp"

namespace rota::mpi {

namespace {

std::vector<Transfer> transfers_of(const Message& message, const Parcels& parcels) {
  std::vector<Transfer> transfers;
  for (const Block block : message.blocks) {
    const Parcel& parcel = parcels.at(block);
    transfers.push_back({message.peer, {parcel.offset_bytes, parcel.offset_bytes + parcel.bytes}});
  }
  return transfers;
}

bool is_over(const Turn& turn) { return turn.send.range.size() == 0 && turn.receive.range.size() == 0; }

/// Takes the first piece off.
Transfer next_piece(Transfer& transfer, std::int64_t piece_bytes) {
  const std::int64_t last = std::min(transfer.range.last, transfer.range.first + piece_bytes);
  const Transfer piece{transfer.peer, {transfer.range.first, last}};
  transfer.range.first = last;
  return piece;
}

/// Takes a piece of each by turns until nothing is left. O(pieces).
Part in_pieces(std::vector<Turn> whole, std::int64_t piece_bytes) {
  std::erase_if(whole, is_over);
  Part part{.turns = {}, .first_turns = whole.size()};
  for (; !whole.empty(); std::erase_if(whole, is_over)) {
    for (Turn& turn : whole)
      part.turns.push_back({next_piece(turn.send, piece_bytes), next_piece(turn.receive, piece_bytes)});
  }
  return part;
}

}  // namespace

Part part_of(const Schedule& schedule, Rank rank, std::int64_t piece_bytes) {
  const RankSchedule steps = schedule.of_rank(rank);
  std::vector<Turn> whole;
  for (Round round = 0; round < schedule.rounds; ++round) {
    const Step step = steps(round);
    const auto sends = transfers_of(step.send, *schedule.problem.parcels);
    const auto receives = transfers_of(step.receive, *schedule.problem.parcels);
    for (std::size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
      whole.push_back(
          {i < sends.size() ? sends[i] : Transfer{}, i < receives.size() ? receives[i] : Transfer{}});
    }
  }
  return in_pieces(std::move(whole), piece_bytes);
}

Part part_of_everybody(Rank rank, Rank ranks, std::int64_t bytes, std::int64_t piece_bytes) {
  std::vector<Turn> whole;
  for (Rank distance = 1; distance < ranks; ++distance) {
    // Sums of two ranks may be too large for a Rank.
    const Rank from = rank >= distance ? rank - distance : rank + (ranks - distance);
    const Rank to = rank < ranks - distance ? rank + distance : rank - (ranks - distance);
    whole.push_back({{to, {0, bytes}}, {from, {0, bytes}}});
  }
  return in_pieces(std::move(whole), piece_bytes);
}

namespace {

Rank modulo(Rank value, Rank number) { return ((value % number) + number) % number; }

/// The ranks of everybody's host, and where one of them stands there.
class Neighbourhood {
 public:
  Neighbourhood(Rank rank, const Hosts& hosts, std::int64_t bytes)
      : hosts_(hosts), bytes_(bytes), own_(hosts.of_rank[static_cast<std::size_t>(rank)]) {
    place_ = static_cast<Rank>(std::ranges::lower_bound(of(own_), rank) - of(own_).begin());
  }

  /// Round c of those with the hosts that are `distance` further on and back.
  Turn between(Rank distance, Rank c) const {
    const std::vector<Rank>& to = of(modulo(own_ + distance, hosts_.count()));
    const std::vector<Rank>& from = of(modulo(own_ - distance, hosts_.count()));
    const Rank sending = std::max(size(of(own_)), size(to));
    const Rank receiving = std::max(size(of(own_)), size(from));
    Turn turn;
    if (c < sending) turn.send = transfer(to, modulo(place_ + c, sending));
    if (c < receiving) turn.receive = transfer(from, modulo(place_ - c, receiving));
    return turn;
  }

  /// Round c of those within the host, from 1 to its ranks - 1.
  Turn within(Rank c) const {
    const Rank ranks = size(of(own_));
    return {transfer(of(own_), modulo(place_ + c, ranks)), transfer(of(own_), modulo(place_ - c, ranks))};
  }

  Rank ranks() const { return size(of(own_)); }

 private:
  static Rank size(const std::vector<Rank>& host) { return static_cast<Rank>(host.size()); }
  const std::vector<Rank>& of(Rank host) const { return hosts_.ranks[static_cast<std::size_t>(host)]; }

  /// With the rank that stands there, if there is one.
  Transfer transfer(const std::vector<Rank>& host, Rank place) const {
    if (place >= size(host)) return {};
    return {host[static_cast<std::size_t>(place)], {0, bytes_}};
  }

  const Hosts& hosts_;
  std::int64_t bytes_;
  Rank own_;
  Rank place_ = 0;
};

}  // namespace

Part part_of_everybody(Rank rank, const Hosts& hosts, std::int64_t bytes, std::int64_t piece_bytes) {
  const Neighbourhood around(rank, hosts, bytes);
  const Rank distances = hosts.count() - 1;
  std::vector<Turn> whole;
  for (Rank distance = 1; distance <= distances; ++distance) {
    for (Rank c = 0; c < hosts.most_ranks(); ++c) whole.push_back(around.between(distance, c));
    for (Rank c = distance; c < around.ranks(); c += distances) whole.push_back(around.within(c));
  }
  return in_pieces(std::move(whole), piece_bytes);
}

}  // namespace rota::mpi
