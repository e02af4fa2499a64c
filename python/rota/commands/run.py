"""``rota run``: an MPI program on this machine, with Rota serving its collectives."""

import os
from typing import Annotated

import typer

from rota.commands.job import Mpi, Native, Off, Program, Report, job_of
from rota.launch import launcher_environment, local_command


def run(
    program: Program,
    *,
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="How many ranks to start.")],
    mpi: Mpi = None,
    off: Off = None,
    report: Report = None,
    native: Native = False,
) -> None:
    """Run an MPI program with its collectives served by Rota.

    Everything after the program's name is the program's. The exit status is the program's.
    """
    job = job_of(program, mpi=mpi, off=off, report=report, native=native)
    command = local_command(job, ranks, os.cpu_count() or 1)
    # Become the launcher: signals, terminal and exit status are its own business, as without Rota.
    os.execve(command[0], command, launcher_environment())  # noqa: S606
