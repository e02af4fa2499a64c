// The store of an all-to-many call: each turn of a rank's part is a block of its sender.
#pragma once

#include "rota_mpi/calls/exchanging/mail.hpp"
#include "rota_mpi/data/store.hpp"

namespace rota::mpi {

/// A part as steps: a round for each turn.
RankSchedule steps_of(const std::shared_ptr<const Part>& part, Rank rank);

class ExchangedData final : public Store {
 public:
  /// Throws MpiError, std::bad_alloc.
  ExchangedData(std::shared_ptr<const Part> part, const AllToManyCall& call, const Self& self,
                const Place& place)
      : part_(std::move(part)), mail_(call, self, place), rank_(place.rank) {}

  void start() override { mail_.start(); }
  std::int64_t bytes(const Blocks& blocks) const override;
  const std::byte* in_place(const Blocks& blocks) override;
  void copy_out(const Blocks& blocks, std::byte* packed) override;
  std::byte* room(const Blocks& blocks) override;
  void filled(const Blocks& blocks) override;
  void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) override;
  void combine(const Combination& combination) override;

 private:
  const Transfer& transfer_of(const Blocks& blocks) const;

  std::shared_ptr<const Part> part_;
  Mail mail_;
  Rank rank_;
};

}  // namespace rota::mpi
