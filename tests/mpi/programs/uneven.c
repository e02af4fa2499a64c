/* MPI_Alltoallv of random patterns, each on a communicator of its own, so that its schedule is one of which nothing is known. Ranks have
 * different numbers of messages, of different sizes.
 *
 *   uneven PATTERNS */
#include <string.h>

#include "check.h"

enum { CALLS = 3, LEAST_BYTES = 300000, MOST_BYTES = 900000 };

static int rank, ranks;

/* A message's bytes, the same on all ranks: none for about a third of them. */
static int bytes_of(int pattern, int from, int to) {
  unsigned value = (unsigned)pattern * 2654435761u + (unsigned)from * 40503u + (unsigned)to * 9973u + 12345u;
  for (int i = 0; i < 3; ++i) value = value * 1664525u + 1013904223u;
  const int is_empty = (value >> 16) % 3 == 0;
  return is_empty ? 0 : LEAST_BYTES + (int)((value >> 8) % (MOST_BYTES - LEAST_BYTES));
}

static unsigned char mark(int from, int to, int call) { return (unsigned char)(1 + from * 16 + to + call); }

/* One side of the calls of this rank. */
struct side {
  int *counts, *displacements, bytes;
  unsigned char* data;
};

static struct side side_of(int pattern, int is_sent) {
  struct side side = {malloc((size_t)ranks * sizeof(int)), malloc((size_t)ranks * sizeof(int)), 0, NULL};
  for (int peer = 0; peer < ranks; ++peer) {
    side.counts[peer] = is_sent ? bytes_of(pattern, rank, peer) : bytes_of(pattern, peer, rank);
    side.displacements[peer] = side.bytes;
    side.bytes += side.counts[peer];
  }
  side.data = malloc((size_t)side.bytes + 1);
  return side;
}

static void release(struct side side) {
  free(side.counts);
  free(side.displacements);
  free(side.data);
}

static int exchange_goes_wrong(MPI_Comm comm, struct side sent, struct side received, int call) {
  int wrong = 0;
  for (int peer = 0; peer < ranks; ++peer)
    memset(sent.data + sent.displacements[peer], mark(rank, peer, call), (size_t)sent.counts[peer]);
  memset(received.data, 0, (size_t)received.bytes);
  MPI_Alltoallv(sent.data, sent.counts, sent.displacements, MPI_BYTE, received.data, received.counts,
                received.displacements, MPI_BYTE, comm);
  for (int peer = 0; peer < ranks; ++peer) {
    for (int i = 0; i < received.counts[peer]; ++i)
      wrong |= received.data[received.displacements[peer] + i] != mark(peer, rank, call);
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int patterns = argc == 2 ? atoi(argv[1]) : 0;
  int wrong = patterns == 0;
  for (int pattern = 0; pattern < patterns; ++pattern) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const struct side sent = side_of(pattern, 1), received = side_of(pattern, 0);
    for (int call = 0; call < CALLS; ++call) wrong |= exchange_goes_wrong(comm, sent, received, call);
    release(sent);
    release(received);
    MPI_Comm_free(&comm);
  }
  return end_with(wrong);
}
