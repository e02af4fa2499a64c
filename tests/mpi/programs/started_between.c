/* Collectives between two groups that return at once or are set up once, several of them outstanding, beside blocking ones.
 *
 *   started_between TURNS [free]     free: with one outstanding, in which Open MPI 5.0.11 crashes on its own
 *
 * Ranks below a third of all are the one group. Its status is 1 if any rank's data are wrong. */
#include <string.h>

#include "check.h"

enum { COUNT = 2000, AT_ONCE = 6, SET_UP = 6, ALL = AT_ONCE + SET_UP, RANKS_AT_MOST = 16 };

static int own, others, is_first;
static MPI_Comm between;
static long sent[COUNT], summed[2][COUNT], gathered[2][RANKS_AT_MOST * COUNT],
    shares[2][RANKS_AT_MOST * COUNT], told[2][COUNT], reduced[2][COUNT];
static int counts[2][RANKS_AT_MOST], places[RANKS_AT_MOST];

/* What a rank of the first group, or of the other, has for the other one. */
static long value(int in_first, int of, int i, int turn) {
  return in_first * 1000L + of * 100003L + i * 7L + turn;
}

/* In some turns nobody has any, in some there is little, and only one group has it. */
static int share_of(int in_first, int of, int turn) {
  if (turn % 7 == 5) return 0;
  if (turn % 7 == 3) return in_first ? 1 + of : 0;
  return COUNT / 2 + 3 * of + 11 * in_first;
}

/* The root is the first rank of a group: from another one MPICH 5.0.2's MPI_Ibcast sends its receivers something else. Its fellows
 * do not say how much there is. */
static int root_in(int in_first) {
  if (is_first != in_first) return 0;
  return own == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

static int count_for(int root) { return root == MPI_PROC_NULL ? 1 : COUNT; }

/* The group of which the root of what is started in a turn is. */
static int has_root(int turn) { return turn % 3 != 1; }

static void start(MPI_Request* requests, int turn) {
  const int root = root_in(has_root(turn));
  const int count = count_for(root);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  MPI_Iallreduce(sent, summed[0], COUNT, MPI_LONG, MPI_SUM, between, &requests[0]);
  MPI_Iallgather(sent, COUNT / 2, pair, gathered[0], COUNT, MPI_LONG, between, &requests[1]);
  MPI_Type_free(&pair);
  MPI_Ibcast(told[0], count, MPI_LONG, root, between, &requests[2]);
  MPI_Iallgatherv(sent, share_of(is_first, own, turn), MPI_LONG, shares[0], counts[0], places, MPI_LONG,
                  between, &requests[3]);
  MPI_Ireduce(sent, reduced[0], count, MPI_LONG, MPI_SUM, root, between, &requests[4]);
  MPI_Ibarrier(between, &requests[5]);
}

static void set_up(MPI_Request* requests) {
  const int root = root_in(1);
  MPI_Allreduce_init(sent, summed[1], COUNT, MPI_LONG, MPI_SUM, between, MPI_INFO_NULL, &requests[0]);
  MPI_Allgather_init(sent, COUNT, MPI_LONG, gathered[1], COUNT, MPI_LONG, between, MPI_INFO_NULL,
                     &requests[1]);
  MPI_Allgatherv_init(sent, share_of(is_first, own, 0), MPI_LONG, shares[1], counts[1], places, MPI_LONG,
                      between, MPI_INFO_NULL, &requests[2]);
  MPI_Barrier_init(between, MPI_INFO_NULL, &requests[3]);
  MPI_Bcast_init(told[1], count_for(root), MPI_LONG, root, between, MPI_INFO_NULL, &requests[4]);
  MPI_Reduce_init(sent, reduced[1], count_for(root), MPI_LONG, MPI_SUM, root, between, MPI_INFO_NULL,
                  &requests[5]);
}

static void fill(int turn) {
  for (int i = 0; i < COUNT; ++i) sent[i] = value(is_first, own, i, turn);
  for (int k = 0; k < 2; ++k) memcpy(told[k], sent, sizeof sent);
  for (int r = 0; r < others; ++r) counts[0][r] = share_of(!is_first, r, turn);
  memset(summed, -1, sizeof summed);
  memset(gathered, -1, sizeof gathered);
  memset(shares, -1, sizeof shares);
  memset(reduced, -1, sizeof reduced);
}

static int differ(const char* what, const long* got, int first, int count, int in_first, int of, int turn) {
  for (int i = 0; i < count; ++i) {
    long expected = 0;
    for (int r = of < 0 ? 0 : of; r <= of || (of < 0 && r < others); ++r)
      expected += value(in_first, r, i, turn);
    if (got[first + i] == expected) continue;
    fprintf(stderr, "turn %d, %s, item %d of rank %d: %ld, not %ld\n", turn, what, i, of, got[first + i],
            expected);
    return 1;
  }
  return 0;
}

static int is_wrong(int turn) {
  int wrong = 0;
  for (int k = 0; k < 2; ++k) {
    const int in_first = k ? 1 : has_root(turn);
    if (is_first != in_first)
      wrong |= differ(k ? "bcast_init" : "ibcast", told[k], 0, COUNT, in_first, 0, turn);
    if (root_in(in_first) == MPI_ROOT)
      wrong |= differ(k ? "reduce_init" : "ireduce", reduced[k], 0, COUNT, !in_first, -1, turn);
    wrong |= differ(k ? "allreduce_init" : "iallreduce", summed[k], 0, COUNT, !is_first, -1, turn);
    for (int r = 0; r < others; ++r) {
      wrong |= differ(k ? "allgather_init" : "iallgather", gathered[k], r * COUNT, COUNT, !is_first, r, turn);
      wrong |= differ(k ? "allgatherv_init" : "iallgatherv", shares[k], places[r], counts[k][r], !is_first, r,
                      turn);
    }
  }
  return wrong;
}

static void run(MPI_Request* requests, int turn) {
  start(requests, turn);
  if (turn % 2) MPI_Allreduce(MPI_IN_PLACE, &(int){0}, 0, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Startall(SET_UP, requests + AT_ONCE);
  if (turn % 3 == 0) {
    MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = ALL - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
}

/* A number of its own for each rank of the other group. */
static int exchange_goes_wrong(void) {
  enum { most = 64 };
  int to[most], from[most], one[most], at[most], wrong = 0;
  MPI_Request request;
  for (int r = 0; r < others; ++r) to[r] = own * 100 + r, from[r] = -1, one[r] = 1, at[r] = r;
  MPI_Ialltoallv(to, one, at, MPI_INT, from, one, at, MPI_INT, between, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int r = 0; r < others; ++r) wrong |= from[r] != r * 100 + own;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Request requests[ALL];
  MPI_Comm group;
  int rank, ranks, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int first_ranks = (ranks + 2) / 3;
  is_first = rank < first_ranks;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, is_first ? first_ranks : 0, 5, &between);
  MPI_Comm_rank(group, &own);
  MPI_Comm_remote_size(between, &others);
  for (int r = 0; r < others; ++r) {
    counts[1][r] = share_of(!is_first, r, 0);
    places[r] = r == 0 ? 0 : places[r - 1] + counts[1][r - 1];
  }
  fill(0);
  /* Which opens channels: of all, and of each root. */
  MPI_Allreduce(sent, summed[0], COUNT, MPI_LONG, MPI_SUM, between);
  MPI_Allgatherv(sent, share_of(is_first, own, 0), MPI_LONG, shares[0], counts[1], places, MPI_LONG, between);
  for (int k = 0; k < 2; ++k) {
    const int root = root_in(k);
    MPI_Bcast(told[0], count_for(root), MPI_LONG, root, between);
  }
  set_up(requests + AT_ONCE);
  const int turns = atoi(argv[1]);
  for (int turn = 0; turn < turns; ++turn) {
    fill(turn);
    run(requests, turn);
    wrong |= is_wrong(turn);
  }
  for (int i = AT_ONCE; i < ALL; ++i) MPI_Request_free(&requests[i]);
  wrong |= exchange_goes_wrong();
  MPI_Iallreduce(sent, summed[0], COUNT, MPI_LONG, MPI_SUM, between, &requests[0]);
  if (argc <= 2) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_free(&between);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Comm_free(&group);
  return end_with(wrong);
}
