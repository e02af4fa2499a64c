// All-to-many calls: MPI_Alltoall, Alltoallv and Alltoallw, and the same among neighbours.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/way/network.hpp"
#include "rota_mpi/way/serve.hpp"
#include "rota_mpi/way/watch.hpp"

namespace rota::mpi {

/// A call of so many ranks, by what passes the busiest port, as far as that is known.
Call all_to_many_call(Rank ranks, std::int64_t port_bytes = 0);

/// Why no call on this communicator is served, as its ranks find out together when first they want to;
/// nullptr: calls are served.
const char* reason_of_companion(const Companion& companion);

/// In which the messages of such a call are cut.
Pieces pieces_for(const Call& call, const Companion& among);

/// What this rank knows of the call.
Sight sight_of(const AllToManyCall& call, const Place& place);

class Exchange : public Operation {
 public:
  explicit Exchange(const Passage& passage) : passage_(passage) {}

  Arguments arguments();
  Prepared prepare(const Decision& decision) override;

  /// What passes this rank's port, if that is not known of all: on others it is different. Where ranks share
  /// hosts and no plan was made, what links have to carry too.
  void tell_unseen(Served& served) override;

  /// What passes this rank's port to and from the other group, of so many ranks.
  void tell_unseen_between(Call& call, Rank others);

 protected:
  /// Both sides. Only asked where the call is looked at, or reported.
  virtual const AllToManyCall& call() = 0;

  const Passage& passage() const { return passage_; }
  Rank ranks() const { return passage_.place.ranks; }

  /// Is any of this rank's data in the memory of a device?
  bool is_any_on_device();

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
  void tell_unseen(Served& served) override { exchange_.tell_unseen_between(served.call, others_); }

 private:
  static constexpr const char* reason = "inter-communicator";

  Call of_both() const { return all_to_many_call(ranks_ + others_); }

  Rank ranks_;
  Rank others_;
  OneExchange exchange_;
};

/// What makes the call between groups of which `exchange(passage)` would be the Exchange within one.
template <class MadeFor>
auto between_groups(const MadeFor& exchange) {
  return [&exchange](const Passage& passage) {
    return ExchangeBetween<decltype(exchange(passage))>(passage, exchange);
  };
}

}  // namespace rota::mpi
