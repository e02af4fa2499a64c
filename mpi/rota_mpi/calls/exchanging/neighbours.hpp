// The neighbours of a rank in its communicator's topology, and what a neighbourhood call has for them.
//
// A rank may be a neighbour several times, and there are no messages to MPI_PROC_NULL, which a grid has at its borders. All that one
// rank has for another is one message of the pattern: the data of all those neighbours, one after the other, in the order in
// which sender and receiver both know it:
//
//   a graph, adjacent lists      the k-th time that the sender names the receiver goes to the k-th time that the receiver
//                                names the sender
//   a grid                       what goes down a dimension comes from above, also where a dimension of size 1 or 2 has one
//                                rank on both sides
#pragma once

#include <vector>

#include "rota_mpi/calls/exchanging/sides.hpp"
#include "rota_mpi/library/made_type.hpp"

namespace rota::mpi {

/// A neighbour, which one it is among the call's arguments, and its turn among those of the same rank.
struct Neighbour {
  Rank peer;
  int position;
  int turn;
};

/// In the order of ranks; of one rank, in the order in which its data make one message.
using Neighbours = std::vector<Neighbour>;

struct Neighbourhood {
  Neighbours sources;
  Neighbours destinations;
};

/// Local. A communicator without a topology has no neighbours. O(d log d) for d neighbours. Throws MpiError,
/// std::bad_alloc.
Neighbourhood neighbourhood_of(MPI_Comm comm);

/// How many neighbours a neighbourhood call's arguments are for: MPI_PROC_NULL counts.
struct Degrees {
  int in = 0;
  int out = 0;
};

/// Local; none without a topology. Throws MpiError.
Degrees degrees_of(MPI_Comm comm);

/// Has the communicator a topology? Throws MpiError.
bool has_topology(MPI_Comm comm);

/// One side of a neighbourhood call: `arguments` has the data of each neighbour at its position.
class NeighbourSide final : public Side {
 public:
  NeighbourSide(const Side& arguments, const Neighbours& neighbours)
      : arguments_(arguments), neighbours_(neighbours) {}

  /// Several neighbours' data at once are one item of a type that is made when first asked for.
  Data of(Rank peer) const override;
  std::vector<PeerLoad> loads(Rank ranks) const override;
  std::vector<Data> entries(Rank ranks) const override;

  /// Without neighbours, arguments mean nothing.
  Arguments arguments(Rank ranks, MPI_Comm asking) const override;

  /// It refers to the arguments, which are told.
  void keep(KeptTypes&, Rank) override {}

 private:
  struct Joined {
    Rank peer;
    MadeType type;
  };

  Data joined(Rank peer, const std::vector<Data>& parts) const;

  const Side& arguments_;
  const Neighbours& neighbours_;
  mutable std::vector<Joined> joined_;
};

/// Both sides of a neighbourhood call on one rank. Refers to what it was made from.
class NeighbourSides {
 public:
  NeighbourSides(MPI_Comm comm, const Side& send, const Side& receive)
      : neighbourhood_(neighbourhood_of(comm)),
        send_(send, neighbourhood_.destinations),
        receive_(receive, neighbourhood_.sources) {}

  const AllToManyCall& call() const { return call_; }

 private:
  Neighbourhood neighbourhood_;
  NeighbourSide send_;
  NeighbourSide receive_;
  AllToManyCall call_{&send_, receive_};
};

}  // namespace rota::mpi
