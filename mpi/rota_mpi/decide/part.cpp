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

/// With a rank, if there is one.
Transfer whole_with(Rank peer, std::int64_t bytes) {
  return peer < 0 ? Transfer{} : Transfer{peer, {0, bytes}};
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

Part part_of_everybody(Round rounds, const std::function<Peers(Round)>& peers_in, std::int64_t bytes,
                       std::int64_t piece_bytes) {
  std::vector<Turn> whole;
  for (Round round = 0; round < rounds; ++round) {
    const auto [to, from] = peers_in(round);
    whole.push_back({whole_with(to, bytes), whole_with(from, bytes)});
  }
  return in_pieces(std::move(whole), piece_bytes);
}

}  // namespace rota::mpi
