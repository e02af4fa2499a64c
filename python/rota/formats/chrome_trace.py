"""A simulated schedule as a trace for Perfetto and chrome://tracing: what every port does, and when.

Each rank is a process with two threads, what it sends and what it receives; an arrow goes from a message's
one end to the other. Times are microseconds of the model, from the start.

Source: the Trace Event Format (complete events "X", flows "s" and "f", metadata "M").
"""

from __future__ import annotations

import json
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

from rota import transfers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota import Network, Schedule, Transfer

_SENDS, _RECEIVES = 0, 1
_THREADS: Final = {_SENDS: "sends", _RECEIVES: "receives"}


def trace_of(schedule: Schedule, network: Network, size_bytes: int, name: str) -> Iterator[str]:
    """Generate the JSON, an event a line: `size_bytes` as for `rota.simulate`. O(p rounds)."""
    yield json.dumps({"displayTimeUnit": "ns", "otherData": {"schedule": name}}).removesuffix("}")
    yield ', "traceEvents": ['
    messages = transfers(schedule, network, size_bytes)
    of_messages = chain.from_iterable(_events(number, one) for number, one in enumerate(messages))
    events = chain(_names(schedule.problem.ranks), of_messages)
    for separator, event in zip(chain([""], repeat(",")), events, strict=False):
        yield f"{separator}\n {json.dumps(event)}"
    yield "\n]}\n"


def _names(ranks: int) -> Iterator[dict[str, Any]]:
    for rank in range(ranks):
        yield {"ph": "M", "name": "process_name", "pid": rank, "args": {"name": f"rank {rank}"}}
        yield {"ph": "M", "name": "process_sort_index", "pid": rank, "args": {"sort_index": rank}}
        for thread, what in _THREADS.items():
            yield {"ph": "M", "name": "thread_name", "pid": rank, "tid": thread, "args": {"name": what}}


def _events(number: int, one: Transfer) -> Iterator[dict[str, Any]]:
    ends = (one.sender, _SENDS, f"to {one.receiver}"), (one.receiver, _RECEIVES, f"from {one.sender}")
    start_us, duration_us = one.start_s * 1e6, (one.end_s - one.start_s) * 1e6
    args = {"round": one.round, "bytes": one.bytes, "from": one.sender, "to": one.receiver}
    for pid, tid, name in ends:
        place = {"pid": pid, "tid": tid}
        yield {
            "ph": "X",
            "name": name,
            "cat": "message",
            "ts": start_us,
            "dur": duration_us,
            **place,
            "args": args,
        }
    flow = {"name": "message", "cat": "message", "id": number, "ts": start_us}
    yield {"ph": "s", **flow, "pid": one.sender, "tid": _SENDS}
    yield {"ph": "f", "bp": "e", **flow, "pid": one.receiver, "tid": _RECEIVES}
