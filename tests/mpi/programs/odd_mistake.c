/* Exchanges in which one rank has no data and makes a mistake, whose errors are returned: all others exchange
 * their data.
 *
 *   odd_mistake CASE...      each with every rank for the one that is mistaken, in turn
 *
 * Rank 0 prints the classes of the errors on all ranks, and who has received what it should. A good broadcast
 * after each. */
#include <string.h>

#include "check.h"

enum { COUNT = 65536, RANKS_AT_MOST = 5 };

static int rank, ranks, odd;
static int sent[RANKS_AT_MOST * COUNT], got[RANKS_AT_MOST * COUNT];
static MPI_Datatype uncommitted;

typedef struct {
  int counts[RANKS_AT_MOST], counts_again[RANKS_AT_MOST], places[RANKS_AT_MOST];
  MPI_Datatype types[RANKS_AT_MOST], types_again[RANKS_AT_MOST];
  const int *sendcounts, *recvcounts, *displacements;
} Arguments;

static int alltoallv(const Arguments* a) {
  return MPI_Alltoallv(sent, a->sendcounts, a->displacements, a->types[0], got, a->recvcounts,
                       a->displacements, a->types_again[0], MPI_COMM_WORLD);
}

static int alltoallw(const Arguments* a) {
  int bytes[RANKS_AT_MOST];
  for (int peer = 0; peer < ranks; ++peer) bytes[peer] = a->places[peer] * (int)sizeof(int);
  const int* const displacements = a->displacements == NULL ? NULL : bytes;
  return MPI_Alltoallw(sent, a->sendcounts, displacements, a->types, got, a->recvcounts, displacements,
                       a->types_again, MPI_COMM_WORLD);
}

static void set_all(MPI_Datatype types[], MPI_Datatype type) {
  for (int peer = 0; peer < ranks; ++peer) types[peer] = type;
}

static void null_sendtype(Arguments* a) { set_all(a->types, MPI_DATATYPE_NULL); }
static void null_recvtype(Arguments* a) { set_all(a->types_again, MPI_DATATYPE_NULL); }
static void uncommitted_sendtype(Arguments* a) { set_all(a->types, uncommitted); }
static void uncommitted_recvtype(Arguments* a) { set_all(a->types_again, uncommitted); }
static void negative_sendcount(Arguments* a) { a->counts[ranks - 1] = -1; }
static void negative_recvcount(Arguments* a) { a->counts_again[ranks - 1] = -1; }
static void null_sendcounts(Arguments* a) { a->sendcounts = NULL; }
static void null_recvcounts(Arguments* a) { a->recvcounts = NULL; }
static void null_displacements(Arguments* a) { a->displacements = NULL; }

static const struct {
  const char* name;
  int (*call)(const Arguments*);
} calls[] = {{"alltoallv", alltoallv}, {"alltoallw", alltoallw}};

static const struct {
  const char* name;
  void (*make)(Arguments*);
} mistakes[] = {
    {"null_sendtype", null_sendtype},
    {"null_recvtype", null_recvtype},
    {"uncommitted_sendtype", uncommitted_sendtype},
    {"uncommitted_recvtype", uncommitted_recvtype},
    {"negative_sendcount", negative_sendcount},
    {"negative_recvcount", negative_recvcount},
    {"null_sendcounts", null_sendcounts},
    {"null_recvcounts", null_recvcounts},
    {"null_displacements", null_displacements},
};

static int value(int from, int to, int i) { return from * 1000003 + to * 7919 + i; }

static void prepare(Arguments* a) {
  for (int peer = 0; peer < ranks; ++peer) {
    for (int i = 0; i < COUNT; ++i) sent[peer * COUNT + i] = value(rank, peer, i), got[peer * COUNT + i] = -1;
    a->counts[peer] = rank == odd || peer == odd ? 0 : COUNT;
    a->places[peer] = peer * COUNT;
    a->types[peer] = a->types_again[peer] = MPI_INT;
  }
  memcpy(a->counts_again, a->counts, sizeof a->counts);
  a->sendcounts = a->counts, a->recvcounts = a->counts_again, a->displacements = a->places;
}

static int has_received_all(void) {
  int right = 1;
  for (int i = 0; i < ranks * COUNT; ++i)
    right &= got[i] == (rank == odd || i / COUNT == odd ? -1 : value(i / COUNT, rank, i % COUNT));
  return right;
}

static void print_all(const char* name, int class, int right) {
  int own[2] = {class, right}, all[2 * RANKS_AT_MOST];
  MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  printf("%s on rank %d:", name, odd);
  for (int r = 0; r < ranks; ++r) printf(" %d %s", all[2 * r], all[2 * r + 1] ? "right" : "wrong");
  printf("\n");
  fflush(stdout);
}

static int goes_wrong(int call, int mistake, char** names) {
  char name[80];
  int is_named = 0, class, wrong = 0;
  snprintf(name, sizeof name, "%s/%s", calls[call].name, mistakes[mistake].name);
  for (; *names != NULL; ++names) is_named |= strcmp(*names, name) == 0;
  for (odd = 0; is_named && odd < ranks; ++odd) {
    static Arguments arguments;
    prepare(&arguments);
    if (rank == odd) mistakes[mistake].make(&arguments);
    MPI_Error_class(calls[call].call(&arguments), &class);
    print_all(name, class, has_received_all());
    wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 1000, odd);
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int wrong = 0;
  MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (size_t c = 0; c < sizeof calls / sizeof *calls; ++c)
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m)
      wrong |= goes_wrong((int)c, (int)m, argv + 1);
  return end_with(wrong);
}
