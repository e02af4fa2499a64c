#include "rota_mpi/communicators/completion.hpp"

namespace rota::mpi {

Completion::Completion(World& world) : world_(world), tag_(world.completions.take()) {
  if (tag_ == Tags::none) throw MpiError{MPI_ERR_OTHER};
  check_own(pmpi.Irecv(nullptr, 0, MPI_BYTE, 0, tag_, world_.completing, &request_));
}

Completion::~Completion() { world_.completions.give_back(tag_); }

/// The receive is posted, so this waits for nobody.
void Completion::complete() const { pmpi.Send(nullptr, 0, MPI_BYTE, 0, tag_, world_.completing); }

}  // namespace rota::mpi
