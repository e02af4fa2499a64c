// A request that the program waits for, and that Rota completes: a receive of nothing, from this rank itself.
//
//     program   MPI_Wait(&request) .................................. returns
//     Rota      Irecv(0 bytes, own tag)   ... work ...   Send(0 bytes, own tag)
//
// So it is a request of the MPI library's own, fit for all that programs do with requests.
#pragma once

#include "rota_mpi/communicators/world.hpp"

namespace rota::mpi {

class Completion {
 public:
  /// Throws MpiError.
  explicit Completion(World& world);
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  ~Completion();

  /// To be given away: whoever waits for it frees it.
  MPI_Request request() const { return request_; }

  /// Once.
  void complete() const;

 private:
  World& world_;
  int tag_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace rota::mpi
