"""``rota run``: an MPI program on this machine, with Rota serving its collectives."""

import os
import shlex
from typing import Annotated

import typer

from rota.commands.job import Mpi, Native, Off, Program, Report, Trace, job_of
from rota.commands.output import print_line
from rota.commands.where import DryRun, LauncherWords
from rota.errors import RotaError
from rota.launch import Job
from rota.launcher import as_launcher, launcher_environment, local_command, named_launcher, starts_ranks


def run(
    program: Program,
    *,
    ranks: Annotated[
        int | None, typer.Option("-n", "--ranks", min=1, help="How many ranks to start on this machine.")
    ] = None,
    launcher: LauncherWords = None,
    mpi: Mpi = None,
    off: Off = None,
    report: Report = None,
    trace: Trace = None,
    native: Native = False,
    dry_run: DryRun = False,
) -> None:
    """Run an MPI program with its collectives served by Rota.

    Everything after the program's name is the program's. The exit status is the program's.
    """
    if launcher is None and starts_ranks(program[0]):
        raise RotaError(f"{program[0]} starts ranks itself: {as_launcher(program)} has Rota in them")
    job = job_of(program, mpi=mpi, off=off, report=report, trace=trace, native=native)
    command = _command(job, ranks, launcher)
    if dry_run:
        print_line(shlex.join(command))
        return
    # Become the launcher: signals, terminal and exit status are its own business, as without Rota.
    os.execve(command[0], command, launcher_environment())  # noqa: S606


def _command(job: Job, ranks: int | None, launcher: str | None) -> tuple[str, ...]:
    if (ranks is None) == (launcher is None):
        raise RotaError("say what to start: either -n RANKS on this machine or --launcher with its own words")
    if launcher is not None:
        return named_launcher(launcher).command(job)
    return local_command(job, ranks or 1, os.cpu_count() or 1)
