"""Labs of tests, where the kernel allows any, and the programs that run in them."""

import re

import pytest

from rota.errors import RotaError
from rota.lab import Lab, LabSpec

RATE_BITS_PER_S = 100_000_000

# Prints for every rank its host, and for all but the first how long a message from the first takes.
TRANSFER = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank, size, bytes = atoi(argv[1]);
  char host[256], *data = calloc(bytes, 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  gethostname(host, sizeof host);
  for (int peer = 1; peer < size; peer++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), took = 1e9;
    for (int i = 0; i < 3 && (rank == 0 || rank == peer); i++, start = MPI_Wtime()) {
      if (rank == 0) {
        MPI_Send(data, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(data, 1, MPI_CHAR, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (MPI_Wtime() - start < took) took = MPI_Wtime() - start;
      } else {
        MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
      }
    }
    if (rank == 0) printf("took %d %.6f\n", peer, took);
  }
  printf("rank %d %s %s\n", rank, host, getenv("ROTA_LINK_RATE"));
  fflush(stdout);
  MPI_Finalize();
  return argc > 2 ? atoi(argv[2]) : 0;
}
"""

# Opens a lab in which something runs for ever, and says so once it runs.
# A shell that starts something in the background has it ignore interrupts.
ENDLESS = """
import signal, sys
from rota.lab import Lab, LabSpec
from rota.launch import native_job
signal.signal(signal.SIGINT, signal.default_int_handler)
with Lab(LabSpec.uniform(2, 100_000_000)) as lab:
    lab.run(native_job(sys.argv[1:]))
"""


def open_or_skip(spec: LabSpec) -> Lab:
    try:
        return Lab(spec)
    except RotaError as fault:
        if "forbids" in str(fault) or "needs" in str(fault):
            pytest.skip(str(fault))
        raise


def hosts_of(output: str) -> dict[int, str]:
    return {int(rank): host for rank, host in re.findall(r"^rank (\d+) (\S+)", output, re.MULTILINE)}


def times_of(output: str) -> dict[int, float]:
    return {
        int(peer): float(time_s) for peer, time_s in re.findall(r"^took (\d+) (\S+)", output, re.MULTILINE)
    }
