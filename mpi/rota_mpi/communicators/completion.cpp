#include "rota_mpi/communicators/completion.hpp"

namespace rota::mpi {

Completion::Completion(World& world, Receive receive) : world_(world), tag_(world.completions.take()) {
  if (tag_ == Tags::none) throw MpiError{MPI_ERR_OTHER};
  check_own(receive(nullptr, 0, MPI_BYTE, 0, tag_, world_.completing, &request_));
}

Completion::~Completion() { world_.completions.give_back(tag_); }

/// The receive has been posted, so this waits for nobody.
void Completion::complete() const { pmpi.Send(nullptr, 0, MPI_BYTE, 0, tag_, world_.completing); }

}  // namespace rota::mpi
