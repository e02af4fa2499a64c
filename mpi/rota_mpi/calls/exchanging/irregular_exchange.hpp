// All-to-many calls in which a rank knows its own row and column of the pattern only, so that ranks look together:
//
//     skip? -> one reduction -> remembered? -> the rows of all ranks are gathered -> plan
#pragma once

#include <memory>
#include <optional>

#include "rota_mpi/calls/exchanging/agree.hpp"
#include "rota_mpi/calls/exchanging/exchange.hpp"
#include "rota_mpi/calls/exchanging/telling.hpp"

namespace rota::mpi {

/// Decided by one reduction of a few numbers where all ranks remember the pattern, else the rows of all ranks
/// are gathered. Of a call that returns at once ranks tell each other the same in its turn (telling.hpp), and
/// it is carried out whatever comes of that.
class IrregularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;
  std::optional<Decision> decide_at_once() final;
  std::optional<Decision> decide_for_starts() final;
  std::optional<Prepared> tell(const Decision& decision) final;
  Prepared prepare(const Decision& decision) final;

  /// Of what is planned once and run many times: with a plan, whoever's turn it is. Collective.
  Decision decide_for_runs();

 protected:
  /// Is any of this rank's data in the memory of a device, if that may be?
  virtual bool is_on_device_here();

  /// Why calls are native whatever their arguments; nullptr: they need not be. Local.
  virtual const char* reason_for_native_unseen() const;

 private:
  Look look_together();
  const char* reason_not_to_look() const;
  const char* reason_not_to_start_at_once() const;
  Look looked() const;
  Decision decided_again(const Call& call, Watch& watch) const;
  Decision decided_anew(const Call& call, Watch& watch) const;
  Decision decided_for_starts(const Call& call);
  Decision without_plan(const Call& call, Watch& watch) const;
  Decision planned(const Call& call, Watch& watch) const;
  Terms terms_for(const Call& call) const;

  Sight sight_;
  Agreed agreed_;
  std::unique_ptr<Telling> telling_;
};

/// Is the next call that blocks left to the MPI library without a look? Then it has been counted. Throws
/// MpiError, std::bad_alloc.
bool is_left_alone(MPI_Comm comm);

/// Serves a call of which `exchange(passage)` is the Exchange. Most calls are small, and left alone at a
/// glance.
template <class MadeFor>
int serve_irregular(MPI_Comm comm, const MadeFor& exchange, NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  return raising_on(comm, [&]() -> int {
    if (!kind.is_inter && native.manner() == Manner::blocking && is_left_alone(comm)) return native();
    return serve_seen(comm, kind, exchange, between_groups(exchange), native);
  });
}

}  // namespace rota::mpi
