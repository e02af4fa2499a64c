// Collectives that combine.
#include <algorithm>
#include <numeric>

#include "amounts.hpp"
#include "odd.hpp"
#include "sides.hpp"

namespace rota::programs {

namespace {

bool is_scattering(const Step& step) {
  return step.action == Action::reduce_scatter || step.action == Action::reduce_scatter_block;
}

/// Of each rank of a call that scatters.
std::vector<std::int64_t> shares_of(const Step& step, int size) {
  std::vector<std::int64_t> shares;
  shares.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    shares.push_back(step.action == Action::reduce_scatter ? share(step, rank, size) : step.count);
  }
  return shares;
}

/// Elements that a rank contributes, and those of its result.
struct Sizes {
  std::int64_t sent;
  std::int64_t received;
};

Sizes sizes_of(const Step& step, const View& view) {
  if (!is_scattering(step)) return {step.count, step.count};
  const std::vector<std::int64_t> shares = shares_of(step, view.size());
  return {std::accumulate(shares.begin(), shares.end(), std::int64_t{0}),
          shares[static_cast<std::size_t>(view.rank)]};
}

bool gets_result(const Step& step, const View& view) {
  return step.action != Action::reduce || is_root(step, view);
}

bool contributes(const Step& step, const View& view) {
  return step.action != Action::reduce || !view.is_inter() || !is_in_roots_group(step, view);
}

bool is_in_place(const Step& step, const View& view) {
  return step.in_place != 0 && !view.is_inter() && gets_result(step, view);
}

/// A buffer of which the call needs nothing: some programs pass NULL.
Argument unused(const Step& step, Region region) {
  return step.data % 2 == 0 ? name("NULL") : address(region.first);
}

Argument buffer(const Step& step, const View& view, Region region) {
  const bool is_null = region.bytes == 0 && is_odd(step, view.rank, view.size()) && odd_of(step) == Odd::null;
  return is_null ? name("NULL") : address(region.first);
}

void write_call(Scene& scene, const Step& step, const View& view, const std::vector<Argument>& buffers,
                const Argument& type, const Argument& op) {
  const Argument comm = slot(Kind::comm, step.comm);
  const Argument& sent = buffers[0];
  const Argument& received = buffers[1];
  switch (step.action) {
    case Action::reduce:
      return call(scene, step, "MPI_Reduce",
                  {sent, received, number(step.count), type, op, root_of(step, view), comm});
    case Action::reduce_scatter:
      return call(scene, step, "MPI_Reduce_scatter",
                  {sent, received, numbers(shares_of(step, view.size())), type, op, comm});
    case Action::reduce_scatter_block:
      return call(scene, step, "MPI_Reduce_scatter_block",
                  {sent, received, number(step.count), type, op, comm});
    case Action::scan:
      return call(scene, step, "MPI_Scan", {sent, received, number(step.count), type, op, comm});
    case Action::exscan:
      return call(scene, step, "MPI_Exscan", {sent, received, number(step.count), type, op, comm});
    default:
      return call(scene, step, "MPI_Allreduce", {sent, received, number(step.count), type, op, comm});
  }
}

/// MPI says nothing of the first result of an exscan, and of what lies behind a result in place.
void forget_undefined(Script& script, const Step& step, const View& view, Region received,
                      std::int64_t bytes) {
  if (step.action == Action::exscan && view.rank == 0) return script.blank(received);
  if (is_scattering(step)) script.blank({received.first + bytes, received.bytes - bytes});
}

}  // namespace

void write_reduction(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const Element& element = element_of(step);
  const auto [sends, receives] = sizes_of(step, view);
  const bool mine_in_place = is_in_place(step, view);
  const Region sent = script.take(mine_in_place || !contributes(step, view) ? 0 : sends * element.bytes);
  const Region received = script.take((mine_in_place ? sends : receives) * element.bytes);
  fill_to_combine(script, step, mine_in_place ? received : sent);
  const Argument type = type_of(script, step, Shape::plain, is_odd(step, view.rank, view.size()));
  const Argument op =
      script.operation(element.operators[static_cast<std::size_t>(step.op) % element.operators.size()]);
  const Argument from = mine_in_place ? name("MPI_IN_PLACE") : buffer(step, view, sent);
  write_call(scene, step, view,
             {contributes(step, view) ? from : unused(step, sent),
              gets_result(step, view) ? buffer(step, view, received) : unused(step, received)},
             type, op);
  forget_undefined(script, step, view, received, receives * element.bytes);
  script.look(sent);
  script.look(received);
}

}  // namespace rota::programs
