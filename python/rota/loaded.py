"""librota on top of the MPI library that mpi4py has loaded, and the two's handles."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.library import Abi, engine_path
from rota.mpi_install import abi_of_library

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

# MPICH's handles are numbers, the others' are addresses.
_HANDLE: Final[Mapping[Abi, type[ctypes.c_void_p | ctypes.c_int]]] = {
    "openmpi": ctypes.c_void_p,
    "mpich": ctypes.c_int,
    "mpi5": ctypes.c_void_p,
}


def mpi() -> ModuleType:
    """Return mpi4py's MPI; raise RotaError where there is none."""
    try:
        from mpi4py import MPI  # noqa: PLC0415 - nothing else of Rota needs it
    except ImportError as fault:
        raise RotaError(f"this needs mpi4py ({fault}): pip install mpi4py") from fault
    return MPI


@cache
def _loaded_mpi() -> tuple[Abi, Path]:
    """Return the MPI library that mpi4py has loaded."""
    mpi()
    paths = {line.split(maxsplit=5)[5].strip() for line in _mapped() if "/" in line}
    for path in sorted(paths):
        abi = abi_of_library(Path(path).name)
        if abi is not None:
            return abi, Path(path)
    raise RotaError("mpi4py uses an MPI library that Rota knows no ABI of")


def _mapped() -> list[str]:
    return Path("/proc/self/maps").read_text().splitlines()


@cache
def librota() -> ctypes.CDLL:
    """Return librota, which finds its MPI symbols in mpi4py's MPI library.

    Python keeps that library to itself until then. Raises RotaError where Rota has no build for it.
    """
    abi, library = _loaded_mpi()
    ctypes.CDLL(str(library), mode=os.RTLD_NOLOAD | os.RTLD_GLOBAL | os.RTLD_NOW)
    return ctypes.CDLL(str(engine_path(abi)))


def handle_type() -> type[ctypes.c_void_p | ctypes.c_int]:
    """Return the C type of MPI's handles."""
    return _HANDLE[_loaded_mpi()[0]]


def handle(thing: Any) -> Any:  # noqa: ANN401 - of any kind of mpi4py's
    """Return MPI's own handle of an mpi4py object."""
    return handle_type().from_address(mpi()._addressof(thing))  # noqa: SLF001 - mpi4py documents it


def check(code: int) -> None:
    """Raise mpi4py's MPI.Exception for an error code."""
    if code:
        raise mpi().Exception(code)


def address_of(buffer: Any, least_bytes: int, name: str, *, writable: bool) -> int:  # noqa: ANN401
    """Return where a buffer begins: a NumPy array, bytes, whatever mpi4py takes for one.

    Raises ValueError for one of fewer bytes than are needed, and for a read-only one that is to be written.
    """
    module = mpi()
    memory = getattr(module, "buffer", None) or module.memory  # as it was called before mpi4py 4
    view = memory(buffer)
    if view.nbytes < least_bytes:
        raise ValueError(f"the {name} buffer has {view.nbytes} bytes, and {least_bytes} are needed")
    if writable and view.readonly:
        raise ValueError(f"the {name} buffer is read-only")
    return int(view.address)
