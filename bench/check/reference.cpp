#include "reference.hpp"

#include <algorithm>

namespace rota::check {

namespace {

/// Copies elements from one arena to another.
void copy_elements(const Buffer& from, Run source, const Buffer& to, std::size_t first,
                   const Element& element, Bytes& bytes) {
  for (std::size_t i = source.first; i < source.end; ++i) {
    const auto target = bytes.begin() + to.elements[first + i - source.first];
    for (const Part& part : element.parts) {
      std::copy_n(from.bytes.begin() + from.elements[i] + part.offset, part.bytes, target + part.offset);
    }
  }
}

Plan plan_of(const Plan& plan, int rank) { return {plan.c, plan.comm, plan.which_data, rank}; }

const Buffer& contribution(const Plan& plan) { return plan.sends_in_place ? plan.receive : plan.send; }

/// How many ranks' data, from rank 0 on, this rank's result combines.
int operands(const Plan& plan) {
  if (plan.c.call == "scan") return plan.rank + 1;
  return plan.c.call == "exscan" ? plan.rank : plan.ranks;
}

/// left op right, by the operator itself: MPI_Reduce_local has nothing to allocate or to order.
void combine(const Plan& plan, const Buffer& left, Buffer& right) {
  Bytes operand = left.bytes;
  MPI_Reduce_local(operand.data() + left.origin, right.bytes.data() + right.origin,
                   static_cast<int>(right.items), plan.send_type.handle(), plan.op.handle());
}

/// In the layout of the contributions, which rank 0's has in all of its calls.
Buffer combined(const Plan& plan) {
  const Plan first = plan_of(plan, 0);
  Buffer result = contribution(first);
  for (int rank = 1; rank < operands(plan); ++rank) {
    const Plan next = plan_of(plan, rank);
    Buffer right = contribution(next);
    combine(plan, result, right);
    result = std::move(right);
  }
  return result;
}

Bytes reduced(const Plan& plan) {
  Bytes bytes = plan.receive.bytes;
  if (operands(plan) == 0 || (plan.c.call == "reduce" && plan.rank != plan.root)) return bytes;
  const Buffer result = combined(plan);
  copy_elements(result, shares_of(plan), plan.receive, 0, plan.element, bytes);
  return bytes;
}

Bytes gathered(const Plan& plan) {
  Bytes bytes = plan.receive.bytes;
  std::size_t first = 0;
  for (int rank = 0; rank < plan.ranks; ++rank) {
    const Plan sender = plan_of(plan, rank);
    const Run own = contribution_of(sender);
    copy_elements(contribution(sender), own, plan.receive, first, plan.element, bytes);
    first += own.end - own.first;
  }
  return bytes;
}

Bytes exchanged(const Plan& plan) {
  Bytes bytes = plan.receive.bytes;
  const auto to = static_cast<std::size_t>(plan.rank);
  for (int rank = 0; rank < plan.ranks; ++rank) {
    const Plan sender = plan_of(plan, rank);
    const Buffer& sent = contribution(sender);
    copy_elements(sent, {sent.begins[to], sent.begins[to + 1]}, plan.receive,
                  plan.receive.begins[static_cast<std::size_t>(rank)], plan.element, bytes);
  }
  return bytes;
}

Bytes broadcast(const Plan& plan) {
  Bytes bytes = plan.receive.bytes;
  const Plan root = plan_of(plan, plan.root);
  if (plan.rank != plan.root) {
    copy_elements(root.send, {0, root.send.elements.size()}, plan.receive, 0, plan.element, bytes);
  }
  return bytes;
}

}  // namespace

Aftermath by_definition(const Plan& plan) {
  if (plan.c.call == "bcast") return {MPI_SUCCESS, plan.send.bytes, broadcast(plan)};
  if (is_all_to_many(plan.c)) return {MPI_SUCCESS, plan.send.bytes, exchanged(plan)};
  return {MPI_SUCCESS, plan.send.bytes, is_reduction(plan.c) ? reduced(plan) : gathered(plan)};
}

}  // namespace rota::check
