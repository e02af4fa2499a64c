// Allgather and allgatherv on an inter-communicator: each group gets what the other's ranks have.
#pragma once

#include <span>

#include "rota_mpi/calls/moving/received.hpp"
#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/way/scheduled.hpp"

namespace rota::mpi {

/// In an allgather on an inter-communicator, do both groups have too little data for each other to be worth a
/// closer look? The same on all ranks; false where arguments are wrong.
bool is_small_between(MPI_Comm comm, const CommKind& kind, const Data& sent, const Data& received);

/// What one rank sends to all of the other group and receives from them.
class AllgatherBetween : public Scheduled {
 public:
  AllgatherBetween(const Passage& passage, const Data& sent, Received received)
      : passage_(passage), sent_(sent), received_(std::move(received)) {}

 protected:
  MPI_Comm comm() const { return passage_.comm; }
  Rank own_size() const { return passage_.place.ranks; }
  Rank other_size() const { return static_cast<Rank>(received_.counts.size()); }

  Arguments arguments() const;
  /// MPI's code for what this rank sends and receives where it is alone.
  int alone(MPI_Comm self) const;

  std::int64_t sent_bytes() const;
  std::int64_t received_bytes() const;

  /// The call where every rank has so many bytes for the other group.
  Call known(std::span<const std::int64_t> own_shares, std::span<const std::int64_t> other_shares) const;
  /// One of which no more is known than its ranks.
  Call unknown() const;

 private:
  const char* keep(KeptTypes& types) final;
  Companion& companion() const final { return tie_of(comm()).of_all(); }
  std::vector<Data> touched() const final;
  std::unique_ptr<Store> store(const Schedule& schedule, const Companion& companion) const final;

  Passage passage_;
  Data sent_;
  Received received_;
};

/// Allgather: all ranks of a group have equally much, so that everybody knows everything.
class RegularAllgatherBetween final : public AllgatherBetween {
 public:
  using AllgatherBetween::AllgatherBetween;

  std::optional<Look> look() override { return look_alone(); }

 private:
  std::optional<Look> look_alone() override;
};

/// Allgatherv: a rank knows its own share and those of the other group. What is missing is found out
/// together, with a reduction of three numbers and, if there is enough data, an allgather of the shares;
/// after looks that found too little, calls are left to the MPI library without one (way/watch.hpp). Of a
/// call that returns at once ranks tell each other the shares in its turn, and it is carried out whatever
/// they are: so it is begun where one with the shares of the latest that blocked would be.
class IrregularAllgatherBetween final : public AllgatherBetween {
 public:
  using AllgatherBetween::AllgatherBetween;

  std::optional<Look> look() override;
  std::optional<Prepared> tell(const Decision& decision) override;
  Prepared prepare(const Decision& decision) override;

 private:
  std::optional<Look> look_alone() override;
  Look look_at_shares() const;
  Decision decided_by_shares(const Decision& before) const;

  // Of a call that returns at once:
  std::vector<std::int64_t> shares_;  // of all ranks
  FoundNetwork network_;              // as it was known when it was started, in the order of all ranks
  bool are_told_ = false;
};

}  // namespace rota::mpi
