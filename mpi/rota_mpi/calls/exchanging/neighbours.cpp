#include "rota_mpi/calls/exchanging/neighbours.hpp"

#include "rota_mpi/library/counted.hpp"

#include <algorithm>
#include <utility>

namespace rota::mpi {

namespace {

int topology_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  check(pmpi.Topo_test(comm, &topology));
  return topology;
}

int dimensions_of(MPI_Comm comm) {
  int dimensions = 0;
  check(pmpi.Cartdim_get(comm, &dimensions));
  return dimensions;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(pmpi.Comm_rank(comm, &rank));
  return rank;
}

void add(Neighbours& neighbours, Rank peer, int position) {
  const auto turn = static_cast<int>(neighbours.size());
  if (peer >= 0) neighbours.push_back({peer, position, turn});
}

Neighbours listed(const std::vector<int>& peers, std::size_t number) {
  Neighbours neighbours;
  for (std::size_t i = 0; i < number; ++i) add(neighbours, peers[i], static_cast<int>(i));
  return neighbours;
}

/// At position 2 d is the neighbour below in dimension d, at 2 d + 1 the one above. What goes down is what
/// comes from above: destinations and sources stand in the same order of movements.
Neighbourhood in_grid(MPI_Comm comm) {
  Neighbourhood result;
  for (int dimension = 0; dimension < dimensions_of(comm); ++dimension) {
    int below = MPI_PROC_NULL;
    int above = MPI_PROC_NULL;
    check(pmpi.Cart_shift(comm, dimension, 1, &below, &above));
    add(result.destinations, below, 2 * dimension);
    add(result.destinations, above, 2 * dimension + 1);
    add(result.sources, above, 2 * dimension + 1);
    add(result.sources, below, 2 * dimension);
  }
  return result;
}

Neighbourhood in_graph(MPI_Comm comm) {
  const auto number = static_cast<std::size_t>(degrees_of(comm).out);
  std::vector<int> peers(number + 1);  // MPI may refuse a null address
  check(pmpi.Graph_neighbors(comm, rank_in(comm), static_cast<int>(number), peers.data()));
  const Neighbours neighbours = listed(peers, number);
  return {neighbours, neighbours};
}

Neighbourhood in_adjacent_lists(MPI_Comm comm) {
  const Degrees degrees = degrees_of(comm);
  const auto in = static_cast<std::size_t>(degrees.in);
  const auto out = static_cast<std::size_t>(degrees.out);
  std::vector<int> sources(in + 1);
  std::vector<int> destinations(out + 1);
  std::vector<int> weights(std::max(in, out) + 1);
  check(pmpi.Dist_graph_neighbors(comm, degrees.in, sources.data(), weights.data(), degrees.out,
                                  destinations.data(), weights.data()));
  return {listed(sources, in), listed(destinations, out)};
}

Neighbourhood unsorted(MPI_Comm comm) {
  switch (topology_of(comm)) {
    case MPI_CART:
      return in_grid(comm);
    case MPI_GRAPH:
      return in_graph(comm);
    case MPI_DIST_GRAPH:
      return in_adjacent_lists(comm);
    default:
      return {};
  }
}

/// The items at several places as one item, at absolute addresses.
MadeType joined_type(const std::vector<Data>& parts) {
  std::vector<counted::Number> counts;
  std::vector<counted::Address> addresses;
  std::vector<MPI_Datatype> types;
  for (const Data& part : parts) {
    MPI_Aint address = 0;
    check(pmpi.Get_address(part.buffer, &address));
    counts.push_back(counted::number(part.count));
    addresses.push_back(address);
    types.push_back(part.type);
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(counted::Type_create_struct(static_cast<counted::Number>(parts.size()), counts.data(),
                                    addresses.data(), types.data(), &type));
  MadeType made(type);
  check(pmpi.Type_commit(&type));
  return made;
}

}  // namespace

bool has_topology(MPI_Comm comm) { return topology_of(comm) != MPI_UNDEFINED; }

Degrees degrees_of(MPI_Comm comm) {
  Degrees degrees;
  int is_weighted = 0;
  switch (topology_of(comm)) {
    case MPI_CART:
      degrees.in = degrees.out = 2 * dimensions_of(comm);
      break;
    case MPI_GRAPH:
      check(pmpi.Graph_neighbors_count(comm, rank_in(comm), &degrees.out));
      degrees.in = degrees.out;
      break;
    case MPI_DIST_GRAPH:
      check(pmpi.Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &is_weighted));
      break;
    default:
      break;
  }
  return degrees;
}

Neighbourhood neighbourhood_of(MPI_Comm comm) {
  Neighbourhood result = unsorted(comm);
  const auto rank_and_turn = [](const Neighbour& each) { return std::pair(each.peer, each.turn); };
  std::ranges::sort(result.sources, {}, rank_and_turn);
  std::ranges::sort(result.destinations, {}, rank_and_turn);
  return result;
}

Data NeighbourSide::of(Rank peer) const {
  std::vector<Data> parts;
  for (const Neighbour& each : std::ranges::equal_range(neighbours_, peer, {}, &Neighbour::peer)) {
    const Data part = arguments_.of(each.position);
    if (part.count > 0) parts.push_back(part);
  }
  if (parts.empty()) return {nullptr, 0, MPI_BYTE};
  return parts.size() == 1 ? parts.front() : joined(peer, parts);
}

Data NeighbourSide::joined(Rank peer, const std::vector<Data>& parts) const {
  const auto found = std::ranges::find(joined_, peer, &Joined::peer);
  if (found != joined_.end()) return {MPI_BOTTOM, 1, found->type.handle()};
  joined_.push_back({peer, joined_type(parts)});
  return {MPI_BOTTOM, 1, joined_.back().type.handle()};
}

std::vector<PeerLoad> NeighbourSide::loads(Rank) const {
  std::vector<PeerLoad> all;
  for (const Neighbour& each : neighbours_) {
    const std::int64_t bytes = arguments_.bytes(each.position);
    if (bytes == 0) continue;
    if (all.empty() || all.back().peer != each.peer) all.push_back({each.peer, 0});
    all.back().bytes += bytes;
  }
  return all;
}

std::vector<Data> NeighbourSide::entries(Rank) const {
  std::vector<Data> all;
  for (const Neighbour& each : neighbours_) all.push_back(arguments_.of(each.position));
  return all;
}

/// Entries for MPI_PROC_NULL mean nothing.
Arguments NeighbourSide::arguments(Rank, MPI_Comm asking) const {
  if (neighbours_.empty()) return Arguments::plain;
  Arguments all = arguments_.arguments(0, asking);
  for (std::size_t i = 0; i < neighbours_.size() && all == Arguments::plain; ++i)
    all = arguments_of_piece(arguments_.of(neighbours_[i].position), MPI_DATATYPE_NULL, asking);
  return all;
}

}  // namespace rota::mpi
