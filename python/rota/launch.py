"""A job: an MPI program, what its ranks find in their environment, and Rota in front of its MPI library."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rota._core import variables
from rota.errors import RotaError
from rota.library import Abi, engine_path
from rota.mpi_install import FAMILY, LinkedMpi, MpiInstall, find_install, install_of, library_of, named_prefix
from rota.mpi_program import NoMpi4pyError, chosen_mpi, default_mpi, find_program, linked_mpi, seen_mpis
from rota.preload import preload_for

_OWN_WORDS: Final = re.compile(r"rota(-[a-z]+)?: ")


@dataclass(frozen=True)
class Job:
    """A program, its MPI library, and what its ranks find in their environment."""

    program: tuple[str, ...]
    mpi: LinkedMpi
    rank_environment: Mapping[str, str]

    @property
    def install(self) -> MpiInstall:
        """The launcher that goes with the MPI library; RotaError if there is none."""
        return install_of(self.mpi)


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


def preferred_job(
    abi: Abi,
    program: Sequence[str],
    environment: Mapping[str, str] = os.environ,
    install: MpiInstall | None = None,
) -> Job:
    """Return the program with the preferred MPI of that ABI in front of those that it would find by itself.

    `install` is preferred to all others. Raise RotaError if the program is linked to another ABI.
    """
    preferred = install or _preferred_install(abi, environment)
    if preferred is None:
        return _by_itself(program, chosen_mpi(abi, program, environment), environment)
    rank_environment = _loading_from(preferred, environment)
    loading = {**environment, **rank_environment}
    mpi = chosen_mpi(abi, program, loading) if _sees_any(program, loading) else library_of(preferred, abi)
    return Job(_resolved(program, environment), mpi, rank_environment)


def own_job(abi: Abi, program: Sequence[str], install: MpiInstall | None = None) -> Job:
    """Return a program of Rota's own, which is linked with librota, with the preferred MPI of that ABI."""
    job = preferred_job(abi, program, install=install)
    behind = job.rank_environment.get("LD_LIBRARY_PATH", os.environ.get("LD_LIBRARY_PATH", ""))
    paths = filter(None, (str(engine_path(abi).parent), behind))
    return with_environment(job, {"LD_LIBRARY_PATH": ":".join(paths)})


def own_words(errors: str) -> str:
    """Return what a program of Rota's own, or librota in it, said first; launchers add many lines after it.

    If neither said anything, the last line.
    """
    lines = [line for line in errors.splitlines() if line.strip()] or ["it said nothing"]
    return next((line for line in lines if _OWN_WORDS.match(line)), lines[-1])


def with_rota(job: Job, environment: Mapping[str, str] = os.environ) -> Job:
    """Return the job with Rota serving its collectives, behind the tools that are preloaded already.

    A tool that looks for the next MPI_X behind itself, and not for PMPI_X, finds Rota only there. What the
    environment says to Rota is carried to all ranks: launchers leave it on their own machine.
    """
    preloads = (environment.get("LD_PRELOAD", ""), str(preload_for(job.mpi)))
    said = {each.name: environment[each.name] for each in variables() if each.name in environment}
    return with_environment(job, {"LD_PRELOAD": ":".join(filter(None, preloads)), **said})


def with_environment(job: Job, variables: Mapping[str, str]) -> Job:
    """Return the job with more variables in its ranks' environment."""
    return replace(job, rank_environment={**job.rank_environment, **variables})


def _sees_any(program: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Return whether one can tell by the program which MPI it uses; not of Python's modules but mpi4py."""
    try:
        return bool(seen_mpis(program, environment))
    except NoMpi4pyError:
        return False


def _by_itself(program: Sequence[str], mpi: LinkedMpi, environment: Mapping[str, str]) -> Job:
    return Job(_resolved(program, environment), mpi, {})


def _preferred_install(abi: Abi, environment: Mapping[str, str]) -> MpiInstall | None:
    """Return the preferred MPI; None if programs find a library of that ABI, but it has no launcher here.

    So it is where only a cluster's own launcher starts programs, as srun.
    """
    try:
        return find_install(FAMILY[abi], environment)
    except RotaError:
        if named_prefix(FAMILY[abi], environment) or default_mpi(abi, environment) is None:
            raise
        return None


def _loading_from(install: MpiInstall, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what makes a program, or mpi4py in it, load its MPI library from that install."""
    directories = (str(install.library_dir), environment.get("LD_LIBRARY_PATH", ""))
    return {"LD_LIBRARY_PATH": ":".join(filter(None, directories)), "MPI4PY_MPIABI": install.family}


def _resolved(program: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    # Launchers differ in where they look for a bare name; a path means the same to all of them.
    return (find_program(program[0], environment), *program[1:])
