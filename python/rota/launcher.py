"""What starts a job's ranks: this machine's mpiexec, a lab's, or that of a cluster.

    mpiexec -n 4 --map-by :OVERSUBSCRIBE   -x LD_PRELOAD=...    ./app 1000
    srun -N 4 --mpi=pmix                 env LD_PRELOAD=...     ./app 1000
    the launcher's words                 for the ranks only     the job's

What serves the ranks must not enter the launcher: a preloaded library is no part of srun. So variables travel
as options that the launcher has for them, or by `env` between the launcher and the program, which all
launchers start alike. (srun's own option for them, --export, parts values at commas.)
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from rota.errors import RotaError
from rota.launch import Job, with_environment
from rota.mpi_install import Family, MpiInstall, install_of_launcher, is_mpi_launcher
from rota.mpi_program import find_program
from rota.shared_memory import none_left

# Open MPI wants to be told twice. In a lab everybody is root of a user namespace of their own.
_ALLOW_ROOT: Final = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

YIELDING_MPICH: Final = {
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "4",
}
"""Has ranks that wait give their core to others, as Open MPI's mpi_yield_when_idle does.

Without it 16 ranks on 2 cores that reach each other through shared memory take 70 ms for an allreduce of 8
bytes, with it 0.6.
"""

_OTHERS: Final = frozenset({"aprun", "ibrun", "jsrun", "prterun", "prun", "srun"})
"""Launchers of no one MPI."""

_INTERRUPTED_S: Final = 0.15
"""So long a launcher may take to end, beyond the quarter of a second for which Python waits for it."""
_GRACE_S: Final = 10

Carrying = Callable[[Mapping[str, str]], tuple[str, ...]]
"""The words that put variables into the environment of the ranks."""


@dataclass(frozen=True)
class Output:
    """What a job left: its exit status (128 + signal if one killed it), and what it wrote."""

    status: int
    stdout: str
    stderr: str


def by_env(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of env, after the launcher's own."""
    return ("env", *(f"{name}={value}" for name, value in variables.items())) if variables else ()


def _by_open_mpi(variables: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(word for name, value in variables.items() for word in ("-x", f"{name}={value}"))


def _by_mpich(variables: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(word for name, value in variables.items() for word in ("-genv", name, value))


_CARRYING: Final[Mapping[Family, Carrying]] = {"openmpi": _by_open_mpi, "mpich": _by_mpich}


@dataclass(frozen=True)
class Launcher:
    """The words before a program's, and how variables reach its ranks; `install`: the MPI it belongs to.

    How many ranks there are, its words say, or the allocation in which it is called.
    """

    words: tuple[str, ...]
    carrying: Carrying = by_env
    install: MpiInstall | None = None

    def command(self, job: Job) -> tuple[str, ...]:
        """Return the command that starts a job's ranks."""
        return (*self.words, *self.carrying(job.rank_environment), *job.program)


def mpi_launcher(install: MpiInstall, ranks: int, placement: Sequence[str]) -> Launcher:
    """Return an MPI's own launcher for so many ranks, placed by options that it understands."""
    words = (str(install.launcher), "-n", str(ranks), *placement)
    return Launcher(words, _CARRYING[install.family], install)


def named_launcher(text: str) -> Launcher:
    """Return the launcher of these words of a shell: ``srun -N 4 --mpi=pmix``, ``mpirun --hostfile h``.

    Raise RotaError if there is no such program.
    """
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise RotaError(f"--launcher {text!r} is no command ({fault}): close its quotation marks") from None
    if not words:
        raise RotaError("--launcher names nothing: give its words, as in --launcher 'srun -N 4 --mpi=pmix'")
    program = find_program(words[0])
    install = install_of_launcher(Path(program))
    return Launcher((program, *words[1:]), _CARRYING[install.family] if install else by_env, install)


def starts_ranks(program: str) -> bool:
    """Return whether a program of that name is no MPI program, but what starts such."""
    name = Path(program).name
    return is_mpi_launcher(name) or name in _OTHERS


def as_launcher(words: Sequence[str]) -> str:
    """Return a launcher's own command line as `rota run` takes it, as far as programs here tell its parts."""
    own = list(takewhile(lambda word: not _may_be_program(word), words[1:]))
    program = words[1 + len(own) :] or ("PROGRAM",)
    return f"rota run --launcher {shlex.quote(shlex.join((words[0], *own)))} {shlex.join(program)}"


def _may_be_program(word: str) -> bool:
    """Return whether a word names a program, or by its path one that is not there yet."""
    return shutil.which(word) is not None or (word.startswith(("./", "/")) and not Path(word).exists())


def local_command(job: Job, ranks: int, cores: int) -> tuple[str, ...]:
    """Return the command that runs the job's ranks on this machine, more ranks than cores too."""
    is_crowded = ranks > cores
    if job.install.family == "mpich":
        yielding = with_environment(job, YIELDING_MPICH) if is_crowded else job
        return mpi_launcher(job.install, ranks, ()).command(yielding)
    crowded = ("--mca", "mpi_yield_when_idle", "1", "--bind-to", "none") if is_crowded else ()
    return mpi_launcher(job.install, ranks, ("--map-by", ":OVERSUBSCRIBE", *crowded)).command(job)


def launcher_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of the launcher itself, which Rota's library must not enter."""
    return {**environment, **_ALLOW_ROOT}


def captured(command: Sequence[str]) -> Output:
    """Run a launcher with no input; return how it ended and what its ranks wrote."""
    with (
        none_left(),
        subprocess.Popen(
            command,
            env=launcher_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        ) as process,
    ):
        try:
            stdout, stderr = process.communicate()
        finally:
            have_ended(process)
    status = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Output(status, stdout, stderr)


def have_ended(launcher: subprocess.Popen[Any]) -> None:
    """Have a launcher that still runs end its ranks and tidy up after them: killed, it would do neither.

    What interrupts this process interrupts it too, where it comes from a terminal: told twice, it would not
    tidy up either. Where it does not end, it is killed.
    """
    try:
        launcher.wait(_INTERRUPTED_S)
    except subprocess.TimeoutExpired:
        launcher.terminate()
    try:
        launcher.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        launcher.kill()
        launcher.wait()
