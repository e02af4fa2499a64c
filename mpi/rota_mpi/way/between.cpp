#include "rota_mpi/way/between.hpp"

#include <algorithm>

#include "rota/model/bound.hpp"
#include "rota_mpi/report/notes.hpp"

namespace rota::mpi {

namespace {

Decided decide(const InterCall& inter) {
  Call call = inter.call;
  const char* const reason = reason_for_native(call, settings());
  if (reason != nullptr) return {call, native(reason)};
  Companion& companion = inter.companion();
  if (companion.fault != nullptr) return {call, native(companion.fault)};
  call.problem.hosts = companion.hosts;
  const Choice choice = choose(call, settings());
  if (choice.algorithm == nullptr) return {call, choice};
  if (companion.is_on_device(inter.touched)) return {call, native(device_memory)};
  const char* const fault = companion.open();
  return {call, fault == nullptr ? choice : native(fault)};
}

Served noted_call(const Call& call, const Choice& choice) {
  Served served = served_by(call, choice);
  served.least_rounds = lower_bound(call.problem).rounds;
  return served;
}

}  // namespace

int serve_between(const InterCall& inter, NativeCall native) {
  return noted([&](Served& served) -> int {
    const auto [call, choice] = decide(inter);
    served = noted_call(call, choice);
    if (choice.algorithm == nullptr) return native();
    Problem problem = call.problem;
    problem.blocks = choice.blocks;
    const Schedule schedule = choice.algorithm->schedule(problem);
    inter.play(schedule, inter.companion());
    served.blocks = schedule.problem.blocks;
    served.rounds = schedule.rounds;
    served.least_rounds = lower_bound(schedule.problem).rounds;
    return MPI_SUCCESS;
  });
}

int pass_on_between(const Call& call, const char* reason, NativeCall native) {
  return noted([&](Served& served) {
    served = served_by(call, rota::mpi::native(reason));
    return native();
  });
}

bool is_small_between(Collective collective, std::int64_t bytes) {
  return !settings().report && bytes < native_below(collective, settings());
}

Call inter_allgather_call(const Tie& tie, std::span<const std::int64_t> own_shares,
                          std::span<const std::int64_t> other_shares) {
  Problem problem{Collective::inter_allgather, tie.ranks()};
  problem.first_group = tie.first_size();
  const auto first = tie.is_first() ? own_shares : other_shares;
  const auto second = tie.is_first() ? other_shares : own_shares;
  problem.shares.assign(first.begin(), first.end());
  problem.shares.insert(problem.shares.end(), second.begin(), second.end());
  return inter_allgather_call(problem);
}

int serve_rooted_between(const RootedCall& call, NativeCall native,
                         const std::function<void(const Schedule&, const Companion&)>& play) {
  if (is_small_between(call.collective, call.bytes)) return native();
  Tie& tie = tie_of(call.comm);
  const bool is_root = call.root == MPI_ROOT;
  // A root that is none, MPI refuses.
  if (!is_root && (call.root < 0 || call.root >= tie.other_size())) return native();
  InterCall inter;
  inter.call.problem = {call.collective, 1 + (is_root ? tie.other_size() : tie.own_size())};
  inter.call.problem.first_group = 1;
  inter.call.problem.in_order = call.in_order;
  inter.call.bytes = call.bytes;
  inter.call.most_blocks = std::max<std::int64_t>(1, call.most_blocks);
  inter.touched = call.touched;
  inter.companion = [&]() -> Companion& {
    return is_root ? tie.of_own_root() : tie.of_remote_root(call.root);
  };
  inter.play = play;
  return serve_between(inter, native);
}

}  // namespace rota::mpi
