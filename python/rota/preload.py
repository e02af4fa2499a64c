"""Which preload library goes with an MPI library: programs find in it no function that the MPI library lacks.

A program may ask at run time which of MPI 4's functions there are, as mpi4py does, and call them if so.
Libraries of MPI 3 (Open MPI 4, MPICH 3 and its descendants) have none of them, Intel's of 2021 some.
"""

import mmap
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rota.errors import RotaError
from rota.library import Abi, preload_path, preload_paths
from rota.mpi_install import FAMILY, LinkedMpi, find_install, library_of

# One function stands for all of its kind: persistent collectives, sessions, large counts.
_KINDS: Final = ("MPI_Bcast_init", "MPI_Session_init", "MPI_Bcast_c")


def preload_for(mpi: LinkedMpi) -> Path:
    """Return the library to preload into that MPI library's programs; with all, if that cannot be read."""
    try:
        there = _kinds_in(mpi.library) if mpi.is_found else set(_KINDS)
    except (OSError, ValueError):  # the latter of an empty file
        there = set(_KINDS)
    return _nameable(next(path for path in preload_paths(mpi.abi) if _kinds_in(path) <= there))


def preload_here(abi: Abi, environment: Mapping[str, str] = os.environ) -> Path:
    """Return that for the preferred MPI of this machine (`find_install`); with all, if there is none."""
    try:
        mpi = library_of(find_install(FAMILY[abi], environment), abi)
    except RotaError:
        return _nameable(preload_path(abi))
    return preload_for(mpi)


def _nameable(path: Path) -> Path:
    if re.search(r"[\s:]", str(path)):
        raise RotaError(
            f"{path} cannot be preloaded, for in LD_PRELOAD blanks and colons end a name:"
            " install Rota in a folder without"
        )
    return path


def _kinds_in(library: Path) -> set[str]:
    """Return those that are in its table of names, where each ends with a zero.

    What stands before it may be the P of PMPI_..., of which the linker makes one string.
    """
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return {name for name in _KINDS if content.find(name.encode() + b"\0") >= 0}
