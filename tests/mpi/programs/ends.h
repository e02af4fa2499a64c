/* Every form of wait and test, one by chance. MPICH 5.0.2's MPI_Testall fails on persistent collectives of its own: programs that may
 * have some define SETS_UP_NATIVELY. */
#ifndef ENDS_H
#define ENDS_H

#include <mpi.h>

enum { requests_at_most = 16 };

/* The same sequence on all ranks, and one for each rank alone. */
static unsigned long long common, alone;

static unsigned next(unsigned long long* state, unsigned below) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(*state >> 33) % below;
}

/* Ends all requests, by a form of this rank's own choice. */
static void end_all(int count, MPI_Request* requests) {
  MPI_Status statuses[requests_at_most];
  int indices[requests_at_most], index, done, flag;
  const unsigned form = next(&alone, 8);
  switch (form) {
    case 0:
      MPI_Waitall(count, requests, statuses);
      return;
    case 1:
      for (int i = count - 1; i >= 0; --i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      return;
    case 2:
      for (int i = 0; i < count; ++i) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
      return;
    case 3:
      for (done = 0; done != MPI_UNDEFINED;) MPI_Waitsome(count, requests, &done, indices, statuses);
      return;
    case 4:
#if defined(SETS_UP_NATIVELY) && !defined(OPEN_MPI)
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
      return;
#endif
      for (flag = 0; !flag;) MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
      return;
    case 5:
      for (index = 0; index != MPI_UNDEFINED;) {
        flag = 0;
        while (!flag) MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
      }
      return;
    case 6:
      for (done = 0; done != MPI_UNDEFINED;) MPI_Testsome(count, requests, &done, indices, statuses);
      return;
    default:
      for (int i = 0; i < count; ++i) {
        for (flag = 0; !flag;) MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
        for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      }
  }
}

#endif
