"""A trace of a run, as ``ROTA_TRACE`` writes it, read back: the calls that schedules served."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable

Key = tuple[int, int]
"""A channel, and the number of a call on it: the same on all ranks of the call."""


@dataclass(frozen=True)
class Span:
    """What a rank did, by rank 0's clock, in microseconds from MPI_Init."""

    rank: int
    begin_us: float
    end_us: float


@dataclass(frozen=True)
class Passed(Span):
    """One end of a message: from when it was posted until this rank had seen that it was over."""

    round: int
    peer: int
    bytes: int
    is_sent: bool


@dataclass(frozen=True)
class ServedCall:
    """A call that a schedule served, on all ranks that had room for it in their memory."""

    call: str
    bytes: int
    ranks: int
    schedule: str
    blocks: int
    rounds: int
    spans: tuple[Span, ...]
    expected_us: float | None
    messages: tuple[Passed, ...]

    @property
    def begin_us(self) -> float:
        """When the first rank came."""
        return min(span.begin_us for span in self.spans)

    @property
    def end_us(self) -> float:
        """When the last rank was through."""
        return max(span.end_us for span in self.spans)

    @property
    def took_us(self) -> float:
        """The time of the slowest rank."""
        return max(span.end_us - span.begin_us for span in self.spans)


@dataclass(frozen=True)
class RunTrace:
    """What is in the file."""

    served: tuple[ServedCall, ...]
    native: int
    """Calls of ranks by the MPI library's own collectives."""
    clock_error_us: float
    lost_calls: int
    lost_messages: int


def is_run_trace(told: object) -> TypeGuard[dict[str, Any]]:
    """Return whether parsed JSON is a trace of a run; schedules' traces are predictions."""
    return isinstance(told, dict) and "traceEvents" in told and "clock_error_us" in told.get("otherData", {})


def run_trace_of(told: dict[str, Any]) -> RunTrace:
    """Return what parsed JSON holds; RotaError where something in it is missing or of another kind."""
    try:
        slices = [event for event in told["traceEvents"] if event["ph"] == "X"]
        about = told["otherData"]
        calls = [event for event in slices if event["cat"] == "call"]
        return RunTrace(
            tuple(_served(calls, slices)),
            sum(event["args"]["schedule"] == "native" for event in calls),
            float(about["clock_error_us"]),
            int(about["lost_calls"]),
            int(about["lost_messages"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise RotaError(f"it is no trace of a run: {type(fault).__name__} {fault}") from None


def _served(calls: Iterable[dict[str, Any]], slices: list[dict[str, Any]]) -> Iterable[ServedCall]:
    of_calls: dict[Key, list[dict[str, Any]]] = defaultdict(list)
    messages: dict[Key, list[Passed]] = defaultdict(list)
    expected = {
        (event["pid"], event["ts"]): float(event["args"]["expected_us"])
        for event in slices
        if event["cat"] == "model"
    }
    for event in calls:
        if event["args"]["schedule"] != "native":
            of_calls[_key(event)].append(event)
    for event in slices:
        if event["cat"] == "message":
            messages[_key(event)].append(_passed(event))
    for key, events in sorted(of_calls.items(), key=lambda each: min(event["ts"] for event in each[1])):
        yield _call(events, expected.get((events[0]["pid"], events[0]["ts"])), messages[key])


def _key(event: dict[str, Any]) -> Key:
    return event["args"]["channel"], event["args"]["play"]


def _passed(event: dict[str, Any]) -> Passed:
    args, end_us = event["args"], event["ts"] + event["dur"]
    is_sent = event["name"].startswith("to")
    return Passed(event["pid"], event["ts"], end_us, args["round"], args["peer"], args["bytes"], is_sent)


def _call(events: list[dict[str, Any]], expected_us: float | None, messages: list[Passed]) -> ServedCall:
    args = events[0]["args"]
    return ServedCall(
        args["call"],
        args["bytes"],
        args["ranks"],
        args["schedule"],
        args["blocks"],
        args["rounds"],
        tuple(Span(event["pid"], event["ts"], event["ts"] + event["dur"]) for event in events),
        expected_us,
        tuple(messages),
    )
