/* Ends MPI when the program ends, as a global object's destructor does.
 *
 *   late_finalize late|atexit|early|destructor     in a function that was asked for after MPI_Init; before it;
 *                                                  before main; in one of the program's last words */
#include <string.h>
#include <unistd.h>

#include "check.h"

static const char* when = "";

static void finalize(void) {
  int is_initialized = 0, is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  if (!is_initialized || is_finalized) return;
  const int wrong = broadcast_goes_wrong(MPI_COMM_WORLD, 0, 100000, 2);
  MPI_Finalize();
  if (wrong) _exit(1);
}

static void finalize_early(void) {
  if (strcmp(when, "early") == 0) finalize();
}

__attribute__((constructor)) static void before_main(void) { atexit(finalize_early); }

__attribute__((destructor)) static void last(void) {
  if (strcmp(when, "destructor") == 0) finalize();
}

int main(int argc, char** argv) {
  when = argv[1];
  if (strcmp(when, "atexit") == 0) atexit(finalize);
  MPI_Init(&argc, &argv);
  if (strcmp(when, "late") == 0) atexit(finalize);
  return broadcast_goes_wrong(MPI_COMM_WORLD, 1, 100000, 1);
}
