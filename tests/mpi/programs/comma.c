/* A broadcast in a program that speaks its user's language, in which numbers may have a comma: its status is 77 where they have none. */
#include <locale.h>

#include "check.h"

enum { NO_COMMA = 77 };

int main(int argc, char** argv) {
  setlocale(LC_ALL, "");
  char text[8];
  snprintf(text, sizeof text, "%.1f", 0.5);
  if (text[1] != ',') return NO_COMMA;
  MPI_Init(&argc, &argv);
  int wrong = 0;
  for (int i = 0; i < 5; ++i) wrong |= broadcast_goes_wrong(MPI_COMM_WORLD, 0, 300000, i);
  return end_with(wrong);
}
