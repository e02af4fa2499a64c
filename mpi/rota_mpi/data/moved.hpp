// The store of collectives that move data and combine nothing: broadcast and allgather.
#pragma once

#include <memory>
#include <vector>

#include "rota_mpi/data/cut.hpp"
#include "rota_mpi/data/layout.hpp"
#include "rota_mpi/data/store.hpp"

namespace rota::mpi {

/// The data of one owner in this rank's memory.
struct Share {
  std::unique_ptr<Layout> layout;
  Cut cut;  // of its packed bytes
};

/// Blocks as ranges of packed bytes, each owner's with a layout of its own.
class MovedData : public Store {
 public:
  explicit MovedData(Rank ranks) : shares_(static_cast<std::size_t>(ranks)) {}

  /// Adds an owner; every owner of the schedule must be there before the first message.
  void add(Rank owner, Share share) { shares_[static_cast<std::size_t>(owner)] = std::move(share); }

  void start() override;
  std::int64_t bytes(const Blocks& blocks) const override;
  const std::byte* in_place(const Blocks& blocks) override;
  void copy_out(const Blocks& blocks, std::byte* packed) override;
  std::byte* room(const Blocks& blocks) override;
  void filled(const Blocks& blocks) override;
  void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) override;
  void combine(const Combination& combination) override;

 private:
  const Share& share_of(Block block) const { return shares_[static_cast<std::size_t>(block.owner)]; }

  std::vector<Share> shares_;  // by owner
};

}  // namespace rota::mpi
