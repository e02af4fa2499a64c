"""Which preload library goes with an MPI library: programs find in it no function that the MPI library lacks.

A program may ask at run time which of MPI 4's functions there are, as mpi4py does, and call them if so.
Libraries of MPI 3 (Open MPI 4, MPICH 3 and its descendants) have none of them, Intel's of 2021 some.
"""

import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rota.errors import RotaError
from rota.library import Abi, Shown, preload_path
from rota.mpi_install import FAMILY, LinkedMpi, find_install, library_of

_PERSISTENT: Final = "MPI_Bcast_init"
_SESSIONS: Final = "MPI_Session_init"
_LARGE_COUNTS: Final = "MPI_Bcast_c"

# From all to nothing of MPI 4. One function of each kind stands for its kind; the MPI-5 ABI has them all.
_NEEDED: Final[Mapping[Abi, Mapping[Shown, tuple[str, ...]]]] = {
    "openmpi": {"all": (_PERSISTENT, _SESSIONS), "mpi3": ()},
    "mpich": {
        "all": (_PERSISTENT, _SESSIONS, _LARGE_COUNTS),
        "mpi3_large": (_SESSIONS, _LARGE_COUNTS),
        "mpi3": (),
    },
    "mpi5": {"all": ()},
}


def preload_for(mpi: LinkedMpi) -> Path:
    """Return the library to preload into that MPI library's programs; with all, if that cannot be read."""
    return preload_path(mpi.abi, _shown_with(mpi))


def preload_here(abi: Abi, environment: Mapping[str, str] = os.environ) -> Path:
    """Return that for the preferred MPI of this machine (`find_install`); with all, if there is none."""
    try:
        return preload_for(library_of(find_install(FAMILY[abi], environment), abi))
    except RotaError:
        return preload_path(abi)


def _shown_with(mpi: LinkedMpi) -> Shown:
    try:
        names = _names_in(mpi.library)
    except OSError:
        return "all"
    return next(shown for shown, needed in _NEEDED[mpi.abi].items() if names.issuperset(needed))


def _names_in(library: Path) -> set[str]:
    """Return which of the names looked for are in its table of symbols, where each ends with a zero.

    What stands before it may be the P of PMPI_..., of which the linker makes one string.
    """
    with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        names = (_PERSISTENT, _SESSIONS, _LARGE_COUNTS)
        return {name for name in names if content.find(name.encode() + b"\0") >= 0}
