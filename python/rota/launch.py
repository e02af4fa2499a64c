"""How an MPI program is started: its launcher, its environment, and Rota in front of its MPI library."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rota.errors import RotaError
from rota.library import Abi, engine_path, preload_path
from rota.mpi_install import FAMILY, LinkedMpi, MpiInstall, find_install, install_of, library_of, named_prefix
from rota.mpi_program import default_mpi, find_program, linked_mpi, seen_mpis

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

_OWN_WORDS: Final = re.compile(r"rota(-[a-z]+)?: ")


@dataclass(frozen=True)
class Job:
    """A program, its MPI library and launcher, and what its ranks find in their environment."""

    program: tuple[str, ...]
    mpi: LinkedMpi
    install: MpiInstall
    rank_environment: Mapping[str, str]


def native_job(program: Sequence[str], environment: Mapping[str, str] = os.environ) -> Job:
    """Return the program with the MPI that it would load by itself."""
    return _by_itself(program, linked_mpi(program, environment), environment)


def native_job_with(abi: Abi, program: Sequence[str], environment: Mapping[str, str] = os.environ) -> Job:
    """Return the program with an MPI of that ABI: what it would load by itself, else the preferred one.

    Of a program that starts nobody knows what, that is what most programs on this machine would load. Raise
    RotaError if the program is linked to another ABI.
    """
    try:
        seen = seen_mpis(program, environment)
    except RotaError:  # with the preferred MPI it may be one that can be run
        return preferred_job(abi, program, environment)
    own = next((mpi for mpi in seen if mpi.abi == abi and mpi.is_found), None)
    if own is not None:
        return _by_itself(program, own, environment)
    is_open = not seen and named_prefix(FAMILY[abi], environment) is None
    by_default = default_mpi(abi, environment) if is_open else None
    if by_default is not None:
        return _by_itself(program, by_default, environment)
    return preferred_job(abi, program, environment)


def preferred_job(abi: Abi, program: Sequence[str], environment: Mapping[str, str] = os.environ) -> Job:
    """Return the program with the preferred MPI of that ABI in front of those that it would find by itself.

    Raise RotaError if the program is linked to another ABI.
    """
    preferred = find_install(FAMILY[abi], environment)
    rank_environment = _loading_from(preferred, environment)
    loading = {**environment, **rank_environment}
    mpi = linked_mpi(program, loading) if seen_mpis(program, loading) else library_of(preferred, abi)
    if mpi.abi != abi:
        raise RotaError(f"{program[0]} uses {mpi.library} ({mpi.abi}), not {abi}: use --mpi {mpi.abi}")
    return Job(_resolved(program, environment), mpi, install_of(mpi, environment), rank_environment)


def own_job(abi: Abi, program: Sequence[str]) -> Job:
    """Return a program of Rota's own, which is linked with librota, with the preferred MPI of that ABI."""
    job = preferred_job(abi, program)
    paths = (str(engine_path(abi).parent), job.rank_environment["LD_LIBRARY_PATH"])
    return with_environment(job, {"LD_LIBRARY_PATH": ":".join(paths)})


def own_words(errors: str) -> str:
    """Return what a program of Rota's own, or librota in it, said first; launchers add many lines after it.

    If neither said anything, the last line.
    """
    lines = [line for line in errors.splitlines() if line.strip()] or ["it said nothing"]
    return next((line for line in lines if _OWN_WORDS.match(line)), lines[-1])


def with_rota(job: Job, environment: Mapping[str, str] = os.environ) -> Job:
    """Return the job with Rota serving its collectives, behind the tools that are preloaded already.

    A tool that looks for the next MPI_X behind itself, and not for PMPI_X, finds Rota only there.
    """
    preloads = (environment.get("LD_PRELOAD", ""), str(preload_path(job.mpi.abi)))
    return with_environment(job, {"LD_PRELOAD": ":".join(filter(None, preloads))})


def with_environment(job: Job, variables: Mapping[str, str]) -> Job:
    """Return the job with more variables in its ranks' environment."""
    return replace(job, rank_environment={**job.rank_environment, **variables})


def local_command(job: Job, ranks: int, cores: int) -> tuple[str, ...]:
    """Return the command that runs the job's ranks on this machine, more ranks than cores too."""
    is_crowded = ranks > cores
    if job.install.family == "mpich":
        return launcher_command(with_environment(job, YIELDING_MPICH) if is_crowded else job, ranks, ())
    crowded = ("--mca", "mpi_yield_when_idle", "1", "--bind-to", "none") if is_crowded else ()
    return launcher_command(job, ranks, ("--map-by", ":OVERSUBSCRIBE", *crowded))


def launcher_command(job: Job, ranks: int, placement: Sequence[str]) -> tuple[str, ...]:
    """Return the command that starts so many ranks, placed by options that the job's launcher understands."""
    return (str(job.install.launcher), "-n", str(ranks), *placement, *_exports(job), *job.program)


def launcher_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment of the launcher itself, which Rota's library must not enter."""
    return {**environment, **_ALLOW_ROOT}


def _by_itself(program: Sequence[str], mpi: LinkedMpi, environment: Mapping[str, str]) -> Job:
    return Job(_resolved(program, environment), mpi, install_of(mpi, environment), {})


def _exports(job: Job) -> tuple[str, ...]:
    """Return the launcher's options that put variables into the environment of the ranks only."""
    pairs = job.rank_environment.items()
    if job.install.family == "openmpi":
        return tuple(word for name, value in pairs for word in ("-x", f"{name}={value}"))
    return tuple(word for name, value in pairs for word in ("-genv", name, value))


def _loading_from(install: MpiInstall, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what makes a program, or mpi4py in it, load its MPI library from that install."""
    directories = (str(install.library_dir), environment.get("LD_LIBRARY_PATH", ""))
    return {"LD_LIBRARY_PATH": ":".join(filter(None, directories)), "MPI4PY_MPIABI": install.family}


def _resolved(program: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    # Launchers differ in where they look for a bare name; a path means the same to all of them.
    return (find_program(program[0], environment), *program[1:])
