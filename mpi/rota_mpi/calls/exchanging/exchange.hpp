// All-to-many calls: MPI_Alltoall, Alltoallv and Alltoallw, and the same among neighbours.
//
// In all but MPI_Alltoall a rank knows its own row and column of the pattern only, so that ranks look together:
//
//     skip? -> one reduction -> remembered? -> the rows of all ranks are gathered -> plan
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "rota_mpi/calls/exchanging/agree.hpp"
#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/calls/exchanging/telling.hpp"
#include "rota_mpi/way/network.hpp"
#include "rota_mpi/way/serve.hpp"

namespace rota::mpi {

/// A call of so many ranks, by what passes the busiest port, as far as that is known.
Call all_to_many_call(Rank ranks, std::int64_t port_bytes = 0);

class Exchange : public Operation {
 public:
  explicit Exchange(const Passage& passage) : passage_(passage) {}

  Arguments arguments();
  Prepared prepare(const Decision& decision) override;

  /// What passes this rank's port, if that is not known of all: on others it is different.
  void tell_unseen(Call& call) override;

  /// The same with the other group, of so many ranks.
  void tell_unseen_between(Call& call, Rank others);

 protected:
  /// Both sides. Only asked where the call is looked at, or reported.
  virtual const AllToManyCall& call() = 0;

  const Passage& passage() const { return passage_; }
  Rank ranks() const { return passage_.place.ranks; }

  /// The channel is opened, where it is not, for what is to be played.
  Decision decided(const Call& call, const Plan& plan, bool is_new) const;
  /// The same where the channel need not be open. Local.
  Decision decided_alone(const Call& call, const Plan& plan, bool is_new) const;

  /// With the decision's plan for as long as this is there: the communicator's next call may have another.
  Decision keeping_plan(Decision decision);

  /// From now on the program may free its types and change its arrays. Before its plan is kept.
  void keep_arguments();

 private:
  virtual void keep(KeptTypes& types) = 0;

  /// With so many peers, of which this rank has the number `own`, or none.
  void tell_bytes(Call& call, Rank own, Rank peers);

  /// Of a call that does not block.
  struct Kept {
    Plan plan;
    KeptTypes types;
  };

  Passage passage_;
  std::unique_ptr<Kept> kept_;
};

/// MPI_Alltoall: every rank knows everything. Decided without messages, but for a communicator's first call
/// that Rota serves.
class RegularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;
  std::optional<Decision> decide_at_once() final;
  std::optional<Decision> decide_for_starts() final;

 private:
  const char* reason_of_companion();
  bool is_new_to(const Watch& watch, const Call& call) const;
  /// For calls of that size, until the communicator's next one of another. Local.
  const Plan& plan_of(const Call& call) const;
  std::optional<Look> look_for_start();
};

/// The others: decided by one reduction of a few numbers where all ranks remember the pattern, else the rows
/// of all ranks are gathered. Of a call that returns at once ranks tell each other the same in its turn
/// (telling.hpp), and it is carried out whatever comes of that.
class IrregularExchange : public Exchange {
 public:
  using Exchange::Exchange;

  std::optional<Look> look() final;
  Decision decide(const Call& call) final;
  std::optional<Decision> decide_at_once() final;
  std::optional<Decision> decide_for_starts() final;
  std::optional<Prepared> tell(const Decision& decision) final;
  Prepared prepare(const Decision& decision) final;

  /// The look of a call that is not to be left alone whatever it is. Collective.
  Look look_together();

 protected:
  /// Why calls are native whatever their arguments; nullptr: they need not be. Local.
  virtual const char* reason_for_native_unseen() const;

 private:
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
  void keep(KeptTypes& types) override {
    if (call_.send != nullptr) send_.keep(types, this->ranks());
    receive_.keep(types, this->ranks());
  }

  OneSide send_;
  OneSide receive_;
  AllToManyCall call_;
};

/// A call between two groups, which is passed on.
template <class OneExchange>
class ExchangeBetween final : public Operation {
 public:
  /// `exchange(passage)` is its exchange, as if it were one within a group.
  template <class MadeFor>
  ExchangeBetween(const Passage& passage, const MadeFor& exchange)
      : ranks_(passage.place.ranks), others_(kind_of(passage.comm).peers), exchange_(exchange(passage)) {}

  std::optional<Look> look() override { return Look{of_both(), reason}; }
  Decision decide(const Call& call) override { return left_to_native(call, reason); }
  std::optional<Decision> decide_at_once() override { return decide(of_both()); }
  std::optional<Decision> decide_for_starts() override { return decide(of_both()); }
  Prepared prepare(const Decision&) override { return {}; }
  void tell_unseen(Call& call) override { exchange_.tell_unseen_between(call, others_); }

 private:
  static constexpr const char* reason = "inter-communicator";

  Call of_both() const { return all_to_many_call(ranks_ + others_); }

  Rank ranks_;
  Rank others_;
  OneExchange exchange_;
};

/// Serves a call on an intra-communicator; `exchange(passage)` is its Exchange.
template <class MadeFor>
int serve_exchange(MPI_Comm comm, const MadeFor& exchange, NativeCall native) {
  const CommKind kind = kind_at_a_glance(comm);
  if (!kind.is_valid) return kind.code;
  const auto between = [&](const Passage& passage) {
    return ExchangeBetween<decltype(exchange(passage))>(passage, exchange);
  };
  return serve_seen(comm, kind, exchange, between, native);
}

}  // namespace rota::mpi
