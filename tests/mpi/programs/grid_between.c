/* Between a grid that has no place for the last rank, and that rank: broadcasts both ways, and a sum. */
#include "check.h"

enum { COUNT = 400000 };

static int sum_goes_wrong(MPI_Comm between, int is_inside, int inside) {
  int* const ones = malloc(COUNT * sizeof(int));
  int* const sums = malloc(COUNT * sizeof(int));
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) ones[i] = i;
  MPI_Allreduce(ones, sums, COUNT, MPI_INT, MPI_SUM, between);
  for (int i = 0; i < COUNT; ++i) wrong |= sums[i] != i * (is_inside ? 1 : inside);
  free(ones);
  free(sums);
  return wrong;
}

static int broadcast_between_goes_wrong(MPI_Comm between, int is_root_inside, int is_inside, int mark) {
  int rank, wrong = 0;
  MPI_Comm_rank(between, &rank);
  int* const data = malloc(COUNT * sizeof(int));
  const int is_roots_group = is_root_inside == is_inside;
  const int root = !is_roots_group ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  for (int i = 0; i < COUNT; ++i) data[i] = root == MPI_ROOT ? i + mark : -1;
  MPI_Bcast(data, COUNT, MPI_INT, root, between);
  for (int i = 0; i < COUNT; ++i) wrong |= data[i] != (root == MPI_PROC_NULL ? -1 : i + mark);
  free(data);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int inside = ranks - 1, is_inside = rank < inside;
  MPI_Comm grid, between;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &inside, (const int[]){0}, 0, &grid);
  MPI_Intercomm_create(is_inside ? grid : MPI_COMM_SELF, 0, MPI_COMM_WORLD, is_inside ? inside : 0, 7,
                       &between);
  for (int call = 0; call < 4; ++call) {
    wrong |= broadcast_between_goes_wrong(between, call % 2, is_inside, call);
    wrong |= sum_goes_wrong(between, is_inside, inside);
  }
  MPI_Comm_free(&between);
  if (is_inside) MPI_Comm_free(&grid);
  return end_with(wrong);
}
