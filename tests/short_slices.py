"""Ranks that wait get their turns soon, beside compilers and other tests.

A rank that waits yields, and by that Linux takes its turn for used up: it then waits for a slice of the
others at each look. On two busy processors mpi4py's own tests on 3 ranks took 575 s in place of 30. With
slices as short as there are each look costs as much less. Not for tests in which anything is timed: whoever
shares processors so evenly looks like a slow link.
"""

import ctypes
import os
from typing import Final

SHORTEST_NS = 100_000
ORDINARY = 0
BEHIND_RANKS: Final = ("nice", "-n", "19")
"""What starts compilers, so that they have what ranks leave of the processors.

Beside two endless loops mpi4py's own tests took 324 s, also in such slices, and 32 s where the loops were
started so.
"""
# sched_getattr(2) and sched_setattr(2), which C libraries have lately.
CALLS = {"x86_64": (315, 314), "aarch64": (275, 274)}


class Attributes(ctypes.Structure):
    """What they take."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("policy", ctypes.c_uint32),
        ("flags", ctypes.c_uint64),
        ("nice", ctypes.c_int32),
        ("priority", ctypes.c_uint32),
        ("runtime_ns", ctypes.c_uint64),  # a slice; 0 before Linux 6.12, where it cannot be chosen
        ("deadline_ns", ctypes.c_uint64),
        ("period_ns", ctypes.c_uint64),
    )


def have_slices(slice_ns: int) -> None:
    """Give them to this process, and to whatever it starts, where the system can."""
    if os.uname().machine not in CALLS:
        return
    get, change = CALLS[os.uname().machine]
    system = ctypes.CDLL(None)
    now = Attributes()
    size = ctypes.sizeof(now)
    if system.syscall(get, 0, ctypes.byref(now), size, 0) == 0 and now.runtime_ns > 0:
        now.size, now.runtime_ns = size, slice_ns
        system.syscall(change, 0, ctypes.byref(now), 0)
