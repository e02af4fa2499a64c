#include "rota_mpi/calls/moving/allgather_between.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "rota/schedule/groups.hpp"
#include "rota_mpi/calls/moving/broadcast.hpp"
#include "rota_mpi/data/moved.hpp"
#include "rota_mpi/play/execute.hpp"
#include "rota_mpi/way/between.hpp"
#include "rota_mpi/way/watch.hpp"

namespace rota::mpi {

namespace {

/// The data of a rank of the own group, which a schedule may have this rank pass on: memory only if it does.
class PassedOn final : public Layout {
 public:
  explicit PassedOn(std::int64_t bytes) : size_(static_cast<std::size_t>(bytes)) {}

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

std::unique_ptr<Layout> layout_of(const AllgatherBetween& call, const Tie& tie, Rank owner,
                                  std::int64_t bytes, const Companion& companion) {
  const Self& self = companion.self();
  const Rank other = owner - tie.number_of_other(0);
  if (other >= 0 && other < tie.other_size()) return layout_to_receive(call.received.from(other), self);
  if (owner != companion.rank) return std::make_unique<PassedOn>(bytes);
  return layout_to_send(call.sent, self);
}

void play(const AllgatherBetween& call, const Tie& tie, const Schedule& schedule,
          const Companion& companion) {
  const std::vector<BlockIndex> counts = block_counts(schedule.problem);
  MovedData store(schedule.problem.ranks);
  for (Rank owner = 0; owner < schedule.problem.ranks; ++owner) {
    const auto r = static_cast<std::size_t>(owner);
    if (counts[r] == 0) continue;
    const std::int64_t bytes = schedule.problem.shares[r];
    auto layout = layout_of(call, tie, owner, bytes, companion);
    store.add(owner, {std::move(layout), {bytes, counts[r]}});
  }
  execute({schedule.of_rank(companion.rank), schedule.rounds, companion.channel()}, store);
}

int serve_known(const AllgatherBetween& call, Tie& tie, std::span<const std::int64_t> own,
                std::span<const std::int64_t> other, NativeCall native) {
  InterCall inter;
  inter.call = inter_allgather_call(tie, own, other);
  inter.touched = pieces_of(call.received);
  inter.touched.push_back(call.sent);
  inter.companion = [&tie]() -> Companion& { return tie.of_all(); };
  inter.play = [&](const Schedule& schedule, const Companion& companion) {
    play(call, tie, schedule, companion);
  };
  return serve_between(inter, native);
}

/// Each rank's items have a place of their own.
Arguments arguments_of(const AllgatherBetween& call) {
  const Received& received = call.received;
  MPI_Comm asking = asking_comm(call.comm);
  if (received.counts.empty() || std::ranges::any_of(received.counts, [](auto n) { return n < 0; }))
    return Arguments::refused;
  Arguments all = arguments_of(call.sent, asking);
  for (Rank rank = 0; rank < static_cast<Rank>(received.counts.size()) && all == Arguments::plain; ++rank)
    all = arguments_of(received.from(rank), rank == 0 ? asking : MPI_COMM_NULL);
  return all;
}

/// What is sent, and what comes from one rank: MPI's code for a broadcast of each by this rank alone.
int alone(const AllgatherBetween& call, MPI_Comm self) {
  const Data received = call.received.from(0);
  const int code = broadcast(call.sent, 0, self);
  return code != MPI_SUCCESS ? code : broadcast(received, 0, self);
}

std::int64_t sent_bytes(const AllgatherBetween& call) { return packed_bytes(call.sent); }

std::int64_t received_bytes(const AllgatherBetween& call) {
  return packed_bytes({nullptr, sum_of(call.received.counts), call.received.type});
}

/// A call of which no more is known than its ranks.
Call passed_on(const AllgatherBetween& call) {
  Rank own_size = 0;
  check(pmpi.Comm_size(call.comm, &own_size));
  const Rank ranks = own_size + static_cast<Rank>(call.received.counts.size());
  Call result;
  result.problem = {Collective::inter_allgather, ranks};
  result.problem.first_group = own_size;
  result.problem.shares.assign(static_cast<std::size_t>(ranks), 0);
  return result;
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
         is_small_between(
             Collective::inter_allgather,
             std::max(sent.count * sent_bytes * own_ranks, received.count * received_bytes * kind.peers));
}

int serve_regular_between(const AllgatherBetween& call, NativeCall native) {
  if (is_refused(arguments_of(call), [&](MPI_Comm self) { return alone(call, self); })) return native();
  Rank own_size = 0;
  check(pmpi.Comm_size(call.comm, &own_size));
  const std::int64_t own_bytes = sent_bytes(call);
  Tie& tie = tie_of(call.comm);
  const std::vector<std::int64_t> own(static_cast<std::size_t>(own_size), own_bytes);
  const std::vector<std::int64_t> other(
      call.received.counts.size(),
      received_bytes(call) / static_cast<std::int64_t>(call.received.counts.size()));
  return serve_known(call, tie, own, other, native);
}

namespace {

/// What all ranks know of a call after one reduction.
struct LookBetween {
  std::int64_t bytes = 0;   // of the group that has more for the other
  bool is_refused = false;  // by MPI, as some rank thinks
};

LookBetween look_at(const AllgatherBetween& call) {
  const bool is_odd = arguments_of(call) != Arguments::plain;
  const std::array<std::int64_t, 2> mine{is_odd ? 0 : std::max(received_bytes(call), sent_bytes(call)),
                                         is_odd};
  std::array<std::int64_t, 2> others{};  // what those of the other group say, and then what they have heard
  std::array<std::int64_t, 2> own{};
  check(pmpi.Allreduce(mine.data(), others.data(), 2, MPI_INT64_T, MPI_MAX, call.comm));
  check(pmpi.Allreduce(others.data(), own.data(), 2, MPI_INT64_T, MPI_MAX, call.comm));
  return {std::max(own[0], others[0]), own[1] + others[1] > 0};
}

/// The shares of both groups, those of the own group and those of the other.
struct SharesBetween {
  std::vector<std::int64_t> own;
  std::vector<std::int64_t> other;
};

/// The other group knows the own group's, and tells it.
SharesBetween gathered_shares(const AllgatherBetween& call, const Tie& tie) {
  const std::int64_t mine = sent_bytes(call);
  SharesBetween all{std::vector<std::int64_t>(static_cast<std::size_t>(tie.own_size())),
                    std::vector<std::int64_t>(static_cast<std::size_t>(tie.other_size()))};
  check(pmpi.Allgather(&mine, 1, MPI_INT64_T, all.other.data(), 1, MPI_INT64_T, call.comm));
  tie.exchange(all.other, all.own);
  return all;
}

int serve_looked_at(const AllgatherBetween& call, Watch& watch, NativeCall native) {
  Tie& tie = tie_of(call.comm);
  const Companion& companion = tie.of_all();
  watch.always_native = companion.fault;
  if (companion.fault != nullptr) return pass_on_between(passed_on(call), companion.fault, native);
  watch.found_served();
  const SharesBetween shares = gathered_shares(call, tie);
  return serve_known(call, tie, shares.own, shares.other, native);
}

}  // namespace

int serve_irregular_between(const AllgatherBetween& call, NativeCall native) {
  const auto pass_on = [&](const char* reason) { return pass_on_between(passed_on(call), reason, native); };
  if (settings().wish(Collective::inter_allgather).off) return pass_on("switched off");
  Watch& watch = watch_over(call.comm);
  if (watch.always_native != nullptr) return pass_on(watch.always_native);
  if (watch.skips()) return pass_on("the last ones were native");
  const LookBetween look = look_at(call);
  if (look.is_refused) return native();
  const std::int64_t least = native_below(Collective::inter_allgather, settings());
  if (look.bytes >= std::max<std::int64_t>(1, least)) return serve_looked_at(call, watch, native);
  if (least > 0) watch.found_native();  // else the user wants every call served
  return pass_on("small");
}

}  // namespace rota::mpi
