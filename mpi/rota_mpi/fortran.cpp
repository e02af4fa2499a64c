// From Fortran's arguments to C's, and the error code back. The C function's parameters say what each argument is.
#include <dlfcn.h>

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

}  // namespace

#define ROTA_FORTRAN(name, NAME, parameters, ...) \
  extern "C" void rota_fortran_##name parameters { call(rota_##name, ierror, __VA_ARGS__); }
#include "rota_fortran.inc"
