#include "rota_mpi/communicators/try_outs.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace rota::mpi {

namespace {

// Programs that make fewer calls of a kind take no time with them that would count.
constexpr std::int64_t first_due = 50;
constexpr std::int64_t calls_for_each_tried = 100;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::atomic<std::int64_t>& all_due() {
  static std::atomic<std::int64_t> due{0};
  return due;
}

}  // namespace

bool is_any_try_out_due() { return all_due().load(std::memory_order_relaxed) > 0; }

TryOuts& TryOuts::operator=(TryOuts&& other) noexcept {
  std::swap(started_, other.started_);
  std::swap(due_, other.due_);
  return *this;
}

TryOuts::~TryOuts() { change_due(-due_); }

void TryOuts::change_due(std::int64_t by) {
  due_ += by;
  all_due().fetch_add(by, std::memory_order_relaxed);
}

StartedCalls& TryOuts::of(const Call& call) {
  return started_[{call.problem.collective, size_class_of(call.bytes)}];
}

void TryOuts::count(StartedCalls& started, const Call& call) {
  started.latest = call;
  if (started.due_at == 0) started.due_at = started.like_it ? first_due : never;
  ++started.calls;
  if (started.calls == started.due_at) change_due(1);
}

StartedCalls* TryOuts::take_due() {
  if (due_ == 0) return nullptr;
  const auto found = std::ranges::find_if(
      started_, [](const auto& each) { return each.second.calls >= each.second.due_at; });
  if (found == started_.end()) return nullptr;
  found->second.due_at = never;
  change_due(-1);
  return &found->second;
}

void TryOuts::made(StartedCalls& started, std::int64_t calls) {
  started.calls_before = started.calls;
  started.due_at = started.calls + calls_for_each_tried * std::max<std::int64_t>(1, calls);
}

}  // namespace rota::mpi
