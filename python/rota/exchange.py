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
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from operator import index
from typing import TYPE_CHECKING, Any

from rota.loaded import address_of, check, handle, handle_type, librota, mpi

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from mpi4py.MPI import Datatype, Intracomm

__all__ = ["AlltoallvPlan"]


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
        check(
            _planning().function(
                None if send is None else send.counts,
                None if send is None else send.displs,
                handle(datatype),
                self._receive.counts,
                self._receive.displs,
                handle(recvtype or datatype),
                handle(comm),
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
        in_place = type(sendbuf) is type(mpi().IN_PLACE)
        if in_place != (self._send is None):
            raise ValueError("MPI.IN_PLACE goes with a plan without sendcounts, and with no other")
        sent = (
            int(mpi().IN_PLACE)
            if self._send is None
            else address_of(sendbuf, self._send.bytes_needed, "send", writable=False)
        )
        received = address_of(recvbuf, self._receive.bytes_needed, "receive", writable=True)
        check(_rota().rota_plan_run(self._plan, ctypes.c_void_p(sent), ctypes.c_void_p(received)))

    def free(self) -> None:
        """Free the plan, before MPI ends; a plan may be freed twice."""
        if self._plan:
            check(_rota().rota_plan_free(ctypes.byref(self._plan)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.free()


@dataclass(frozen=True)
class _Side:
    """What is sent, or received: counts and displacements as C has them, and the bytes a buffer needs."""

    counts: ctypes.Array[Any]
    displs: ctypes.Array[Any]
    bytes_needed: int


def _side(comm: Intracomm, counted: Sequence[int], displs: Sequence[int] | None, datatype: Datatype) -> _Side:
    peers = comm.Get_size()
    counts = [index(count) for count in counted]  # of NumPy's numbers sums would be as narrow as these
    places = [0, *accumulate(counts)][:-1] if displs is None else [index(place) for place in displs]
    if len(counts) != peers or len(places) != peers:
        raise ValueError(f"{len(counts)} counts and {len(places)} displacements are not {peers}, one a rank")
    _, extent = datatype.Get_extent()
    lower, true_extent = datatype.Get_true_extent()
    ends = [
        (place + (count - 1 if extent > 0 else 0)) * extent + lower + true_extent
        for count, place in zip(counts, places, strict=True)
        if count > 0
    ]
    planning = _planning()
    farthest = max(map(abs, (*counts, *places)), default=0)
    if farthest > planning.largest:
        raise ValueError(f"{farthest} items are more than MPI can count here: {planning.largest} at most")
    numbers = planning.number * peers
    return _Side(numbers(*counts), numbers(*places), max(ends, default=0))


@dataclass(frozen=True)
class _Planning:
    """The function that makes a plan: with large counts, where the MPI library's headers have them."""

    function: Any  # of ctypes
    number: type[ctypes.c_int | ctypes.c_longlong]

    @property
    def largest(self) -> int:
        return int(2 ** (8 * ctypes.sizeof(self.number) - 1) - 1)


@cache
def _planning() -> _Planning:
    rota = librota()
    large = getattr(rota, "rota_alltoallv_plan_c", None)
    planning = (
        _Planning(rota.rota_alltoallv_plan, ctypes.c_int)
        if large is None
        else _Planning(large, ctypes.c_longlong)
    )
    numbers = ctypes.POINTER(planning.number)
    side = (numbers, numbers, handle_type())
    planning.function.argtypes = (*side, *side, handle_type(), ctypes.POINTER(ctypes.c_void_p))
    return planning


@cache
def _rota() -> ctypes.CDLL:
    """Return librota with what plans need declared."""
    rota = librota()
    address = ctypes.c_void_p
    rota.rota_plan_run.argtypes = (address, address, address)
    rota.rota_plan_free.argtypes = (ctypes.POINTER(address),)
    return rota
