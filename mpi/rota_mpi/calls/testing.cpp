// MPI_Test and its kin are the MPI library's. But what is under way by a schedule is carried on by its engine, and where that calls Rota
// before it asks its networks, Rota learns of a message only when the program tests again:
//
//     MPI_Test    Rota | networks: a message comes    ... the program computes ...    MPI_Test    Rota: takes it, sends on | networks
//
// So a test that has found nothing is made once more. For the program that is as if it had asked twice.
#include "rota.h"
#include "rota_mpi/communicators/outstanding.hpp"
#include "rota_mpi/library/progress.hpp"

namespace rota::mpi {

namespace {

/// `found`: what the test says of how much is over, in C's words; looked at only where it went well.
template <class Test>
int asked_twice(const int* found, const Test& test) {
  const int code = test();
  const bool may_find_more =
      code == MPI_SUCCESS && *found == 0 && is_any_outstanding() && is_called_before_networks();
  return may_find_more ? test() : code;
}

}  // namespace

}  // namespace rota::mpi

using rota::mpi::asked_twice;
using rota::mpi::pmpi;

extern "C" {
int rota_test(MPI_Request* request, int* flag, MPI_Status* status) {
  return asked_twice(flag, [&] { return pmpi.Test(request, flag, status); });
}
int rota_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return asked_twice(flag, [&] { return pmpi.Testall(count, requests, flag, statuses); });
}
int rota_testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return asked_twice(flag, [&] { return pmpi.Testany(count, requests, index, flag, status); });
}
int rota_testsome(int count, MPI_Request requests[], int* found, int indices[], MPI_Status statuses[]) {
  return asked_twice(found, [&] { return pmpi.Testsome(count, requests, found, indices, statuses); });
}
int rota_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return asked_twice(flag, [&] { return pmpi.Request_get_status(request, flag, status); });
}
int rota_iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return asked_twice(flag, [&] { return pmpi.Iprobe(source, tag, comm, flag, status); });
}
}
