// All-to-many calls: MPI_Alltoall, Alltoallv and Alltoallw, and the same among neighbours.
//
// In all but MPI_Alltoall a rank knows its own row and column of the pattern only, so that ranks look together:
//
//     skip? -> one reduction -> remembered? -> the rows of all ranks are gathered -> plan
#pragma once

#include <utility>

#include "rota_mpi/calls/exchanging/agree.hpp"
#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/way/network.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

/// A call of so many ranks, by what passes the busiest port, as far as that is known.
Call all_to_many_call(Rank ranks, std::int64_t port_bytes = 0);

class Exchange : public Operation {
 public:
  explicit Exchange(const Passage& passage) : passage_(passage) {}

  Arguments arguments();
  Prepared prepare(const Decision& decision) final;

 protected:
  /// Both sides. Only asked where the call is looked at.
  virtual const AllToManyCall& call() = 0;

  const Passage& passage() const { return passage_; }
  Rank ranks() const { return passage_.place.ranks; }

  /// The channel is opened, where it is not, for what is to be played.
  Decision decided(const Call& call, const Plan& plan, bool is_new) const;

 private:
  Passage passage_;
};

/// MPI_Alltoall: every rank knows everything. Decided without messages, but for a communicator's first call
/// that Rota serves.
class RegularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;

 private:
  const char* reason_of_companion();
};

/// The others: decided by one reduction of a few numbers where all ranks remember the pattern, else the rows
/// of all ranks are gathered.
class IrregularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;

  /// The look of a call that is not to be left alone whatever it is. Collective.
  Look look_together();

 protected:
  /// Why a call is native before its arguments are looked at; nullptr: it need not be. Local.
  virtual const char* reason_not_to_look() const;

 private:
  Look looked() const;
  Decision decided_anew(const Call& call, Watch& watch) const;

  Sight sight_;
  Agreed agreed_;
};

/// An exchange with its sides, of one kind each.
template <class Kind, class OneSide>
class ExchangeOf final : public Kind {
 public:
  template <class... More>
  ExchangeOf(const Passage& passage, OneSide send, OneSide receive, bool is_in_place, const More&... more)
      : Kind(passage, more...),
        send_(std::move(send)),
        receive_(std::move(receive)),
        call_{is_in_place ? nullptr : &send_, receive_} {}

 private:
  const AllToManyCall& call() override { return call_; }

  OneSide send_;
  OneSide receive_;
  AllToManyCall call_;
};

/// Serves a call on an intra-communicator; `exchange(passage)` is its Exchange.
template <class MadeFor>
int serve_exchange(MPI_Comm comm, const MadeFor& exchange, NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  return serve_seen(comm, kind, exchange, PassedOnBetween{Collective::all_to_many}, native);
}

}  // namespace rota::mpi
