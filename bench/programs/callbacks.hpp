// The functions of programs that MPI calls: attributes', error handlers', operators'. print_c.cpp has the same in C.
#pragma once

#include <mpi.h>

namespace rota::programs {

int copy_next(MPI_Comm comm, int keyval, void* extra, void* value, void* copied, int* flag);
int delete_counted(MPI_Comm comm, int keyval, void* value, void* extra);
int delete_reducing(MPI_Comm comm, int keyval, void* value, void* extra);
void count_errors(MPI_Comm* comm, int* code, ...);
void count_more_errors(MPI_Comm* comm, int* code, ...);
void add_pairs(void* left, void* right, int* count, MPI_Datatype* type);
void compose_maps(void* left, void* right, int* count, MPI_Datatype* type);

}  // namespace rota::programs
