#include "generate.hpp"

#include <algorithm>
#include <iterator>

#include "communicators.hpp"
#include "elements.hpp"
#include "operators.hpp"
#include "plan.hpp"
#include "random.hpp"
#include "shapes.hpp"

namespace rota::check {

namespace {

template <class List>
const auto& any_of(const List& list, Random& random) {
  return list[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(std::size(list))))];
}

/// One of the names, every second time the first.
template <class Names>
std::string usually_first(const Names& names, Random& random) {
  return std::string(random.once_in(2) ? names[0] : any_of(names, random));
}

std::string any_shape(Random& random) {
  return std::string(random.once_in(2) ? shapes[0].name : any_of(shapes, random).name);
}

void choose_operator(Case& c, Random& random) {
  if (random.once_in(4)) {
    c.op = random.once_in(2) ? "user_add" : "user_product";
    c.type = random.once_in(2) ? "matrix" : "uint64";
    c.layout = any_shape(random);
    c.large_op = random.once_in(4);
    return;
  }
  do {
    c.op = any_of(operator_names, random);
  } while (is_user_operator(c.op));
  do {
    c.type = any_of(elements(), random).name;
  } while (!is_defined(c.op, find_element(c.type)));
}

void choose_layouts(Case& c, Random& random) {
  c.type = any_of(elements(), random).name;
  c.layout = any_shape(random);
  c.receive = any_shape(random);
}

/// Bytes of a rank's data: none, few, around multiples of 64 (where blocks end), some, rarely many.
std::int64_t any_bytes(std::int64_t element_bytes, std::int64_t most, Random& random) {
  const std::int64_t kind = random.below(20);
  if (kind < 2) return 0;
  if (kind < 6) return element_bytes * random.between(1, 8);
  if (kind < 12) return 64 * random.between(1, 12) + element_bytes * random.between(-2, 2);
  if (kind < 15) return (std::int64_t{64} << random.below(8)) + element_bytes * random.between(-1, 1);
  if (kind < 19) return random.below(4096);
  return random.below(most);
}

/// Where the call has data of all ranks, each has less.
std::int64_t any_count(const Case& c, int ranks, Random& random) {
  constexpr std::int64_t most_bytes = 200'000;
  const bool has_shares =
      c.call.starts_with("allgather") || c.call.starts_with("reduce_scatter") || is_all_to_many(c);
  const bool is_derived = c.layout != "plain" || c.receive != "plain" || c.types == "mixed";
  const std::int64_t item = std::int64_t{find_element(c.type).extent} * (is_derived ? 3 : 1);
  const std::int64_t bytes = any_bytes(item, most_bytes / (has_shares ? ranks : 1), random);
  return std::max<std::int64_t>(0, (bytes + item - 1) / item);
}

/// Every fourth time two groups, if the call goes between them.
std::string any_communicator(const Case& c, Random& random) {
  if (goes_between(c.call) && random.once_in(4)) return random.once_in(2) ? "from_one" : "uneven";
  const std::string name = usually_first(communicator_names, random);
  return is_between(name) ? "world" : name;
}

}  // namespace

Case generated(std::uint64_t seed, std::int64_t number, int ranks) {
  constexpr std::string_view calls[] = {
      "bcast", "reduce", "allreduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block",
      "scan",  "exscan", "alltoall",  "alltoallv", "alltoallw"};
  Random random = random_of(seed, static_cast<std::uint64_t>(number));
  Case c;
  c.call = any_of(calls, random);
  is_reduction(c) ? choose_operator(c, random) : choose_layouts(c, random);
  if (c.call == "alltoallw") c.types = any_of(types_names, random);
  c.count = any_count(c, ranks, random);
  if (has_counts(c)) c.counts = usually_first(counts_names, random);
  if (has_displacements(c)) c.displs = usually_first(displs_names, random);
  if (is_all_to_many(c) && has_counts(c)) c.changes = random.once_in(4);
  c.comm = any_communicator(c, random);
  if (has_root(c)) c.root = random.below(ranks);
  if (c.call != "bcast") c.in_place = random.once_in(3);
  c.large = random.once_in(4);
  c.threads = random.once_in(16);
  c.data = static_cast<std::uint64_t>(random.below(1000));
  if (is_between(c.comm)) c.in_place = c.threads = false;
  return c;
}

}  // namespace rota::check
