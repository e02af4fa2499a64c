#include "plan.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "communicators.hpp"

namespace rota::check {

namespace {

constexpr std::ptrdiff_t margin = 64;

/// Between two groups, one of them may have nothing to gather.
bool is_silent(const Case& c, int group) {
  return is_between(c.comm) && static_cast<int>(c.data % 3) == group;
}

/// Of a rank among the `ranks` of its group.
std::int64_t count_of(const Case& c, int rank, int ranks, int group) {
  if (c.call.starts_with("allgather") && is_silent(c, group)) return 0;
  Random random = random_of(c.data, static_cast<std::uint64_t>(rank));
  if (!has_counts(c) || c.counts == "equal") return c.count;
  if (c.counts == "mod3") return c.count * (rank % 3);
  if (c.counts == "random") return random.below(2 * c.count + 1);
  if (c.counts == "sparse") return random.once_in(2) ? c.count : 0;
  return rank == static_cast<int>(c.data % static_cast<std::uint64_t>(ranks)) ? c.count : 0;
}

std::vector<std::int64_t> counts_of(const Case& c, int ranks, int group) {
  std::vector<std::int64_t> counts;
  counts.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    counts.push_back(items_of(c, receiving_shape(c), count_of(c, rank, ranks, group)));
  }
  return counts;
}

/// The messages of a call that has any.
Messages all_to_many_of(const Case& c, const Element& element, int rank, int ranks, Way way) {
  return is_all_to_many(c) ? messages_of(c, element, rank, ranks, way) : Messages{};
}

/// An arena of random bytes around the slots. Its origin is aligned as memory from an allocator is.
Buffer buffer_of(const std::vector<Slot>& slots, const Element& element, Random& random) {
  Buffer buffer;
  for (const Slot& slot : slots) {
    buffer.items += slot.items;
    buffer.begins.push_back(buffer.elements.size());
    const std::vector<std::ptrdiff_t> places = places_of(slot, element.extent);
    buffer.elements.insert(buffer.elements.end(), places.begin(), places.end());
  }
  buffer.begins.push_back(buffer.elements.size());
  std::ptrdiff_t lowest = 0;
  std::ptrdiff_t highest = 0;
  for (const std::ptrdiff_t place : buffer.elements) {
    lowest = std::min(lowest, place);
    highest = std::max(highest, place + element.extent);
  }
  buffer.origin = margin + (-lowest + margin - 1) / margin * margin;
  for (std::ptrdiff_t& place : buffer.elements) place += buffer.origin;
  buffer.bytes.resize(static_cast<std::size_t>(buffer.origin + highest + margin));
  for (unsigned char& byte : buffer.bytes) byte = static_cast<unsigned char>(random.next());
  buffer.roles.assign(buffer.bytes.size(), Role::outside);
  return buffer;
}

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

bool is_gathering(const Case& c) { return c.call.starts_with("allgather"); }

bool is_scattering(const Case& c) { return c.call.starts_with("reduce_scatter"); }

/// The elements of one rank's items among those of all.
Run run_of(const std::vector<std::int64_t>& counts, int rank, const Shape& shape) {
  const auto per_item = static_cast<std::size_t>(shape.elements);
  const auto own = counts.begin() + rank;
  const auto before = static_cast<std::size_t>(std::accumulate(counts.begin(), own, std::int64_t{0}));
  return {before * per_item, (before + static_cast<std::size_t>(*own)) * per_item};
}

/// What a rank contributes, in items of the sending side.
std::int64_t contributed(const Plan& plan) {
  if (is_scattering(plan.c)) return sum(plan.counts);
  return items_of(plan.c, sending_shape(plan.c), count_of(plan.c, plan.rank, plan.ranks, plan.group));
}

std::vector<Slot> slots_to_send(const Plan& plan) {
  if (is_all_to_many(plan.c)) return slots_of(plan.sent, plan.c, plan.element);
  return {{0, contributed(plan), &sending_shape(plan.c)}};
}

std::vector<Slot> slots_to_receive(const Plan& plan) {
  if (is_all_to_many(plan.c)) return slots_of(plan.received, plan.c, plan.element);
  const Shape& shape = receiving_shape(plan.c);
  if (!is_gathering(plan.c)) {
    const auto rank = is_between(plan.c.comm) ? std::size_t{0} : static_cast<std::size_t>(plan.rank);
    return {{0, plan.sends_in_place ? contributed(plan) : plan.counts[rank], &shape}};
  }
  std::vector<Slot> slots;
  slots.reserve(plan.counts.size());
  for (std::size_t i = 0; i < plan.counts.size(); ++i)
    slots.push_back({plan.displs[i] * shape.extent.with(plan.element.extent), plan.counts[i], &shape});
  return slots;
}

void contribute(Buffer& buffer, Run run, const Plan& plan, Random& random) {
  const std::string op = is_reduction(plan.c) ? plan.c.op : "";
  for (std::size_t i = run.first; i < run.end; ++i) {
    write_element(buffer.bytes.data() + buffer.elements[i], plan.element, op, plan.rank, random);
  }
}

void set_role(Buffer& buffer, Run run, const Element& element, Role role) {
  constexpr int x87_bytes = 10;  // the others are padding, which is no part of the value
  for (std::size_t i = run.first; i < run.end; ++i) {
    for (const Part& part : element.parts) {
      const auto first = buffer.roles.begin() + buffer.elements[i] + part.offset;
      std::fill_n(first, part.bytes, role);
      if (part.format == Format::x87) {
        std::fill(first + x87_bytes, first + part.bytes, Role::undefined);
      }
    }
  }
}

/// Between two groups a broadcast brings nothing to the root's group, a reduction nothing to all but the
/// root.
bool gets_nothing(const Plan& plan) {
  if (!has_root(plan.c)) return false;
  if (!is_between(plan.c.comm)) return (plan.rank == plan.root) == (plan.c.call == "bcast");
  return plan.c.call == "bcast" ? plan.root < 0 : plan.root != MPI_ROOT;
}

void set_roles(Plan& plan) {
  Buffer& buffer = plan.receive;
  const Run all{0, buffer.elements.size()};
  // The root of a broadcast receives nothing; of a reduction, nobody else does.
  if (gets_nothing(plan)) return;
  if (plan.c.call == "exscan" && plan.rank == 0) {
    return set_role(buffer, all, plan.element, Role::undefined);
  }
  set_role(buffer, all, plan.element, Role::result);
  if (!is_scattering(plan.c)) return;
  // In place, the contribution may reach further than the result.
  const Run shares = shares_of(plan);
  set_role(buffer, {shares.end - shares.first, all.end}, plan.element, Role::undefined);
}

bool passes_in_place(const Plan& plan) {
  return plan.c.in_place && plan.c.call != "bcast" && (plan.c.call != "reduce" || plan.rank == plan.root);
}

template <class Names>
void require_name(const char* dimension, const std::string& value, const Names& names) {
  if (std::find(names.begin(), names.end(), value) != names.end()) return;
  std::string valid;
  for (const std::string_view name : names) valid.append(" ").append(name);
  throw BadCase("'" + std::string(dimension) + "=" + value + "' is none; valid:" + valid);
}

constexpr std::array<std::string_view, 12> call_names{
    "bcast", "reduce", "allreduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block",
    "scan",  "exscan", "alltoall",  "alltoallv", "alltoallw"};

std::vector<std::string_view> shape_names() {
  std::vector<std::string_view> names;
  names.reserve(std::size(shapes));
  for (const Shape& shape : shapes) names.push_back(shape.name);
  return names;
}

}  // namespace

Datatype::Datatype(const Element& element, const Shape& shape)
    : type_(element.type), is_made_(shape.name != "plain") {
  if (!is_made_) return;
  std::array<MPI_Aint, 3> at{};
  std::ranges::transform(shape.at, at.begin(),
                         [&](const Place& place) { return place.with(element.extent); });
  MPI_Datatype unbounded = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed_block(3, 1, at.data(), element.type, &unbounded);
  MPI_Type_create_resized(unbounded, shape.lower_bound.with(element.extent),
                          shape.extent.with(element.extent), &type_);
  MPI_Type_free(&unbounded);
  MPI_Type_commit(&type_);
}

Datatype::~Datatype() {
  if (is_made_) MPI_Type_free(&type_);
}

Run contribution_of(const Plan& plan) {
  if (!plan.sends_in_place) return {0, plan.send.elements.size()};
  if (!is_gathering(plan.c)) return {0, plan.receive.elements.size()};
  return run_of(plan.counts, plan.rank, receiving_shape(plan.c));
}

Run shares_of(const Plan& plan) {
  const Shape& shape = receiving_shape(plan.c);
  if (is_scattering(plan.c)) return run_of(plan.counts, plan.rank, shape);
  return {0, plan.receive.elements.size()};
}

namespace {

int group_in(MPI_Comm comm) {
  if (!is_inter(comm)) return 0;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &own);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int first = 0;
  int in_world = 0;
  MPI_Group_translate_ranks(own, 1, &first, world, &in_world);
  MPI_Group_free(&own);
  MPI_Group_free(&world);
  return in_world == 0 ? 0 : 1;
}

/// Between two groups the data say which group the root is in.
int root_of(const Plan& plan) {
  if (!is_between(plan.c.comm)) return static_cast<int>(plan.c.root % plan.ranks);
  const bool is_mine = static_cast<int>(plan.c.data % 2) == plan.group;
  const auto root = static_cast<int>(plan.c.root % (is_mine ? plan.ranks : plan.senders));
  if (!is_mine) return root;
  return root == plan.rank ? MPI_ROOT : MPI_PROC_NULL;
}

}  // namespace

Plan::Plan(const Case& what, MPI_Comm where, std::uint64_t data) : Plan(what, where, data, rank_in(where)) {}

Plan::Plan(const Case& what, MPI_Comm where, std::uint64_t data, int of_rank)
    : c(what),
      comm(where),
      which_data(data),
      ranks(size_of(where)),
      rank(of_rank),
      group(group_in(where)),
      senders(is_inter(where) ? remote_size_of(where) : ranks),
      root(root_of(*this)),
      element(find_element(what.type)),
      send_type(element, sending_shape(what)),
      receive_type(element, receiving_shape(what)),
      op(what),
      counts(counts_of(what, senders, is_inter(where) ? 1 - group : 0)),
      displs(displs_of(what, counts)),
      sent(all_to_many_of(what, element, rank, ranks, Way::sent)),
      received(all_to_many_of(what, element, rank, ranks, Way::received)),
      sends_in_place(passes_in_place(*this)) {
  Random random = random_of(
      which_data, static_cast<std::uint64_t>(rank) + 1000 + 500 * static_cast<std::uint64_t>(group));
  send = buffer_of(slots_to_send(*this), element, random);
  receive = buffer_of(slots_to_receive(*this), element, random);
  contribute(sends_in_place ? receive : send, contribution_of(*this), *this, random);
  set_roles(*this);
}

void require_valid(const Case& c) {
  require_name("call", c.call, call_names);
  require_name("layout", c.layout, shape_names());
  require_name("receive", c.receive, shape_names());
  require_name("counts", c.counts, counts_names);
  require_name("displs", c.displs, displs_names);
  require_name("types", c.types, types_names);
  require_name("comm", c.comm, communicator_names);
  const Element& element = find_element(c.type);
  if (is_between(c.comm) && (!goes_between(c.call) || c.in_place || c.threads)) {
    throw BadCase("'comm=" + c.comm +
                  "' is for bcast, reduce, allreduce, allgather and allgatherv, not in place or in threads");
  }
  if (!is_reduction(c)) return;
  require_name("op", c.op, operator_names);
  if (!is_defined(c.op, element)) throw BadCase("'" + c.op + "' is not defined for '" + c.type + "'");
  if (c.layout != "plain" && !is_user_operator(c.op)) {
    throw BadCase("'" + c.op + "' is not defined for derived types: layout=plain, or a user operator");
  }
}

}  // namespace rota::check
