#include "rota_mpi/way/stand_in.hpp"

#include "rota_mpi/library/progress.hpp"
#include "rota_mpi/library/raising.hpp"

namespace rota::mpi {

StandIn::StandIn(const Native& native, Manner manner) : is_active_(manner == Manner::at_once) {
  check(native(*bytes_, &request_));
}

StandIn::~StandIn() {
  const bool has_failed = failure_of([&] { static_cast<void>(is_over()); }).has_value();
  if (has_failed || is_active_) {
    [[maybe_unused]] const Bytes* const left = bytes_.release();
  } else if (request_ != MPI_REQUEST_NULL) {
    pmpi.Request_free(&request_);
  }
}

void StandIn::start() {
  check(pmpi.Start(&request_));
  is_active_ = true;
}

bool StandIn::is_over() {
  if (is_active_ && mpi::is_over(request_)) is_active_ = false;
  return !is_active_;
}

}  // namespace rota::mpi
