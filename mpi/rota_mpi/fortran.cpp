// From Fortran's arguments to C's, and the error code back. The C function's parameters say what each argument is.
#include <dlfcn.h>

#include <vector>

#include "rota_mpi/neighbours.hpp"
#include "rota_preload.h"

namespace {

/// The address of one of Open MPI's variables that stand for C's constants in Fortran. The linker lets all
/// files of a process share it. Null if the process has no Fortran.
const void* address_of(const char* fortran_variable) { return dlsym(RTLD_DEFAULT, fortran_variable); }

bool is_bottom(const void* address) {
  static const void* const bottom = address_of("mpi_fortran_bottom_");
  return address == bottom;
}

bool is_in_place(const void* address) {
  static const void* const in_place = address_of("mpi_fortran_in_place_");
  return in_place != nullptr && address == in_place;
}

template <class C>
C in_c(const int* argument) = delete;

template <>
int in_c<int>(const int* argument) {
  return *argument;
}

template <>
const int* in_c<const int*>(const int* argument) {
  return argument;
}

template <>
MPI_Datatype in_c<MPI_Datatype>(const int* argument) {
  return PMPI_Type_f2c(*argument);
}

template <>
MPI_Op in_c<MPI_Op>(const int* argument) {
  return PMPI_Op_f2c(*argument);
}

template <>
MPI_Comm in_c<MPI_Comm>(const int* argument) {
  return PMPI_Comm_f2c(*argument);
}

template <class C>
void* in_c(void* buffer) {
  return is_bottom(buffer) ? MPI_BOTTOM : buffer;
}

/// Only what is sent can be in place.
template <class C>
const void* in_c(const void* buffer) {
  if (is_in_place(buffer)) return MPI_IN_PLACE;
  return is_bottom(buffer) ? MPI_BOTTOM : buffer;
}

template <class... C, class... Fortran>
void call(int (*collective)(C...), int* ierror, Fortran... arguments) {
  const int code = collective(in_c<C>(arguments)...);
  if (ierror != nullptr) *ierror = code;
}

/// So many of Fortran's handles of types as C's.
std::vector<MPI_Datatype> types_in_c(const int* types, int number) {
  std::vector<MPI_Datatype> result;
  result.reserve(static_cast<std::size_t>(number));
  for (int i = 0; i < number; ++i) result.push_back(PMPI_Type_f2c(types[i]));
  return result;
}

/// How many ranks a rank of `comm` exchanges data with; 0 if it is no communicator.
int peers_in(MPI_Comm comm) {
  int inter = 0;
  int peers = 0;
  if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) return 0;
  (inter != 0 ? PMPI_Comm_remote_size : PMPI_Comm_size)(comm, &peers);
  return peers;
}

using rota::mpi::Degrees;

/// How many neighbours this rank has; none if there is no topology, or no communicator.
Degrees degrees_in(MPI_Comm comm) {
  try {
    return comm == MPI_COMM_NULL ? Degrees{} : rota::mpi::degrees_of(comm);
  } catch (const rota::mpi::MpiError&) {
    return {};
  }
}

/// Alltoallw, whose types are as many as there are ranks.
void call(decltype(rota_alltoallw) collective, int* ierror, const void* sendbuf, const int* sendcounts,
          const int* sdispls, const int* sendtypes, void* recvbuf, const int* recvcounts, const int* rdispls,
          const int* recvtypes, const int* comm) {
  MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  const int peers = peers_in(c_comm);
  const auto sent = types_in_c(sendtypes, is_in_place(sendbuf) ? 0 : peers);
  const auto received = types_in_c(recvtypes, peers);
  const int code = collective(in_c<const void*>(sendbuf), sendcounts, sdispls, sent.data(),
                              in_c<void*>(recvbuf), recvcounts, rdispls, received.data(), c_comm);
  if (ierror != nullptr) *ierror = code;
}

/// The same among neighbours, with as many types as there are neighbours.
void call(decltype(rota_neighbor_alltoallw) collective, int* ierror, const void* sendbuf,
          const int* sendcounts, const MPI_Aint* sdispls, const int* sendtypes, void* recvbuf,
          const int* recvcounts, const MPI_Aint* rdispls, const int* recvtypes, const int* comm) {
  MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
  const Degrees degrees = degrees_in(c_comm);
  const auto sent = types_in_c(sendtypes, degrees.out);
  const auto received = types_in_c(recvtypes, degrees.in);
  const int code = collective(in_c<const void*>(sendbuf), sendcounts, sdispls, sent.data(),
                              in_c<void*>(recvbuf), recvcounts, rdispls, received.data(), c_comm);
  if (ierror != nullptr) *ierror = code;
}

}  // namespace

#define ROTA_FORTRAN(name, NAME, parameters, ...) \
  extern "C" void rota_fortran_##name parameters { call(rota_##name, ierror, __VA_ARGS__); }
#include "rota_fortran.inc"
