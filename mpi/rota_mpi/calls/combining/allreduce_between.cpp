#include "rota_mpi/calls/combining/allreduce_between.hpp"

#include <algorithm>
#include <utility>

#include "rota/schedule/groups.hpp"
#include "rota_mpi/communicators/tie.hpp"
#include "rota_mpi/settings/in_force.hpp"
#include "rota_mpi/way/operators.hpp"

namespace rota::mpi {

namespace {

/// The items of one group's data, in a part for each of its ranks.
Parts parts_of(const Group& group, const Problem& problem, MPI_Count items) {
  const Cut cut{items, group.size()};
  std::vector<MPI_Count> firsts(static_cast<std::size_t>(problem.ranks) + 1, 0);
  for (Rank rank = 0; rank < problem.ranks; ++rank) {
    const Rank before = std::clamp(rank + 1 - group.first, 0, group.size());
    firsts[static_cast<std::size_t>(rank) + 1] = cut.first(before);
  }
  return Parts::shares(std::move(firsts), problem.blocks);
}

/// The own group's data on their way to one value, and the other group's result. A message's blocks are all
/// of one group.
class BothGroups final : public Store {
 public:
  BothGroups(const Group& own, std::unique_ptr<CombinedData> reduced, std::unique_ptr<CombinedData> result)
      : own_(own), reduced_(std::move(reduced)), result_(std::move(result)) {}

  void start() override {
    reduced_->start();
    result_->start();
  }
  std::int64_t bytes(const Blocks& blocks) const override { return of(blocks).bytes(blocks); }
  const std::byte* in_place(const Blocks& blocks) override { return of(blocks).in_place(blocks); }
  void copy_out(const Blocks& blocks, std::byte* packed) override { of(blocks).copy_out(blocks, packed); }
  std::byte* room(const Blocks& blocks) override { return of(blocks).room(blocks); }
  void filled(const Blocks& blocks) override { of(blocks).filled(blocks); }
  void take(const Blocks& blocks, OnReceive on_receive, std::byte* packed) override {
    of(blocks).take(blocks, on_receive, packed);
  }
  void combine(const Combination& combination) override { reduced_->combine(combination); }

 private:
  CombinedData& of(const Blocks& blocks) const {
    return blocks.empty() || own_.has(blocks.begin()->owner) ? *reduced_ : *result_;
  }

  Group own_;
  std::unique_ptr<CombinedData> reduced_;
  std::unique_ptr<CombinedData> result_;
};

/// Do all ranks of both groups say the same of the call? Collective over them.
bool is_agreed(const Operator& operation, MPI_Count count, MPI_Comm comm) {
  const auto most = tie_of(comm).most({count, -count, does_commute(operation.op) ? 0 : 1});
  return most == std::vector<std::int64_t>{count, -count, 0};
}

}  // namespace

std::optional<Look> AllreduceBetween::look_alone() {
  const Arguments arguments =
      worst({refused_if(reduction_.is_in_place()), arguments_of(reduction_, count_, asking_comm(comm_))});
  if (is_refused(arguments, [&](MPI_Comm self) { return allreduced_alone(reduction_, count_, self); }))
    return {};
  const std::int64_t bytes = packed_bytes(reduction_.sent(count_));
  if (is_little(Collective::inter_allreduce, bytes)) return {};
  const Tie& tie = tie_of(comm_);
  Look look;
  look.call.problem = {Collective::inter_allreduce, tie.ranks()};
  look.call.problem.first_group = tie.first_size();
  look.call.bytes = bytes;
  look.call.most_blocks = std::max<std::int64_t>(1, count_);
  look.call.is_exact = is_exact(reduction_.operation.op, reduction_.operation.type);
  return look;
}

std::optional<Look> AllreduceBetween::look() {
  std::optional<Look> seen = look_alone();
  if (seen && is_of_program(reduction_.operation.op) &&
      reason_for_native(seen->call, settings()) == nullptr && companion().fault == nullptr &&
      !is_agreed(reduction_.operation, count_, comm_))
    seen->reason = "the order of ranks matters";
  return seen;
}

Companion& AllreduceBetween::companion() const { return tie_of(comm_).of_all(); }

std::unique_ptr<Store> AllreduceBetween::store(const Schedule& schedule, const Companion& companion) const {
  const Problem& problem = schedule.problem;
  const auto array_of = [&](const Group& group) {
    return std::make_unique<CombinedData>(reduction_.operation, parts_of(group, problem, count_),
                                          companion.self());
  };
  const Group own = own_group(problem, companion.rank);
  auto reduced = array_of(own);
  reduced->add(0, reduction_.sendbuf);
  auto result = array_of(other_group(problem, companion.rank));
  result->add(0, nullptr, reduction_.recvbuf);
  return std::make_unique<BothGroups>(own, std::move(reduced), std::move(result));
}

}  // namespace rota::mpi
