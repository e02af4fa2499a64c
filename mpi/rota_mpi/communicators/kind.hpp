// What there is to know of a communicator of the program's before anything else.
#pragma once

#include "rota/schedule/types.hpp"
#include "rota_mpi/library/mpi.hpp"

namespace rota::mpi {

/// This rank of the program's communicator.
struct Place {
  Rank rank;
  Rank ranks;
};

/// Of which kind it is, if it is one.
struct CommKind {
  bool is_valid = true;
  int code = MPI_SUCCESS;  // what to return if it is not
  bool is_inter = false;
  Rank peers = 0;  // the ranks, or of an inter-communicator those of the other group; none of MPI_COMM_NULL
};

/// Is it an inter-communicator? The first question about a communicator that was freed calls an error handler
/// of the program's, as its call would have done: that answers the call, and no more questions are asked.
/// With a handler of the program's own MPICH returns no error, but no answer either.
inline CommKind kind_at_a_glance(MPI_Comm comm) {
  int inter = -1;
  const int code = comm == MPI_COMM_NULL ? MPI_SUCCESS : pmpi.Comm_test_inter(comm, &inter);
  return {.is_valid = inter >= 0 || comm == MPI_COMM_NULL, .code = code, .is_inter = inter > 0};
}

/// The same with the number of peers.
CommKind kind_of(MPI_Comm comm);

/// Is a call on this communicator the MPI library's alone, whatever it is? There is none; MPI_Finalize has
/// begun; processes may fail; nobody has asked, as where there are sessions only, whether all programs of the
/// job have Rota; or the communicator is being freed.
bool is_out_of_reach(MPI_Comm comm);

/// This rank's place. Throws MpiError.
Place place_in(MPI_Comm comm);

/// Is it an inter-communicator? Throws MpiError.
bool is_inter(MPI_Comm comm);

}  // namespace rota::mpi
