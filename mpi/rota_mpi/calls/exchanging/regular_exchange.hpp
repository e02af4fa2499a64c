// MPI_Alltoall: every rank knows everything.
#pragma once

#include <optional>

#include "rota_mpi/calls/exchanging/exchange.hpp"

namespace rota::mpi {

/// Decided without messages, but for a communicator's first call that Rota serves.
class RegularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;
  std::optional<Decision> decide_at_once() final;
  std::optional<Decision> decide_for_starts() final;

 private:
  const char* reason_seen();
  bool is_new_to(const Watch& watch, const Call& call) const;
  /// For calls of that size, until the communicator's next one of another. Local.
  const Plan& plan_of(const Call& call) const;
  std::optional<Look> look_for_start();
};

}  // namespace rota::mpi
