/* A stream of scatters on a platform whose links differ, by the optimal plan.
 *
 *   rota plan scatter --platform figure2.json --source Ps --targets P0,P1 --json plan.json
 *   rota timetable plan.json --output plan.timetable
 *   mpicc stream.c $(rota flags --mpi openmpi) -o stream
 *   mpiexec -n 5 ./stream plan.timetable 1000
 *
 * Rank i is the platform's i-th node. The source sends each target frames of its own; ranks on the way only
 * forward. */
#include <rota.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 30000 };

/* The frames of operations that are under way at once. */
typedef struct {
  MPI_Count sent, received, under_way;
  int* sources;
  int* targets;
  long wrong;
} Frames;

static int number(MPI_Count operation) { return (int)(operation % 1000003); }

static const void* source(void* state, MPI_Count operation) {
  Frames* const frames = state;
  int* const frame = frames->sources + operation % frames->under_way * frames->sent;
  for (MPI_Count i = 0; i < frames->sent; ++i) frame[i] = number(operation);
  return frame;
}

static void* target(void* state, MPI_Count operation) {
  Frames* const frames = state;
  return frames->targets + operation % frames->under_way * frames->received;
}

static void over(void* state, MPI_Count operation) {
  Frames* const frames = state;
  const int* const frame = target(state, operation);
  for (MPI_Count i = 0; i < frames->received; ++i) frames->wrong += frame[i] != number(operation);
}

static char* text_of(const char* path) {
  FILE* const file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* const text = calloc((size_t)size + 1, 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size) text[0] = 0;
  fclose(file);
  return text;
}

int main(int argc, char** argv) {
  rota_init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* const timetable = rank == 0 && argc > 1 ? text_of(argv[1]) : NULL;
  const MPI_Count operations = argc > 2 ? atoll(argv[2]) : 100;

  rota_series* series;
  rota_series_open(timetable, ITEMS, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD, &series);
  Frames frames = {0};
  rota_series_needs(series, &frames.sent, &frames.received, &frames.under_way);
  frames.sources = malloc((size_t)(frames.under_way * frames.sent + 1) * sizeof(int));
  frames.targets = malloc((size_t)(frames.under_way * frames.received + 1) * sizeof(int));
  const rota_stream stream = {&frames, source, target, over};
  const double start = MPI_Wtime();
  rota_series_run(series, operations, &stream);
  const double seconds = MPI_Wtime() - start;
  rota_series_close(&series);

  long wrong = 0;
  MPI_Reduce(&frames.wrong, &wrong, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%lld operations in %.2f s, %ld wrong numbers\n", (long long)operations, seconds, wrong);
  free(timetable), free(frames.sources), free(frames.targets);
  rota_finalize();
  return wrong != 0;
}
