#include "rota_mpi/communicators/completion.hpp"

#include <utility>

namespace rota::mpi {

Completion::Completion(std::shared_ptr<Completing> among, Receive receive)
    : among_(std::move(among)), tag_(among_->tags.take()) {
  if (tag_ == Tags::none) throw MpiError{MPI_ERR_OTHER};
  check_own(receive(nullptr, 0, MPI_BYTE, 0, tag_, among_->comm, &request_));
}

Completion::~Completion() { among_->tags.give_back(tag_); }

/// The receive has been posted, so this waits for nobody.
void Completion::complete() const { pmpi.Send(nullptr, 0, MPI_BYTE, 0, tag_, among_->comm); }

void Completion::fail() const {
  const char more = 0;
  pmpi.Send(&more, 1, MPI_BYTE, 0, tag_, among_->comm);
}

}  // namespace rota::mpi
