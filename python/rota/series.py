"""Streams of operations by a plan, over the ranks of an mpi4py communicator.

>>> from mpi4py import MPI                                                 # doctest: +SKIP
>>> from rota.series import Series                                         # doctest: +SKIP
>>> plan = Path("plan.json").read_text()  # of rota plan reduce ... --json   # doctest: +SKIP
>>> with Series(plan, MPI.COMM_WORLD, 262144, MPI.FLOAT, MPI.SUM) as series:    # doctest: +SKIP
...     series.run(1000, source=lambda k: frames[k], over=lambda k, result: show(k, result))

The plan may be of scatters, all-to-alls, reduces or broadcasts. The rest of Rota does without mpi4py; this
module needs it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.loaded import address_of, check, handle, handle_type, librota, mpi
from rota.steady.plan import plan_in
from rota.steady.timetable import timetable_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from mpi4py.MPI import Datatype, Intracomm, Op

__all__ = ["Series"]

_ADDRESS_OF: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_longlong)
_OVER: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_longlong)


class _Stream(ctypes.Structure):
    """rota_stream of rota.h."""

    _fields_ = (
        ("state", ctypes.c_void_p),
        ("source", _ADDRESS_OF),
        ("target", _ADDRESS_OF),
        ("over", _OVER),
    )


class Series:
    """A plan made ready for the ranks of a communicator; rank i is the i-th of `nodes`.

    `plan`: the text of a plan that ``rota plan ... --json`` has written; needed at rank 0 only, which
    certifies it. A unit message is `count` items of `datatype`, which has no gaps. `op` combines a reduce's
    operands, in their order, and need only be associative. `nodes`: the platform's nodes in its own order, if
    not given; nodes that have no part in the plan need no rank. Creating and running a series are collective
    over `comm`.

    Raises, on all ranks, RotaError for a plan that is none or not what it claims, or of which a node has no
    rank; mpi4py's MPI.Exception for what MPI finds, where the communicator's error handler returns.
    """

    def __init__(
        self,
        plan: str | None,
        comm: Intracomm,
        count: int,
        datatype: Datatype,
        op: Op | None = None,
        *,
        nodes: Sequence[str] | None = None,
    ) -> None:
        self._series = ctypes.c_void_p()
        self._comm, self._op = comm, mpi().OP_NULL if op is None else op
        self._datatype = datatype
        check(
            _rota().rota_series_open(
                _timetable(plan, comm, nodes),
                count,
                handle(datatype),
                handle(self._op),
                handle(comm),
                ctypes.byref(self._series),
            )
        )
        needs = [ctypes.c_longlong() for _ in range(3)]
        check(_rota().rota_series_needs(self._series, *map(ctypes.byref, needs)))
        self.sent_items: int = needs[0].value
        """What this rank sends in an operation: its messages, one after the other."""
        self.received_items: int = needs[1].value
        """What it gets."""
        self.operations_under_way: int = needs[2].value
        """At most, at once: so many buffers of each are in use."""

    def run(
        self,
        operations: int,
        *,
        source: Callable[[int], Any] | None = None,
        target: Callable[[int], Any] | None = None,
        over: Callable[[int, Any], None] | None = None,
    ) -> None:
        """Carry out so many operations; all are over on this rank when it returns.

        `source` returns what this rank sends in operation k: an array, bytes, whatever mpi4py takes for a
        buffer. It is kept, and must stay as it is, until the operation is over. `target` returns a buffer for
        what it gets; without one, bytearrays are made. `over` is then called with k and that buffer (None
        where the rank gets nothing).

        Raises ValueError for a rank that sends and has no source, and for a closed series. What these
        functions raise is raised when the stream has ended, so that no other rank waits in vain.
        """
        if not self._series:
            raise ValueError("this series has been closed: make another")
        lacks_source = bool(self.sent_items) and source is None
        program = _Program(
            self._bytes(self.sent_items), self._bytes(self.received_items), source, target, over
        )
        stream = program.stream()
        if lacks_source:
            stream.source = _ADDRESS_OF()  # which all ranks refuse together
        code = _rota().rota_series_run(self._series, operations, ctypes.byref(stream))
        if lacks_source:
            raise ValueError(f"this rank sends {self.sent_items} items in each operation: give a source")
        check(code)
        if program.fault is not None:
            raise program.fault

    def _bytes(self, items: int) -> int:
        return items * int(self._datatype.Get_size())

    def close(self) -> None:
        """Free the series, before MPI ends; it may be closed twice."""
        if self._series:
            check(_rota().rota_series_close(ctypes.byref(self._series)))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Program:
    """The program's functions as C calls them: with buffers kept, and faults kept for later."""

    def __init__(
        self,
        sent_bytes: int,
        received_bytes: int,
        source: Callable[[int], Any] | None,
        target: Callable[[int], Any] | None,
        over: Callable[[int, Any], None] | None,
    ) -> None:
        self._sent_bytes, self._received_bytes = sent_bytes, received_bytes
        self._source, self._target, self._over = source, target, over
        self._sources: dict[int, Any] = {}
        self._targets: dict[int, Any] = {}
        self.fault: BaseException | None = None

    def stream(self) -> _Stream:
        """Return it as rota.h has it; it must outlive the call."""
        return _Stream(
            None,
            _ADDRESS_OF(lambda _, k: self._kept(self._sources, k, self._source, self._sent_bytes, "send")),
            _ADDRESS_OF(
                lambda _, k: self._kept(self._targets, k, self._target, self._received_bytes, "receive")
            ),
            _OVER(lambda _, k: self._is_over(k)),
        )

    def _kept(
        self, kept: dict[int, Any], k: int, give: Callable[[int], Any] | None, size: int, name: str
    ) -> int:
        """Return the address of what the program gives, or of as many zeros where it fails."""
        if give is not None and self.fault is None:
            try:
                kept[k] = give(k)
                return address_of(kept[k], size, name, writable=name == "receive")
            except BaseException as fault:  # noqa: BLE001 - raised when the stream has ended
                self.fault = fault
        kept[k] = bytearray(size)
        return address_of(kept[k], size, name, writable=True)

    def _is_over(self, k: int) -> None:
        self._sources.pop(k, None)
        result = self._targets.pop(k, None)
        if self._over is not None and self.fault is None:
            try:
                self._over(k, result)
            except BaseException as fault:  # noqa: BLE001 - raised when the stream has ended
                self.fault = fault


def _timetable(plan: str | None, comm: Intracomm, nodes: Sequence[str] | None) -> bytes | None:
    """Return what ranks carry out, at rank 0; raise RotaError on all ranks where its plan is none."""
    text, fault = _text_or_fault(plan or "", nodes) if comm.Get_rank() == 0 else (None, None)
    fault = comm.bcast(fault)
    if fault is not None:
        raise RotaError(fault)
    return text


def _text_or_fault(plan: str, nodes: Sequence[str] | None) -> tuple[bytes | None, str | None]:
    try:
        return timetable_of(plan_in(plan), nodes).text.encode(), None
    except RotaError as fault:
        return None, str(fault)
    except Exception as fault:  # noqa: BLE001 - the other ranks wait to be told
        return None, f"the plan cannot be read ({type(fault).__name__}: {fault}): give its text"


@cache
def _rota() -> ctypes.CDLL:
    """Return librota with what series need declared."""
    rota = librota()
    address, number, mpi_handle = ctypes.c_void_p, ctypes.c_longlong, handle_type()
    to_address, to_number = ctypes.POINTER(address), ctypes.POINTER(number)
    rota.rota_series_open.argtypes = (ctypes.c_char_p, number, mpi_handle, mpi_handle, mpi_handle, to_address)
    rota.rota_series_needs.argtypes = (address, to_number, to_number, to_number)
    rota.rota_series_run.argtypes = (address, number, ctypes.POINTER(_Stream))
    rota.rota_series_close.argtypes = (to_address,)
    return rota
