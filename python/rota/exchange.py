"""Exchanges between the ranks of an mpi4py program that are planned once and run many times.

>>> from mpi4py import MPI                                           # doctest: +SKIP
>>> from rota.exchange import AlltoallvPlan                          # doctest: +SKIP
>>> with AlltoallvPlan(MPI.COMM_WORLD, sendcounts, recvcounts, MPI.DOUBLE) as plan:    # doctest: +SKIP
...     for _ in range(100):
...         plan.run(sendbuf, recvbuf)

The rest of Rota does without mpi4py; this module needs it.
"""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.library import Abi, engine_path
from rota.mpi_install import abi_of_library

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType
    from typing import Self

    from mpi4py.MPI import Datatype, Intracomm

# MPICH's handles are numbers, the others' are addresses.
_HANDLE: Final[Mapping[Abi, type[ctypes.c_void_p | ctypes.c_int]]] = {
    "openmpi": ctypes.c_void_p,
    "mpich": ctypes.c_int,
    "mpi5": ctypes.c_void_p,
}


class AlltoallvPlan:
    """An Alltoallv of which all but the buffers is known: its schedule is made once.

    Of rank r, ``recvcounts[r]`` items of ``recvtype`` are received, ``recvdispls[r]`` items from where the
    buffer begins; without displacements one rank's follow the other's. The same for what is sent, whose
    type is `datatype`; ``sendcounts=None`` plans an exchange in place. Creating a plan and running it are
    collective over `comm`, as in MPI. Faults that MPI finds raise mpi4py's MPI.Exception where the
    communicator's error handler returns; RotaError where there is no mpi4py or no Rota for its MPI.
    """

    def __init__(
        self,
        comm: Intracomm,
        sendcounts: Sequence[int] | None,
        recvcounts: Sequence[int],
        datatype: Datatype,
        *,
        senddispls: Sequence[int] | None = None,
        recvdispls: Sequence[int] | None = None,
        recvtype: Datatype | None = None,
    ) -> None:
        self._plan = ctypes.c_void_p()
        self._receive = _side(comm, recvcounts, recvdispls, recvtype or datatype)
        self._send = None if sendcounts is None else _side(comm, sendcounts, senddispls, datatype)
        send = self._send
        _check(
            _rota().rota_alltoallv_plan(
                None if send is None else send.counts,
                None if send is None else send.displs,
                _handle(datatype),
                self._receive.counts,
                self._receive.displs,
                _handle(recvtype or datatype),
                _handle(comm),
                ctypes.byref(self._plan),
            )
        )

    def run(self, sendbuf: Any, recvbuf: Any) -> None:  # noqa: ANN401 - anything with a buffer
        """Exchange what is in these buffers: NumPy arrays, bytes, whatever mpi4py takes for a buffer.

        `sendbuf` is MPI.IN_PLACE where the plan is in place. Raises ValueError for a buffer that is smaller
        than what the plan has in it, and for a plan that has been freed.
        """
        if not self._plan:
            raise ValueError("this plan has been freed: make another")
        mpi = _mpi()
        in_place = type(sendbuf) is type(mpi.IN_PLACE)
        if in_place != (self._send is None):
            raise ValueError("MPI.IN_PLACE goes with a plan without sendcounts, and with no other")
        sent = int(mpi.IN_PLACE) if self._send is None else self._send.address_in(sendbuf, "send")
        received = self._receive.address_in(recvbuf, "receive")
        _check(_rota().rota_plan_run(self._plan, ctypes.c_void_p(sent), ctypes.c_void_p(received)))

    def free(self) -> None:
        """Free the plan, before MPI ends; a plan may be freed twice."""
        if self._plan:
            _check(_rota().rota_plan_free(ctypes.byref(self._plan)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()


@dataclass(frozen=True)
class _Side:
    """What is sent, or received: counts and displacements as C has them, and the bytes a buffer needs."""

    counts: ctypes.Array[ctypes.c_int]
    displs: ctypes.Array[ctypes.c_int]
    bytes_needed: int

    def address_in(self, buffer: Any, name: str) -> int:  # noqa: ANN401 - anything with a buffer
        mpi = _mpi()
        memory = getattr(mpi, "buffer", None) or mpi.memory  # as it was called before mpi4py 4
        view = memory(buffer)
        if view.nbytes < self.bytes_needed:
            raise ValueError(
                f"the {name} buffer has {view.nbytes} bytes, and the plan {self.bytes_needed} in it"
            )
        if name == "receive" and view.readonly:
            raise ValueError("the receive buffer is read-only")
        return int(view.address)


def _side(comm: Intracomm, counts: Sequence[int], displs: Sequence[int] | None, datatype: Datatype) -> _Side:
    peers = comm.Get_size()
    places = [0, *accumulate(counts)][: len(counts)] if displs is None else list(displs)
    if len(counts) != peers or len(places) != peers:
        raise ValueError(f"{len(counts)} counts and {len(places)} displacements are not {peers}, one a rank")
    _, extent = datatype.Get_extent()
    lower, true_extent = datatype.Get_true_extent()
    ends = [
        (place + (count - 1 if extent > 0 else 0)) * extent + lower + true_extent
        for count, place in zip(counts, places, strict=True)
        if count > 0
    ]
    numbers = ctypes.c_int * peers
    return _Side(numbers(*counts), numbers(*places), max(ends, default=0))


def _mpi() -> ModuleType:
    try:
        from mpi4py import MPI  # noqa: PLC0415 - nothing else of Rota needs it
    except ImportError as fault:
        raise RotaError(f"plans need mpi4py ({fault}): pip install mpi4py") from fault
    return MPI


@cache
def _loaded_mpi() -> tuple[Abi, Path]:
    """Return the MPI library that mpi4py has loaded."""
    _mpi()
    paths = {line.split(maxsplit=5)[5].strip() for line in _mapped() if "/" in line}
    for path in sorted(paths):
        abi = abi_of_library(Path(path).name)
        if abi is not None:
            return abi, Path(path)
    raise RotaError("mpi4py uses an MPI library that Rota knows no ABI of")


def _mapped() -> list[str]:
    return Path("/proc/self/maps").read_text().splitlines()


@cache
def _rota() -> ctypes.CDLL:
    """Return librota on top of mpi4py's MPI library, which Python keeps to itself until then."""
    abi, library = _loaded_mpi()
    ctypes.CDLL(str(library), mode=os.RTLD_NOLOAD | os.RTLD_GLOBAL | os.RTLD_NOW)
    rota = ctypes.CDLL(str(engine_path(abi)))
    numbers, address, handle = ctypes.POINTER(ctypes.c_int), ctypes.c_void_p, _HANDLE[abi]
    side = (numbers, numbers, handle)
    rota.rota_alltoallv_plan.argtypes = (*side, *side, handle, ctypes.POINTER(address))
    rota.rota_plan_run.argtypes = (address, address, address)
    rota.rota_plan_free.argtypes = (ctypes.POINTER(address),)
    return rota


def _handle(thing: Any) -> Any:  # noqa: ANN401 - of any kind of mpi4py's
    """Return MPI's own handle of an mpi4py object."""
    return _HANDLE[_loaded_mpi()[0]].from_address(_mpi()._addressof(thing))  # noqa: SLF001 - mpi4py documents it


def _check(code: int) -> None:
    if code:
        raise _mpi().Exception(code)
