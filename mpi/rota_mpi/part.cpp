#include "rota_mpi/part.hpp"

#include <algorithm>

#include "rota/parcels.hpp"

namespace rota::mpi {

namespace {

void add(std::vector<Transfer>& transfers, Rank peer, Range range) {
  while (range.size() > 0) {
    const std::int64_t last = std::min(range.last, range.first + most_transfer_bytes);
    transfers.push_back({peer, {range.first, last}});
    range.first = last;
  }
}

void add(std::vector<Transfer>& transfers, const Message& message, const Parcels& parcels) {
  for (const Block block : message.blocks) {
    const Parcel& parcel = parcels.at(block);
    add(transfers, message.peer, {parcel.offset_bytes, parcel.offset_bytes + parcel.bytes});
  }
}

}  // namespace

Part part_of(const Schedule& schedule, Rank rank) {
  const RankSchedule steps = schedule.of_rank(rank);
  Part part;
  for (Round round = 0; round < schedule.rounds; ++round) {
    const Step step = steps(round);
    add(part.sends, step.send, *schedule.problem.parcels);
    add(part.receives, step.receive, *schedule.problem.parcels);
  }
  return part;
}

Part part_of_everybody(Rank rank, Rank ranks, std::int64_t bytes) {
  Part part;
  for (Rank distance = 1; distance < ranks; ++distance) {
    // Sums of two ranks may be too large for a Rank.
    const Rank from = rank >= distance ? rank - distance : rank + (ranks - distance);
    const Rank to = rank < ranks - distance ? rank + distance : rank - (ranks - distance);
    add(part.sends, to, {0, bytes});
    add(part.receives, from, {0, bytes});
  }
  return part;
}

}  // namespace rota::mpi
