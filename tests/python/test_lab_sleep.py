"""Ranks that outnumber their host's processors sleep while they wait, between slow links."""

import os
import re
from pathlib import Path

import pytest
from lab_programs import RATE_BITS_PER_S, open_or_skip
from mpi_programs import compile_program

from rota.lab import LabSpec
from rota.launch import native_job, with_environment, with_rota
from rota.library import Abi

HOSTS = 2

# Calls that block on one communicator, with and without one under way on another, which go side by side.
CALLS = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { SUMMED = 1 << 19, ITEMS = 1 << 17, EACH = 1 << 13 };
static int *filled(int items, int with) {
  int *all = malloc(items * sizeof *all);
  for (int i = 0; i < items; i++) all[i] = with + i;
  return all;
}
static int wrong(const int *all, int items, int with, int by) {
  int count = 0;
  for (int i = 0; i < items; i++) count += all[i] != with + by * i;
  return count;
}
static int faults(MPI_Comm comm, MPI_Comm beside) {
  int rank, size, rank_beside, count = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(beside, &rank_beside);
  double *exact = calloc(SUMMED, sizeof *exact), *sum = calloc(SUMMED, sizeof *sum);
  int *moved = filled(ITEMS, rank), *started = filled(ITEMS, rank_beside);
  int *to = filled(EACH * size, rank), *from = filled(EACH * size, 0);
  MPI_Request under_way;
  for (int i = 0; i < SUMMED; i++) exact[i] = rank + i;
  MPI_Allreduce(exact, sum, SUMMED, MPI_DOUBLE, MPI_SUM, comm);
  for (int i = 0; i < SUMMED; i++) count += sum[i] != size * (size - 1) / 2 + (double)size * i;
  MPI_Ibcast(started, ITEMS, MPI_INT, 0, beside, &under_way);
  MPI_Bcast(moved, ITEMS, MPI_INT, size - 1, comm);
  count += wrong(moved, ITEMS, size - 1, 1);
  MPI_Wait(&under_way, MPI_STATUS_IGNORE);
  count += wrong(started, ITEMS, 0, 1);
  MPI_Alltoall(to, EACH, MPI_INT, from, EACH, MPI_INT, comm);
  for (int peer = 0; peer < size; peer++) count += wrong(from + EACH * peer, EACH, peer + EACH * rank, 1);
  free(exact), free(sum), free(moved), free(started), free(to), free(from);
  return count;
}
int main(int argc, char **argv) {
  MPI_Comm odd;
  int rank, count = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd);
  for (int i = 0; i < 3; i++) count += faults(MPI_COMM_WORLD, odd) + faults(odd, MPI_COMM_WORLD);
  printf("%d faults\n", count);
  MPI_Comm_free(&odd);
  MPI_Finalize();
  return 0;
}
"""


def sleepers(abi: Abi, per_host: int, directory: Path) -> set[int]:
    """Return the ranks that have slept in the calls of a job that goes right."""
    job = with_rota(native_job([compile_program(CALLS, abi, directory)]))
    settings = {"ROTA_LOG": "info:all", "ROTA_ALGORITHM": "bcast=hierarchical"}
    with open_or_skip(LabSpec.uniform(HOSTS, RATE_BITS_PER_S, per_host=per_host)) as lab:
        ran = lab.capture(with_environment(job, settings))
    assert ran.status == 0, ran.stderr
    assert ran.stdout.splitlines() == ["0 faults"] * HOSTS * per_host
    return {
        int(rank) for rank in re.findall(r"^rota\[(\d+)\]: .* looks every \S+ ms$", ran.stderr, re.MULTILINE)
    }


@pytest.mark.parametrize("abi", ["mpich", "openmpi"])
def test_where_ranks_outnumber_processors(abi: Abi, tmp_path: Path) -> None:
    """Beside other work slow links may be taken for fast ones, and nobody sleeps: hence several jobs."""
    ranks_of_a_host = (os.cpu_count() or 1) + 1
    everybody = set(range(HOSTS * ranks_of_a_host))
    assert any(sleepers(abi, ranks_of_a_host, tmp_path) == everybody for _ in range(8))


@pytest.mark.parametrize("abi", ["mpich", "openmpi"])
def test_nowhere_else(abi: Abi, tmp_path: Path) -> None:
    assert sleepers(abi, 1, tmp_path) == set()
