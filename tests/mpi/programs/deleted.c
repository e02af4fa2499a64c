/* A function that MPI calls when an attribute is deleted broadcasts on the communicator that is being freed.
 *
 *   deleted free TIMES first|last     the attribute is set before the first large broadcast, or after it;
 *                                     rank 0 prints by how many KiB its memory grew in the second half
 *   deleted finalize                  the attribute is MPI_COMM_SELF's, which MPI_Finalize deletes while
 *                                     MPI_COMM_WORLD still works */
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { COUNT = 70000 };

static int key, deletions, wrong;

static int broadcast_on(MPI_Comm comm) { return broadcast_goes_wrong(comm, 1, COUNT, ++deletions); }

static int delete(MPI_Comm comm, int deleted, void* value, void* extra) {
  (void)deleted, (void)value, (void)extra;
  wrong |= broadcast_on(comm);
  return MPI_SUCCESS;
}

static int delete_at_end(MPI_Comm comm, int deleted, void* value, void* extra) {
  (void)comm, (void)deleted, (void)value, (void)extra;
  wrong |= broadcast_on(MPI_COMM_WORLD);
  return MPI_SUCCESS;
}

static long resident_kib(void) {
  long pages = 0;
  FILE* const file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void make_and_free(int is_set_first) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (is_set_first) MPI_Comm_set_attr(comm, key, NULL);
  wrong |= broadcast_goes_wrong(comm, 0, COUNT, 3);
  if (!is_set_first) MPI_Comm_set_attr(comm, key, NULL);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (strcmp(argv[1], "finalize") == 0) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    wrong |= broadcast_on(MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong || deletions != 2;
  }
  int rank;
  long halfway_kib = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL);
  const int times = atoi(argv[2]);
  for (int i = 0; i < times; ++i) {
    if (i == times / 2) halfway_kib = resident_kib();
    make_and_free(strcmp(argv[3], "first") == 0);
  }
  wrong |= deletions != times;
  if (rank == 0) printf("grew KiB: %ld\n", resident_kib() - halfway_kib);
  MPI_Comm_free_keyval(&key);
  return end_with(wrong);
}
