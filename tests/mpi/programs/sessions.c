/* Broadcasts in two sessions, one after the other, without MPI_Init; and on a grid that has no place for the last rank.

   A third session stays open around both: MPICH 5.0.1 hangs once in some thirty runs, with or without Rota,
   when a process initialises it anew after its last session has ended. */
#include "check.h"

static int grid_goes_wrong(MPI_Comm comm, int mark) {
  int ranks;
  MPI_Comm grid;
  MPI_Comm_size(comm, &ranks);
  MPI_Cart_create(comm, 1, (const int[]){ranks - 1}, (const int[]){0}, 0, &grid);
  if (grid == MPI_COMM_NULL) return 0;
  const int wrong = broadcast_goes_wrong(grid, 1, 5000, mark);
  MPI_Comm_free(&grid);
  return wrong;
}

static int session_goes_wrong(int mark) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rota.test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  const int wrong = broadcast_goes_wrong(comm, 1, 5000, mark) | grid_goes_wrong(comm, mark + 1);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return wrong;
}

int main(void) {
  MPI_Session around;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &around);
  const int wrong = session_goes_wrong(1) | session_goes_wrong(3);
  MPI_Session_finalize(&around);
  return wrong;
}
