#include "membership.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace rota::programs {

namespace {

/// The two groups of a communicator's members, of whom each has some.
std::array<Members, 2> groups_of(const Step& step, const Comm& comm) {
  std::array<Members, 2> groups;
  const int size = static_cast<int>(comm.members.size());
  for (int rank = 0; rank < size; ++rank) {
    const std::size_t group = is_in_first_group(step, rank, size) ? 0 : 1;
    groups[group].push_back(comm.members[static_cast<std::size_t>(rank)]);
  }
  return groups;
}

std::vector<Comm> split(const Step& step, const Comm& comm) {
  const int size = static_cast<int>(comm.members.size());
  std::map<int, std::vector<int>> by_color;
  for (int rank = 0; rank < size; ++rank) {
    if (const auto color = color_of(step, rank, size)) by_color[*color].push_back(rank);
  }
  std::vector<Comm> comms;
  for (auto& [color, ranks] : by_color) {
    std::ranges::sort(ranks, {}, [&](int rank) { return std::pair(key_of(step, rank, size), rank); });
    Comm made;
    for (const int rank : ranks) made.members.push_back(comm.members[static_cast<std::size_t>(rank)]);
    comms.push_back(std::move(made));
  }
  return comms;
}

std::vector<Comm> created(const Step& step, const Comm& comm) {
  Comm made;
  for (const int rank : chosen_ranks(step, static_cast<int>(comm.members.size()))) {
    made.members.push_back(comm.members[static_cast<std::size_t>(rank)]);
  }
  return {made};
}

/// Ranks are numbered row by row.
std::vector<Neighbors> cart_neighbors(const Step& step, int size) {
  const std::vector<int> extents = cart_extents(step, size);
  const int cells = std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
  std::vector<Neighbors> all(static_cast<std::size_t>(cells));
  for (int rank = 0; rank < cells; ++rank) {
    int stride = cells;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      stride /= extents[i];
      const int at = rank / stride % extents[i];
      for (const int step_by : {-1, 1}) {
        const int to = at + step_by;
        const bool is_inside = to >= 0 && to < extents[i];
        const int neighbor = is_inside || is_periodic(step, i)
                                 ? rank + ((to + extents[i]) % extents[i] - at) * stride
                                 : Neighbors::nobody;
        all[static_cast<std::size_t>(rank)].sources.push_back(neighbor);
        all[static_cast<std::size_t>(rank)].destinations.push_back(neighbor);
      }
    }
  }
  return all;
}

std::vector<Comm> with_topology(const Step& step, const Comm& comm) {
  const int size = static_cast<int>(comm.members.size());
  Comm made = comm;
  made.neighbors = step.action == Action::cart ? cart_neighbors(step, size) : graph_neighbors(step, size);
  made.members.resize(made.neighbors.size());
  return {made};
}

}  // namespace

std::vector<Comm> made_of(const Step& step, const Comm& comm) {
  switch (step.action) {
    case Action::split:
      return split(step, comm);
    case Action::create:
    case Action::create_group:
      return created(step, comm);
    case Action::cart:
    case Action::graph:
    case Action::dist_graph:
      return with_topology(step, comm);
    case Action::intercomm: {
      const auto [first, second] = groups_of(step, comm);
      if (second.empty()) return {};
      return {Comm{first, second, {}}};
    }
    case Action::merge: {
      Comm made{comm.members, {}, {}};
      made.members.insert(made.members.end(), comm.others.begin(), comm.others.end());
      return {made};
    }
    default:
      return {comm};
  }
}

std::optional<int> color_of(const Step& step, int rank, int /*size*/) {
  switch (step.way % 5) {
    case 0:
      return 0;  // all, in the opposite order
    case 1:
      return rank % 2;
    case 2:
      return rank == 0 ? std::nullopt : std::optional(0);
    case 3:
      return 0;  // rank 1 first and 0 last
    default:
      return rank;
  }
}

int key_of(const Step& step, int rank, int size) {
  if (step.way % 5 == 0) return size - rank;
  return step.way % 5 == 3 ? (rank + size - 1) % size : rank;
}

std::vector<int> chosen_ranks(const Step& step, int size) {
  std::vector<int> ranks;
  for (int rank = 0; rank < size; ++rank) {
    const bool is_left_out =
        size > 1 && ((step.way % 3 == 1 && rank == size - 1) || (step.way % 3 == 2 && rank == 0));
    if (!is_left_out) ranks.push_back(rank);
  }
  if (step.way % 3 != 1) std::ranges::reverse(ranks);
  return ranks;
}

std::vector<int> cart_extents(const Step& step, int size) {
  if (step.way % 3 == 0) return {size};
  const int columns = std::max(size / 2, 1);
  return {size / columns, columns};
}

bool is_periodic(const Step& step, std::size_t dimension) { return (step.data >> dimension) % 2 == 1; }

std::vector<Neighbors> graph_neighbors(const Step& step, int size) {
  std::vector<Neighbors> all(static_cast<std::size_t>(size));
  const auto add_edge = [&](int from, int to) {
    all[static_cast<std::size_t>(from)].destinations.push_back(to);
    all[static_cast<std::size_t>(to)].sources.push_back(from);
  };
  const bool is_symmetric = step.action == Action::graph;
  for (int rank = 0; rank < size; ++rank) {
    const int next = (rank + 1) % size;
    switch (step.way % 4) {
      case 0:  // a ring
        add_edge(rank, next);
        if (is_symmetric && size > 1) add_edge(next, rank);
        break;
      case 1:  // all, also itself
        for (int to = 0; to < size; ++to) {
          if (!is_symmetric || to != rank) add_edge(rank, to);
        }
        break;
      case 2:  // all with rank 0
        if (rank > 0) add_edge(rank, 0);
        if (rank > 0 && is_symmetric) add_edge(0, rank);
        break;
      default:  // two edges to the next; a line
        if (is_symmetric ? rank + 1 < size : true) {
          add_edge(rank, next);
          add_edge(is_symmetric ? next : rank, is_symmetric ? rank : next);
        }
        break;
    }
  }
  // Of a graph, MPI has one list of neighbours for both ways.
  if (is_symmetric) std::ranges::for_each(all, [](Neighbors& each) { each.sources = each.destinations; });
  return all;
}

bool is_in_first_group(const Step& step, int rank, int size) {
  if (step.way % 2 == 1) return rank % 2 == 0;
  return rank < (size + 2) / 3;
}

}  // namespace rota::programs
