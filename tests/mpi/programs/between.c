/* Random calls on an inter-communicator, from both sides: allgather, allgatherv, bcast, reduce, allreduce.
 *
 *   between FIRST SEED CASES     the first group has FIRST ranks, the other group the rest
 *
 * Unequal sides and shares, no data on one side, derived types with gaps, any root, the program's own
 * operators, large counts where MPI has them. Every rank checks what it received, gaps too; rank 0 prints a
 * hash of all ranks' memory for each call. Ends with 1 if anything was wrong. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { ALLGATHER, ALLGATHERV, BCAST, REDUCE, ALLREDUCE, CALLS };
enum { MOST_RANKS = 32, GAP = 0x5A };

static int world_rank, world_ranks, first, rank, own_size, other_size, is_first, wrong;
static uint64_t seed;
static MPI_Comm side, between;

static uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + a * 0xBF58476D1CE4E5B9u + b * 0x94D049BB133111EBu;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/* Ints in memory: one after the other, or as a type with a gap behind each. */
typedef struct {
  MPI_Datatype type;
  long stride; /* in ints */
  int is_own;
} Ints;

static Ints ints(int gaps) {
  Ints result = {MPI_INT, 1, 0};
  if (!gaps) return result;
  MPI_Type_create_resized(MPI_INT, 0, 12, &result.type);
  MPI_Type_commit(&result.type);
  result.stride = 3;
  result.is_own = 1;
  return result;
}

static void done_with(Ints* type) {
  if (type->is_own) MPI_Type_free(&type->type);
}

static int* memory_for(const Ints* type, long count) {
  const size_t bytes = (size_t)(count + 1) * (size_t)type->stride * sizeof(int);
  return memset(malloc(bytes), GAP, bytes);
}

static uint64_t hash_of(const int* memory, const Ints* type, long count) {
  uint64_t hash = 14695981039346656037u;
  for (long i = 0; i < (count + 1) * type->stride; ++i) hash = (hash ^ (uint32_t)memory[i]) * 1099511628211u;
  return hash;
}

/* Is everything besides the items as it was? */
static void check_gaps(const int* memory, const Ints* type, long count) {
  int gap;
  memset(&gap, GAP, sizeof gap);
  for (long i = 0; i < (count + 1) * type->stride; ++i)
    wrong |= (i % type->stride || i / type->stride >= count) && memory[i] != gap;
}

static int value(long call, int is_of_first, int owner, long i) {
  return (int)(mixed((uint64_t)call * 64 + (uint64_t)owner * 2 + (uint64_t)is_of_first, (uint64_t)i) %
               100000);
}

static void fill(int* memory, const Ints* type, long call, long count) {
  for (long i = 0; i < count; ++i) memory[i * type->stride] = value(call, is_first, rank, i);
}

static void expect(const int* memory, const Ints* type, long at, int expected) {
  wrong |= memory[at * type->stride] != expected;
}

/* The items that a rank of a group has for the other group; whole groups may have nothing. */
static long share(long call, int is_of_first, int owner, int is_equal) {
  if (mixed((uint64_t)call, 3) % 3 == (uint64_t)is_of_first) return 0;
  const uint64_t any = mixed((uint64_t)call, is_equal ? 900 + (uint64_t)is_of_first
                                                      : 1000 + (uint64_t)owner * 2 + (uint64_t)is_of_first);
  return is_equal ? 1 + (long)(any % 2000) : (long)(any % 5 ? any % 1500 : 0);
}

static void note(long call, int kind, const int* memory, const Ints* type, long count) {
  const uint64_t hash = memory ? hash_of(memory, type, count) : 0;
  uint64_t all[MOST_RANKS];
  PMPI_Gather(&hash, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int r = 1; world_rank == 0 && r < world_ranks; ++r) all[0] = all[0] * 31 + all[r];
  if (world_rank == 0) printf("call %ld kind %d hash %016llx\n", call, kind, (unsigned long long)all[0]);
}

static void gather(long call, int kind) {
  Ints sent = ints(mixed((uint64_t)call, 10 + (uint64_t)world_rank) % 2),
       received = ints(mixed((uint64_t)call, 50 + (uint64_t)world_rank) % 2);
  const int is_equal = kind == ALLGATHER;
  int counts[MOST_RANKS], displacements[MOST_RANKS];
  long sum = 0;
  for (int r = 0; r < other_size; ++r) {
    counts[r] = (int)share(call, !is_first, r, is_equal);
    displacements[r] = (int)sum;
    sum += counts[r];
  }
  const long mine = share(call, is_first, rank, is_equal);
  int *const from = memory_for(&sent, mine), *const to = memory_for(&received, sum);
  fill(from, &sent, call, mine);
  if (is_equal && call % 2)
    MPI_Allgather(from, (int)mine, sent.type, to, counts[0], received.type, between);
  else if (is_equal) {
#if MPI_VERSION >= 4
    MPI_Allgather_c(from, mine, sent.type, to, counts[0], received.type, between);
#else
    MPI_Allgather(from, (int)mine, sent.type, to, counts[0], received.type, between);
#endif
  } else
    MPI_Allgatherv(from, (int)mine, sent.type, to, counts, displacements, received.type, between);
  for (int r = 0; r < other_size; ++r)
    for (long i = 0; i < counts[r]; ++i)
      expect(to, &received, displacements[r] + i, value(call, !is_first, r, i));
  check_gaps(to, &received, sum);
  note(call, kind, to, &received, sum);
  free(from);
  free(to);
  done_with(&sent);
  done_with(&received);
}

/* The root: any rank of one group; what the others of its group pass means nothing. */
static int root_of(long call, int* is_receiving_group) {
  const int roots_group_is_first = (int)(mixed((uint64_t)call, 4) % 2);
  *is_receiving_group = is_first != roots_group_is_first;
  const int size = *is_receiving_group ? other_size : own_size,
            root = (int)(mixed((uint64_t)call, 5) % (uint64_t)size);
  if (*is_receiving_group) return root;
  return root == rank ? MPI_ROOT : MPI_PROC_NULL;
}

static void broadcast(long call) {
  Ints type = ints(mixed((uint64_t)call, 70 + (uint64_t)world_rank) % 2);
  int is_receiving;
  const int root = root_of(call, &is_receiving);
  const long count = root == MPI_PROC_NULL ? 0 : 1 + (long)(mixed((uint64_t)call, 6) % 5000);
  int* const data = memory_for(&type, count);
  if (root == MPI_ROOT) fill(data, &type, call, count);
  MPI_Bcast(data, (int)count, type.type, root, between);
  for (long i = 0; is_receiving && i < count; ++i) expect(data, &type, i, value(call, !is_first, root, i));
  check_gaps(data, &type, count);
  note(call, BCAST, data, &type, count);
  free(data);
  done_with(&type);
}

static void keep_right(void* left, void* right, int* count, MPI_Datatype* type) {
  (void)left, (void)right, (void)count, (void)type; /* the last rank's value */
}

static void add(void* left, void* right, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)right)[i] += ((int*)left)[i];
}

/* The sum of a group's values, or that of its last rank. */
static int reduced(long call, int is_of_first, long i, int is_last) {
  const int size = is_of_first == is_first ? own_size : other_size;
  int sum = 0;
  for (int r = is_last ? size - 1 : 0; r < size; ++r) sum += value(call, is_of_first, r, i);
  return sum;
}

static MPI_Op operator_of(long call, int* is_last, int* is_own) {
  MPI_Op op = MPI_SUM;
  const uint64_t any = mixed((uint64_t)call, 7) % 3;
  *is_last = any == 1;
  *is_own = any != 0;
  if (any == 1) MPI_Op_create(keep_right, 0, &op);
  if (any == 2) MPI_Op_create(add, 1, &op);
  return op;
}

static void reduce(long call, int kind) {
  const Ints type = ints(0);
  int is_last, is_own, is_sending = 1, root = 0;
  MPI_Op op = operator_of(call, &is_last, &is_own);
  if (kind == REDUCE) root = root_of(call, &is_sending);
  const long count = 1 + (long)(mixed((uint64_t)call, 6) % 5000);
  int *const from = memory_for(&type, count), *const to = memory_for(&type, count);
  fill(from, &type, call, count);
  if (kind == REDUCE)
    MPI_Reduce(from, to, (int)count, MPI_INT, op, root, between);
  else
    MPI_Allreduce(from, to, (int)count, MPI_INT, op, between);
  const int has_result = kind == ALLREDUCE || root == MPI_ROOT;
  for (long i = 0; has_result && i < count; ++i) expect(to, &type, i, reduced(call, !is_first, i, is_last));
  note(call, kind, to, &type, has_result ? count : 0);
  free(from);
  free(to);
  if (is_own) MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_ranks);
  first = atoi(argv[1]);
  seed = (uint64_t)atoi(argv[2]);
  is_first = world_rank < first;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, world_rank, &side);
  MPI_Comm_rank(side, &rank);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? first : 0, 5, &between);
  MPI_Comm_size(between, &own_size);
  MPI_Comm_remote_size(between, &other_size);
  for (long call = 0; call < atol(argv[3]); ++call) {
    const int kind = (int)(mixed((uint64_t)call, 1) % CALLS);
    if (kind <= ALLGATHERV) gather(call, kind);
    if (kind == BCAST) broadcast(call);
    if (kind >= REDUCE) reduce(call, kind);
  }
  MPI_Comm_free(&between);
  MPI_Comm_free(&side);
  return end_with(wrong);
}
