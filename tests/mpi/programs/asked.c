// How many tests an MPI_Ibcast takes whose ranks are in MPI at the same times only: they all test once, wait for each other outside MPI, test
// again. Arguments: a file to meet by; and, if it is not to be by MPI_Test, the MPI library whose own PMPI_Test does, which nobody stands before.
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ITEMS = 1 << 16 };

typedef struct Meeting {
  atomic_int here;
  atomic_int times;
  atomic_int done;
} Meeting;

typedef int (*Test)(MPI_Request*, int*, MPI_Status*);

static Meeting* meeting_in(const char* file) {
  const int descriptor = open(file, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || ftruncate(descriptor, sizeof(Meeting)) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  void* memory = mmap(NULL, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

// Nobody leaves before all have come.
static void meet(Meeting* meeting, int ranks) {
  const int times = atomic_load(&meeting->times);
  if (atomic_fetch_add(&meeting->here, 1) + 1 == ranks) {
    atomic_store(&meeting->here, 0);
    atomic_fetch_add(&meeting->times, 1);
  }
  while (atomic_load(&meeting->times) == times) sched_yield();
}

static Test librarys_own(const char* library) {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  Test test = NULL;
  if (handle != NULL) *(void**)&test = dlsym(handle, "PMPI_Test");
  if (test == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return test;
}

int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Meeting* meeting = meeting_in(argv[1]);
  const Test test = argc > 2 ? librarys_own(argv[2]) : MPI_Test;
  int* items = malloc(ITEMS * sizeof *items);
  for (int i = 0; i < ITEMS; i++) items[i] = rank == 0 ? i : -1;
  MPI_Bcast(items, ITEMS, MPI_INT, 0, MPI_COMM_WORLD);
  memset(items, rank == 0 ? 1 : 0, ITEMS * sizeof *items);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(items, ITEMS, MPI_INT, 0, MPI_COMM_WORLD, &request);
  int tests = 0;
  int is_over = 0;
  for (int all_over = 0; !all_over; tests++) {
    meet(meeting, ranks);
    if (!is_over) {
      test(&request, &is_over, MPI_STATUS_IGNORE);
      if (is_over) atomic_fetch_add(&meeting->done, 1);
    }
    meet(meeting, ranks);
    all_over = atomic_load(&meeting->done) == ranks;
  }
  int wrong = 0;
  for (int i = 0; i < ITEMS; i++) wrong += items[i] != 0x01010101;
  printf("tests %d wrong %d\n", tests, wrong);
  MPI_Finalize();
  return wrong != 0;
}
