#include "rota_mpi/calls/moving/allgather_between.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rota/schedule/groups.hpp"
#include "rota_mpi/calls/moving/broadcast.hpp"
#include "rota_mpi/calls/shares.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/gathering.hpp"
#include "rota_mpi/way/watch.hpp"

namespace rota::mpi {

namespace {

/// The data of a rank of the own group, which a schedule may have this rank pass on: memory only if it does.
class Forwarded final : public Layout {
 public:
  explicit Forwarded(std::int64_t bytes) : size_(static_cast<std::size_t>(bytes)) {}

  const std::byte* held(Range range) override { return room(range); }
  std::byte* room(Range range) override {
    bytes_.resize(size_);
    return bytes_.data() + range.first;
  }
  void filled(Range) override {}

 private:
  std::size_t size_;
  std::vector<std::byte> bytes_;
};

/// What all ranks know of an allgatherv after one reduction.
struct LookBetween {
  std::int64_t bytes = 0;        // of the group that has more for the other
  bool is_refused = false;       // by MPI, as some rank thinks
  std::int64_t least_skips = 0;  // the least that a rank would leave alone (decide/looks.hpp)
};

LookBetween looked_at_together(std::int64_t bytes, bool is_odd, std::int64_t skips, MPI_Comm comm) {
  const auto most = tie_of(comm).most({bytes, is_odd ? 1 : 0, -skips});
  return {most[0], most[1] > 0, -most[2]};
}

}  // namespace

bool is_small_between(MPI_Comm comm, const CommKind& kind, const Data& sent, const Data& received) {
  int own_ranks = 0;
  int sent_bytes = 0;
  int received_bytes = 0;
  const bool is_known = sent.count >= 0 && received.count >= 0 && sent.type != MPI_DATATYPE_NULL &&
                        received.type != MPI_DATATYPE_NULL &&
                        pmpi.Comm_size(comm, &own_ranks) == MPI_SUCCESS &&
                        pmpi.Type_size(sent.type, &sent_bytes) == MPI_SUCCESS &&
                        pmpi.Type_size(received.type, &received_bytes) == MPI_SUCCESS;
  return is_known && sent_bytes >= 0 && received_bytes >= 0 &&
         is_little(Collective::inter_allgather, std::max(sent.count * sent_bytes * own_ranks,
                                                         received.count * received_bytes * kind.peers));
}

/// Each rank's items have a place of their own.
Arguments AllgatherBetween::arguments() const {
  MPI_Comm asking = asking_comm(comm());
  if (received_.counts.empty() || std::ranges::any_of(received_.counts, [](auto n) { return n < 0; }))
    return Arguments::refused;
  Arguments all = arguments_of(sent_, asking);
  for (Rank rank = 0; rank < other_size() && all == Arguments::plain; ++rank)
    all = arguments_of(received_.from(rank), rank == 0 ? asking : MPI_COMM_NULL);
  return all;
}

/// By a broadcast each of what is sent, and of what comes from one rank.
int AllgatherBetween::alone(MPI_Comm self) const {
  const int code = broadcast(sent_, 0, self);
  return code != MPI_SUCCESS ? code : broadcast(received_.from(0), 0, self);
}

std::int64_t AllgatherBetween::sent_bytes() const { return packed_bytes(sent_); }

std::int64_t AllgatherBetween::received_bytes() const {
  return packed_bytes({nullptr, sum_of(received_.counts), received_.type});
}

Call AllgatherBetween::known(std::span<const std::int64_t> own_shares,
                             std::span<const std::int64_t> other_shares) const {
  const Tie& tie = tie_of(comm());
  Problem problem{Collective::inter_allgather, tie.ranks()};
  problem.first_group = tie.first_size();
  const auto first = tie.is_first() ? own_shares : other_shares;
  const auto second = tie.is_first() ? other_shares : own_shares;
  problem.shares.assign(first.begin(), first.end());
  problem.shares.insert(problem.shares.end(), second.begin(), second.end());
  return inter_allgather_call(problem);
}

Call AllgatherBetween::unknown() const {
  Call call;
  call.problem = {Collective::inter_allgather, own_size() + other_size()};
  call.problem.first_group = own_size();
  call.problem.shares.assign(static_cast<std::size_t>(call.problem.ranks), 0);
  return call;
}

const char* AllgatherBetween::keep(KeptTypes& types) {
  types.keep(sent_.type);
  types.keep(received_.type);
  return nullptr;
}

std::vector<Data> AllgatherBetween::touched() const {
  std::vector<Data> all = pieces_of(received_);
  all.push_back(sent_);
  return all;
}

std::unique_ptr<Store> AllgatherBetween::store(const Schedule& schedule, const Companion& companion) const {
  const Tie& tie = tie_of(comm());
  const Self& self = companion.self();
  const std::vector<BlockIndex> counts = block_counts(schedule.problem);
  const auto layout_of = [&](Rank owner, std::int64_t bytes) -> std::unique_ptr<Layout> {
    const Rank other = owner - tie.number_of_other(0);
    if (other >= 0 && other < tie.other_size()) return layout_to_receive(received_.from(other), self);
    if (owner != companion.rank) return std::make_unique<Forwarded>(bytes);
    return layout_to_send(sent_, self);
  };
  auto store = std::make_unique<MovedData>(schedule.problem.ranks);
  for (Rank owner = 0; owner < schedule.problem.ranks; ++owner) {
    const auto r = static_cast<std::size_t>(owner);
    if (counts[r] == 0) continue;
    const std::int64_t bytes = schedule.problem.shares[r];
    auto layout = layout_of(owner, bytes);
    store->add(owner, {std::move(layout), {bytes, counts[r]}});
  }
  return store;
}

std::optional<Look> RegularAllgatherBetween::look_alone() {
  if (is_refused(arguments(), [this](MPI_Comm self) { return alone(self); })) return {};
  const std::vector<std::int64_t> own(static_cast<std::size_t>(own_size()), sent_bytes());
  const std::vector<std::int64_t> other(static_cast<std::size_t>(other_size()),
                                        received_bytes() / other_size());
  return Look{known(own, other)};
}

std::optional<Look> IrregularAllgatherBetween::look_alone() {
  if (is_refused(arguments(), [this](MPI_Comm self) { return alone(self); })) return {};
  const std::optional<Call>& latest = watch_over(comm()).latest_between;
  if (!latest) return Look{unknown(), "other ranks' shares are not known"};
  shares_.assign(latest->problem.shares.size(), 0);
  network_ = tie_of(comm()).of_all().network_for(*latest);
  return Look{*latest};
}

std::optional<Prepared> IrregularAllgatherBetween::tell(const Decision& decision) {
  if (shares_.empty() || are_told_) return {};
  are_told_ = true;
  const Companion& among = *decision.companion;
  shares_[static_cast<std::size_t>(among.rank)] = sent_bytes();
  return gathering(shares_, among.rank, among.self());
}

/// In its turn, which is not at the same place among the program's later calls on all ranks, nor on the
/// program's thread: so by nothing that these calls change.
Decision IrregularAllgatherBetween::decided_by_shares(const Decision& before) const {
  Problem problem = before.call.problem;
  problem.shares = shares_;
  Call call = inter_allgather_call(problem);
  const Choice choice = choose(call, settings(), network_);
  if (choice.algorithm != nullptr) return {call, choice, before.companion};
  call.problem.hosts = nullptr;  // there all schedules are, which solve it both ways
  return {call, choose_fastest(call, settings(), network_), before.companion};
}

Prepared IrregularAllgatherBetween::prepare(const Decision& decision) {
  return Scheduled::prepare(shares_.empty() ? decision : decided_by_shares(decision));
}

std::optional<Look> IrregularAllgatherBetween::look() {
  const auto pass_on = [this](const char* reason) { return Look{unknown(), reason}; };
  if (settings().wish(Collective::inter_allgather).off) return pass_on("switched off");
  if (!tie_of(comm()).is_of_one_world()) return pass_on(started_apart);
  Watch& watch = watch_over(comm());
  watch.latest_between.reset();
  if (watch.always_native != nullptr) return pass_on(watch.always_native);
  if (watch.looks.skips()) return pass_on("the last ones were native");
  const bool is_odd = arguments() != Arguments::plain;
  const std::int64_t bytes = is_odd ? 0 : std::max(received_bytes(), sent_bytes());
  const std::int64_t skips = watch.looks.begin(pmpi.Wtime(), own_size() + other_size());
  const LookBetween seen = looked_at_together(bytes, is_odd, skips, comm());
  watch.looks.end(pmpi.Wtime(), seen.least_skips);
  if (seen.is_refused) return {};
  const std::int64_t least = native_below(Collective::inter_allgather, settings());
  if (seen.bytes < std::max<std::int64_t>(1, least)) {
    if (least > 0) watch.looks.in_vain();  // else the user wants every call served
    return pass_on("small");
  }
  watch.always_native = tie_of(comm()).of_all().fault;
  if (watch.always_native != nullptr) return pass_on(watch.always_native);
  Look look = look_at_shares();
  watch.latest_between = look.call;
  return look;
}

/// The other group knows the own group's, and tells it.
Look IrregularAllgatherBetween::look_at_shares() const {
  const Tie& tie = tie_of(comm());
  const std::int64_t mine = sent_bytes();
  std::vector<std::int64_t> own(static_cast<std::size_t>(tie.own_size()));
  std::vector<std::int64_t> other(static_cast<std::size_t>(tie.other_size()));
  check(pmpi.Allgather(&mine, 1, MPI_INT64_T, other.data(), 1, MPI_INT64_T, comm()));
  tie.exchange(other, own);
  return {known(own, other)};
}

}  // namespace rota::mpi
