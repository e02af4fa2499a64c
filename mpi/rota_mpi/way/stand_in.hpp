// What ranks whom a schedule serves start in the MPI library in the call's place, where others start the call itself.
//
// Between groups the root's fellows (MPI_PROC_NULL) take no part in a broadcast or a reduction, and do not even know how much data there
// is: they leave the call to the MPI library, whatever becomes of it elsewhere. But MPI libraries count what each rank has started on
// a communicator, and tell messages apart by that. So the others start the same call on a byte that is nobody's:
//
//     root's fellows    MPI_Ibcast(PROC_NULL)
//     root, others      MPI_Ibcast(1 byte)     then the schedule, with the program's data
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>

#include "rota_mpi/library/mpi.hpp"
#include "rota_mpi/way/native_call.hpp"

namespace rota::mpi {

class StandIn {
 public:
  /// A byte to send, and one to receive.
  using Bytes = std::array<std::byte, 2>;
  /// Starts the call, or sets it up. Returns MPI's code.
  using Native = std::function<int(Bytes&, MPI_Request*)>;

  /// Throws MpiError.
  StandIn(const Native& native, Manner manner);

  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  /// What is not over, because the call has failed before, is the MPI library's from now on, with its bytes.
  ~StandIn();

  /// One that was set up. Throws MpiError.
  void start();

  /// Also in the function that the MPI library's engine calls. Throws MpiError.
  bool is_over();

 private:
  std::unique_ptr<Bytes> bytes_ = std::make_unique<Bytes>();
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool is_active_ = false;
};

}  // namespace rota::mpi
