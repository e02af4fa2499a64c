// A request that the program waits for, and that Rota completes: a receive of nothing, from this rank itself.
//
//     program   MPI_Wait(&request) .................................. returns
//     Rota      Irecv(0 bytes, own tag)   ... work ...   Send(0 bytes, own tag)
//
// What has failed is completed by a byte, which is more than nothing: so the program's call that waits returns an error, too.
//
// So it is a request of the MPI library's own, fit for all that programs do with requests. Where the program starts it again and again,
// it is a persistent one.
//
// One call may wait for requests of one session only (MPI 4.1, The Sessions Model), as Open MPI checks: so it belongs to the session
// that the communicator of the program's comes from (Companion::completing).
#pragma once

#include <memory>
#include <utility>

#include "rota_mpi/communicators/world.hpp"

namespace rota::mpi {

class Completion {
 public:
  /// To be completed once. Throws MpiError.
  static Completion once(std::shared_ptr<Completing> among) { return {std::move(among), pmpi.Irecv}; }
  /// To be completed each time that it has been started. Throws MpiError.
  static Completion again_and_again(std::shared_ptr<Completing> among) {
    return {std::move(among), pmpi.Recv_init};
  }

  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;
  ~Completion();

  /// To be given away: whoever waits for it, or a persistent one's program, frees it.
  MPI_Request request() const { return request_; }

  void complete() const;
  void fail() const;

 private:
  using Receive = decltype(pmpi.Irecv);
  Completion(std::shared_ptr<Completing> among, Receive receive);

  std::shared_ptr<Completing> among_;
  int tag_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace rota::mpi
