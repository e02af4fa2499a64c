/* Reductions in which one rank calls the type by another name than the rest: it is the same type.
 *
 * Rank 0 prints a line for each call. Types that the MPI library was built without are left out. */
#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { COUNT = 33000, RANKS_AT_MOST = 8 };

typedef union {
  float f[COUNT];
  double d[COUNT];
  float complex fc[COUNT];
  double complex dc[COUNT];
  int8_t i1[COUNT];
  int16_t i2[COUNT];
  int32_t i4[COUNT];
  int64_t i8[COUNT];
} Items;

enum { F, D, FC, DC, I1, I2, I4, I8 };

static Items sent, got;
static int rank, ranks;
static MPI_Comm between; /* rank 0 and all others */

static void put(Items* items, int kind, int i, int number) {
  switch (kind) {
    case F:
      items->f[i] = (float)number;
      break;
    case D:
      items->d[i] = number;
      break;
    case FC:
      items->fc[i] = (float)number - (float)(2 * number) * I;
      break;
    case DC:
      items->dc[i] = number - 2 * number * I;
      break;
    case I1:
      items->i1[i] = (int8_t)number;
      break;
    case I2:
      items->i2[i] = (int16_t)number;
      break;
    case I4:
      items->i4[i] = number;
      break;
    case I8:
      items->i8[i] = number;
      break;
  }
}

/* What the rank has: small enough that sums fit into all types. */
static int number_of(int owner, int i) { return (owner + i) % 7; }

static int sum_over(int first, int last, int i) {
  int sum = 0;
  for (int owner = first; owner < last; ++owner) sum += number_of(owner, i);
  return sum;
}

static size_t size_of(int kind) {
  static const size_t sizes[] = {
      sizeof(float), sizeof(double), sizeof(float complex), sizeof(double complex), 1, 2, 4, 8};
  return sizes[kind];
}

/* Are the first `count` items the sums over ranks [first, last) of those from `offset` on? */
static int are_wrong(int kind, int count, int offset, int first, int last) {
  static Items expected;
  for (int i = 0; i < count; ++i) put(&expected, kind, i, sum_over(first, last, offset + i));
  return memcmp(&got, &expected, (size_t)count * size_of(kind)) != 0;
}

static int is_wrong(int kind, int count, int offset, int last) {
  return are_wrong(kind, count, offset, 0, last);
}

static int allreduce(int kind, MPI_Datatype type) {
  MPI_Allreduce(&sent, &got, COUNT, type, MPI_SUM, MPI_COMM_WORLD);
  return is_wrong(kind, COUNT, 0, ranks);
}

static int reduce(int kind, MPI_Datatype type) {
  MPI_Reduce(&sent, &got, COUNT, type, MPI_SUM, ranks - 1, MPI_COMM_WORLD);
  return rank == ranks - 1 && is_wrong(kind, COUNT, 0, ranks);
}

static int reduce_scatter(int kind, MPI_Datatype type) {
  int counts[RANKS_AT_MOST];
  for (int r = 0; r < ranks; ++r) counts[r] = COUNT / ranks;
  MPI_Reduce_scatter(&sent, &got, counts, type, MPI_SUM, MPI_COMM_WORLD);
  return is_wrong(kind, COUNT / ranks, rank * (COUNT / ranks), ranks);
}

static int reduce_scatter_block(int kind, MPI_Datatype type) {
  MPI_Reduce_scatter_block(&sent, &got, COUNT / ranks, type, MPI_SUM, MPI_COMM_WORLD);
  return is_wrong(kind, COUNT / ranks, rank * (COUNT / ranks), ranks);
}

static int scan(int kind, MPI_Datatype type) {
  MPI_Scan(&sent, &got, COUNT, type, MPI_SUM, MPI_COMM_WORLD);
  return is_wrong(kind, COUNT, 0, rank + 1);
}

static int exscan(int kind, MPI_Datatype type) {
  MPI_Exscan(&sent, &got, COUNT, type, MPI_SUM, MPI_COMM_WORLD);
  return rank > 0 && is_wrong(kind, COUNT, 0, rank);
}

static int inter_allreduce(int kind, MPI_Datatype type) {
  MPI_Allreduce(&sent, &got, COUNT, type, MPI_SUM, between);
  return rank == 0 ? are_wrong(kind, COUNT, 0, 1, ranks) : are_wrong(kind, COUNT, 0, 0, 1);
}

static const struct {
  const char* name;
  int (*goes_wrong)(int kind, MPI_Datatype type);
} collectives[] = {{"allreduce", allreduce},
                   {"reduce", reduce},
                   {"reduce_scatter", reduce_scatter},
                   {"reduce_scatter_block", reduce_scatter_block},
                   {"scan", scan},
                   {"exscan", exscan},
                   {"inter_allreduce", inter_allreduce}};

static int call_goes_wrong(int collective, int kind, MPI_Datatype type) {
  memset(&got, 0x5A, sizeof got);
  for (int i = 0; i < COUNT; ++i) put(&sent, kind, i, number_of(rank, i));
  return collectives[collective].goes_wrong(kind, type);
}

/* The last rank uses the other name. */
static int names_go_wrong(const char* names, int kind, MPI_Datatype name, MPI_Datatype other_name) {
  if (name == MPI_DATATYPE_NULL || other_name == MPI_DATATYPE_NULL) return 0;
  int wrong = 0;
  for (size_t c = 0; c < sizeof collectives / sizeof *collectives; ++c) {
    const int now = call_goes_wrong((int)c, kind, rank == ranks - 1 ? other_name : name);
    int any = 0;
    MPI_Reduce(&now, &any, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%s %s: %s\n", collectives[c].name, names, any ? "wrong" : "right");
    fflush(stdout);
    wrong |= now;
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm side;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &between);
#define ROW(kind, name, other)          \
  {                                     \
    #name " " #other, kind, name, other \
  }
  const struct {
    const char* names;
    int kind;
    MPI_Datatype name, other_name;
  } pairs[] = {
      ROW(D, MPI_DOUBLE, MPI_REAL8),
      ROW(D, MPI_REAL8, MPI_DOUBLE_PRECISION),
      ROW(D, MPI_REAL8, MPI_REAL8),
      ROW(F, MPI_FLOAT, MPI_REAL4),
      ROW(FC, MPI_C_FLOAT_COMPLEX, MPI_COMPLEX8),
      ROW(DC, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX16),
      ROW(DC, MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX),
      ROW(I1, MPI_INT8_T, MPI_INTEGER1),
      ROW(I2, MPI_SHORT, MPI_INTEGER2),
      ROW(I4, MPI_INT, MPI_INTEGER4),
      ROW(I4, MPI_INT, MPI_INT32_T),
      ROW(I8, MPI_LONG, MPI_INT64_T),
      ROW(I8, MPI_INT64_T, MPI_INTEGER8),
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
    wrong |= names_go_wrong(pairs[i].names, pairs[i].kind, pairs[i].name, pairs[i].other_name);
  return end_with(wrong);
}
