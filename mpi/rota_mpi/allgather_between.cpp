#include "rota_mpi/allgather_between.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rota/groups.hpp"
#include "rota_mpi/between.hpp"
#include "rota_mpi/execute.hpp"
#include "rota_mpi/moved.hpp"
#include "rota_mpi/watch.hpp"

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
                                  std::int64_t bytes, const Self& self) {
  if (owner == self.rank) return layout_to_send(call.sent, self);
  const Rank first_of_others = tie.number_of_other(0);
  const Rank other = owner - first_of_others;
  if (other >= 0 && other < tie.other_size()) return layout_to_receive(call.received.from(other), self);
  return std::make_unique<PassedOn>(bytes);
}

void play(const AllgatherBetween& call, const Tie& tie, const Schedule& schedule,
          const Companion& companion) {
  const Self self = companion.self();
  const std::vector<BlockIndex> counts = block_counts(schedule.problem);
  MovedData store(schedule.problem.ranks);
  for (Rank owner = 0; owner < schedule.problem.ranks; ++owner) {
    const auto r = static_cast<std::size_t>(owner);
    if (counts[r] == 0) continue;
    const std::int64_t bytes = schedule.problem.shares[r];
    auto layout = layout_of(call, tie, owner, bytes, self);
    store.add(owner, {std::move(layout), {bytes, counts[r]}});
  }
  execute({schedule.of_rank(self.rank), schedule.rounds, self.comm}, store);
}

int serve_shares(const AllgatherBetween& call, Tie& tie, std::span<const std::int64_t> own,
                 std::span<const std::int64_t> other, NativeCall native) {
  InterCall inter;
  inter.call = inter_allgather_call(tie, own, other);
  inter.types = {call.sent.type, call.received.type};
  inter.companion = [&tie]() -> const Companion& { return tie.of_all(); };
  inter.play = [&](const Schedule& schedule, const Companion& companion) {
    play(call, tie, schedule, companion);
  };
  return serve_between(inter, native);
}

/// Will MPI refuse the arguments, in its own words?
bool is_refused(const AllgatherBetween& call) {
  const Data& sent = call.sent;
  const Received& received = call.received;
  if (sent.buffer == MPI_IN_PLACE || sent.count < 0 || sent.type == MPI_DATATYPE_NULL || is_nowhere(sent))
    return true;
  if (received.type == MPI_DATATYPE_NULL || received.counts.empty()) return true;
  if (std::ranges::any_of(received.counts, [](auto n) { return n < 0; })) return true;
  const Data all{received.buffer, sum_of(received.counts), received.type};
  return all.count > 0 && is_nowhere(all);
}

std::int64_t sent_bytes(const AllgatherBetween& call) {
  return call.sent.count == 0 ? 0 : call.sent.count * size_of(call.sent.type);
}

std::int64_t received_bytes(const AllgatherBetween& call) {
  const MPI_Count items = sum_of(call.received.counts);
  return items == 0 ? 0 : items * size_of(call.received.type);
}

/// A call of which no more is known than its ranks.
Call passed_on(const AllgatherBetween& call) {
  Rank own_size = 0;
  check(PMPI_Comm_size(call.comm, &own_size));
  const Rank ranks = own_size + static_cast<Rank>(call.received.counts.size());
  Call result;
  result.problem = {Collective::inter_allgather, ranks};
  result.problem.first_group = own_size;
  result.problem.shares.assign(static_cast<std::size_t>(ranks), 0);
  return result;
}

}  // namespace

bool is_small_between(MPI_Comm comm, const Amount& sent, const Amount& received) {
  int is_inter = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &is_inter) != MPI_SUCCESS || is_inter == 0)
    return false;
  int own_ranks = 0;
  int other_ranks = 0;
  int sent_bytes = 0;
  int received_bytes = 0;
  const bool is_known = sent.items >= 0 && received.items >= 0 && sent.type != MPI_DATATYPE_NULL &&
                        received.type != MPI_DATATYPE_NULL &&
                        PMPI_Comm_size(comm, &own_ranks) == MPI_SUCCESS &&
                        PMPI_Comm_remote_size(comm, &other_ranks) == MPI_SUCCESS &&
                        PMPI_Type_size(sent.type, &sent_bytes) == MPI_SUCCESS &&
                        PMPI_Type_size(received.type, &received_bytes) == MPI_SUCCESS;
  return is_known && sent_bytes >= 0 && received_bytes >= 0 &&
         is_small_between(
             Collective::inter_allgather,
             std::max(sent.items * sent_bytes * own_ranks, received.items * received_bytes * other_ranks));
}

int serve_regular_between(const AllgatherBetween& call, NativeCall native) {
  if (is_refused(call)) return native();
  Rank own_size = 0;
  check(PMPI_Comm_size(call.comm, &own_size));
  const std::int64_t own_bytes = sent_bytes(call);
  Tie& tie = tie_of(call.comm);
  const std::vector<std::int64_t> own(static_cast<std::size_t>(own_size), own_bytes);
  const std::vector<std::int64_t> other(
      call.received.counts.size(),
      received_bytes(call) / static_cast<std::int64_t>(call.received.counts.size()));
  return serve_shares(call, tie, own, other, native);
}

namespace {

/// The bytes of the group that has more for the other; on all ranks alike.
std::int64_t larger_bytes(const AllgatherBetween& call) {
  const std::int64_t others = received_bytes(call);
  std::int64_t own = 0;  // as the others know them
  check(PMPI_Allreduce(&others, &own, 1, MPI_INT64_T, MPI_MAX, call.comm));
  return std::max(own, others);
}

/// The shares of both groups, the first group's first.
std::vector<std::int64_t> gathered_shares(const AllgatherBetween& call, const Companion& companion) {
  const std::int64_t mine = sent_bytes(call);
  std::vector<std::int64_t> shares(static_cast<std::size_t>(companion.ranks));
  check(PMPI_Allgather(&mine, 1, MPI_INT64_T, shares.data(), 1, MPI_INT64_T, companion.comm));
  return shares;
}

int serve_looked_at(const AllgatherBetween& call, Watch& watch, NativeCall native) {
  Tie& tie = tie_of(call.comm);
  const Companion& companion = tie.of_all();
  watch.always_native = companion.fault;
  if (companion.fault != nullptr) return pass_on_between(passed_on(call), companion.fault, native);
  watch.found_served();
  const std::vector<std::int64_t> shares = gathered_shares(call, companion);
  const auto all = std::span(shares);
  const auto first = all.first(static_cast<std::size_t>(tie.first_size()));
  const auto second = all.subspan(static_cast<std::size_t>(tie.first_size()));
  return tie.is_first() ? serve_shares(call, tie, first, second, native)
                        : serve_shares(call, tie, second, first, native);
}

}  // namespace

int serve_irregular_between(const AllgatherBetween& call, NativeCall native) {
  const auto pass_on = [&](const char* reason) { return pass_on_between(passed_on(call), reason, native); };
  if (settings().wish(Collective::inter_allgather).off) return pass_on("switched off");
  Watch& watch = watch_over(call.comm);
  if (watch.always_native != nullptr) return pass_on(watch.always_native);
  if (watch.skips()) return pass_on("the last ones were native");
  if (is_refused(call)) return native();
  const std::int64_t least = native_below(Collective::inter_allgather, settings());
  if (larger_bytes(call) >= std::max<std::int64_t>(1, least)) return serve_looked_at(call, watch, native);
  if (least > 0) watch.found_native();  // else the user wants every call served
  return pass_on("small");
}

}  // namespace rota::mpi
