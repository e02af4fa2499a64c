"""Streams by plans on random platforms, forwarding ranks included, with an operator that does not commute.

    series.py PLAN OPERATIONS ...

Every rank makes its messages of each operation from numbers, and looks at what it gets. Rank 0 prints what
was wrong.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
from mpi4py import MPI

from rota.errors import RotaError
from rota.series import Series

ITEMS = 720
comm = MPI.COMM_WORLD


def message(operation: int, first: int, last: int, size: str = "1") -> np.ndarray:
    """Return items that tell whose they are; affine maps x -> ax + b mod 2^64, in pairs."""
    start = 1000 * operation + 7 * first + 3 * last
    numbers = np.arange(start, start + 2 * int(ITEMS * Fraction(size)), dtype=np.uint64)
    return numbers * np.uint64(2) + np.uint64(1)


def compose(left: memoryview, right: memoryview, _: MPI.Datatype) -> None:
    """Compose the maps of `left` and `right`: associative, and not commutative."""
    first, then = (np.frombuffer(each, np.uint64).reshape(-1, 2) for each in (left, right))
    then[:] = np.column_stack((first[:, 0] * then[:, 0], first[:, 0] * then[:, 1] + first[:, 1]))


def composed(parts: list[np.ndarray]) -> np.ndarray:
    """Return what a reduce of these should give."""
    result = parts[0].copy()
    for part in parts[1:]:
        right = part.copy()
        compose(memoryview(result).cast("B"), memoryview(right).cast("B"), MPI.UINT64_T)
        result = right
    return result


def sent(series: dict, me: str, operation: int) -> list[np.ndarray]:
    """Return this node's messages of an operation, in the plan's order."""
    hosts, kind = series["hosts"], series["kind"]
    if kind == "reduce":
        return [message(operation, hosts.index(me), hosts.index(me))] if me in hosts else []
    if kind == "broadcast":
        return [message(operation, 0, 0)] if me == series["root"] else []
    if kind == "scatter":
        every = enumerate(series["sizes"])
        return [message(operation, 0, k, size) for k, size in every] if me == series["root"] else []
    return [message(operation, *each) for each in series["sizes"] if hosts[each[0]] == me]


def received(series: dict, me: str, operation: int) -> list[np.ndarray]:
    """Return what this node should get."""
    hosts, kind = series["hosts"], series["kind"]
    if kind == "reduce":
        everybody = range(len(hosts))
        return [composed([message(operation, k, k) for k in everybody])] if me == series["root"] else []
    if kind == "broadcast":
        return [message(operation, 0, 0)] if me in hosts else []
    if kind == "scatter":
        every = enumerate(series["sizes"])
        return [message(operation, 0, k, size) for k, size in every if hosts[k] == me]
    return [message(operation, *each) for each in series["sizes"] if hosts[each[1]] == me]


def faults(text: str, operations: int) -> list[str]:
    """Carry the plan out and return what was wrong on this rank."""
    plan = json.loads(text)
    series, nodes = plan["series"], [node["id"] for node in plan["platform"]["nodes"]]
    me, order = nodes[comm.rank], []
    wrong: list[str] = []

    def look(k: int, result: bytearray | None) -> None:
        order.append(k)
        should = received(series, me, k)
        if (result is not None) != bool(should):
            wrong.append(f"{me}: a buffer too many or too few")
        elif should and not np.array_equal(np.frombuffer(result, np.uint64), np.concatenate(should)):
            wrong.append(f"{me}: operation {k}")

    op = MPI.Op.Create(compose, commute=False)
    pair = MPI.UINT64_T.Create_contiguous(2).Commit()
    with Series(text if comm.rank == 0 else None, comm, ITEMS, pair, op) as stream:
        source = (lambda k: np.concatenate(sent(series, me, k))) if stream.sent_items else None
        for _ in range(2):
            order.clear()
            stream.run(operations, source=source, over=look)
            if order != list(range(operations)):
                wrong.append(f"{me}: operations over in the order {order}")
    op.Free()
    pair.Free()
    return wrong


def refused(plan: str, **options: object) -> str:
    """Return what is said of a series that cannot be."""
    comm.Set_errhandler(MPI.ERRORS_RETURN)
    try:
        Series(plan, comm, ITEMS, MPI.INT, MPI.SUM, **options)
    except (RotaError, MPI.Exception) as fault:
        return str(fault).split("\n", maxsplit=1)[0]
    return "nothing"


wrong = []
for path, operations in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    text = Path(path).read_text()
    wrong += [f"{Path(path).name}: {fault}" for fault in faults(text, int(operations))]
everywhere = comm.gather(wrong)
said = comm.gather([refused("{}"), refused(text, nodes=["nobody"])])
if comm.rank == 0:
    print("wrong:", [fault for each in everywhere for fault in each])
    print("said:", *sorted({" / ".join(each) for each in said}))
