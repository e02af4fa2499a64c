/* Two programs, started together: a simulation on the first ranks, its analysis on the others. After each step every rank of the
 * analysis needs the whole field, of which each rank of the simulation has a part: an allgather from one
 * group to the other.
 *
 *   mpicc examples/coupled.c -o coupled
 *   rota lab run --hosts 16 --rate 200mbit -- ./coupled 4 1048576
 *
 * 4 ranks simulate, the others analyse; a part has 1048576 bytes. The steps alternate between the MPI
 * library's own call and
 * MPI_Allgather, which under `rota run` and `rota lab run` is Rota's, and the first rank prints what that
 * saved. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6 };

typedef int Allgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

/* Seconds for one step's transfer, on the slowest rank. */
static double transfer(Allgather* allgather, void* part, int part_bytes, void* field, int field_bytes,
                       MPI_Comm between) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  allgather(part, part_bytes, MPI_BYTE, field, field_bytes, MPI_BYTE, between);
  double took = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return took;
}

static int is_wrong(const unsigned char* field, int parts, int part_bytes, int step) {
  for (int part = 0; part < parts; ++part)
    for (int i = 0; i < part_bytes; ++i)
      if (field[(size_t)part * (size_t)part_bytes + (size_t)i] != (unsigned char)(part + step)) return 1;
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int simulating = argc > 1 ? atoi(argv[1]) : ranks / 2,
            part_bytes = argc > 2 ? atoi(argv[2]) : 1 << 20;
  if (simulating < 1 || simulating >= ranks || part_bytes < 1) {
    if (rank == 0)
      fprintf(stderr, "coupled: give how many of %d ranks simulate, and the bytes of a part\n", ranks);
    MPI_Finalize();
    return 2;
  }
  const int simulates = rank < simulating;

  MPI_Comm program, between;
  MPI_Comm_split(MPI_COMM_WORLD, simulates, rank, &program);
  MPI_Intercomm_create(program, 0, MPI_COMM_WORLD, simulates ? simulating : 0, 0, &between);

  /* Who has nothing to send or to receive says so: the analysis sends nothing back. */
  const int sent = simulates ? part_bytes : 0, received = simulates ? 0 : part_bytes;
  unsigned char* const part = malloc((size_t)part_bytes);
  unsigned char* const field = malloc((size_t)part_bytes * (size_t)simulating);
  double native_s = 0, rota_s = 0;
  int wrong = 0;
  for (int step = 0; step < STEPS; ++step) {
    memset(part, rank + step, (size_t)part_bytes);
    native_s += transfer(PMPI_Allgather, part, sent, field, received, between);
    rota_s += transfer(MPI_Allgather, part, sent, field, received, between);
    wrong |= !simulates && is_wrong(field, simulating, part_bytes, step);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks simulate, %d analyse, %d bytes each: %s\n", simulating, ranks - simulating, part_bytes,
           wrong ? "WRONG" : "every rank has the whole field");
    printf(
        "a step's transfer: MPI library %.1f ms, MPI_Allgather %.1f ms; saved %.1f ms, %.1f times as fast\n",
        1e3 * native_s / STEPS, 1e3 * rota_s / STEPS, 1e3 * (native_s - rota_s) / STEPS, native_s / rota_s);
  }
  free(field);
  free(part);
  MPI_Comm_free(&between);
  MPI_Comm_free(&program);
  MPI_Finalize();
  return wrong;
}
