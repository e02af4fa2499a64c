// Collectives that combine.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

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

/// What stands behind the buffers.
std::vector<Argument> arguments_of(const Step& step, const View& view, const Argument& type,
                                   const Argument& op) {
  const Argument comm = slot(Kind::comm, step.comm);
  if (step.action == Action::reduce) return {number(step.count), type, op, root_of(step, view), comm};
  if (step.action == Action::reduce_scatter) return {numbers(shares_of(step, view.size())), type, op, comm};
  return {number(step.count), type, op, comm};
}

/// MPI says nothing of the first result of an exscan, and of what lies behind a result in place.
std::vector<Region> undefined_in(const Step& step, const View& view, Region received, std::int64_t bytes) {
  if (step.action == Action::exscan && view.rank == 0) return {received};
  if (is_scattering(step)) return {{received.first + bytes, received.bytes - bytes}};
  return {};
}

}  // namespace

Collective combined(Scene& scene, const Step& step, const View& view) {
  Script& script = scene.script;
  const Element& element = element_of(step);
  const auto [sends, receives] = sizes_of(step, view);
  const bool mine_in_place = is_in_place(step, view);
  const Region sent = script.take(mine_in_place || !contributes(step, view) ? 0 : sends * element.bytes);
  const Region received = script.take((mine_in_place ? sends : receives) * element.bytes);
  const Argument type = type_of(script, step, Shape::plain, is_odd(step, view.rank, view.size()));
  const Argument op =
      script.operation(element.operators[static_cast<std::size_t>(step.op) % element.operators.size()]);
  const Argument from = mine_in_place ? name("MPI_IN_PLACE") : buffer(step, view, sent);
  std::vector<Argument> arguments{
      contributes(step, view) ? from : unused(step, sent),
      gets_result(step, view) ? buffer(step, view, received) : unused(step, received)};
  std::ranges::move(arguments_of(step, view, type, op), std::back_inserter(arguments));
  return {.arguments = std::move(arguments),
          .given = {to_combine(step, mine_in_place ? received : sent)},
          .undefined = undefined_in(step, view, received, receives * element.bytes),
          .seen = {sent, received}};
}

}  // namespace rota::programs
