"""What a program's collectives took in a run, and what they would take by schedules and at the limit."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from rota import Network, least_seconds
from rota._core import explain, explain_everybody
from rota.collectives import COLLECTIVES
from rota.errors import RotaError
from rota.vocabulary import option_word

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rota._core import Explanation, Predicted

_REGULAR_EXCHANGES: Final = ("alltoall", "ialltoall", "alltoall_init")
_PAIR: Final = 2
_FIELDS: Final = ("call", "collective", "ranks", "bytes", "calls", "schedule", "seconds", "bound_seconds")
_LATER_FIELDS: Final = ("bound_bytes", "reason", "is_start_only")
"""What reports of earlier versions do not have."""


@dataclass(frozen=True)
class Line:
    """Calls of a report that are alike; bytes and seconds are means, and a time is the slowest rank's."""

    call: str
    collective: str
    ranks: int
    bytes: float
    calls: int
    schedule: str
    seconds: float
    bound_seconds: float
    bound_bytes: float | None = None
    """Through the busiest port, of a rank or of a host that ranks share; None: the report does not tell."""

    reason: str = ""
    """Why it was native."""

    is_start_only: bool = False
    """They returned at once, and natively: their time is not until their end."""

    @property
    def took_s(self) -> float:
        """The time of all these calls."""
        return self.calls * self.seconds

    @property
    def is_regular_exchange(self) -> bool:
        """Has every rank as much for each other one? Its bytes are what a rank sends, then."""
        is_of_one_group = self.reason != "inter-communicator"
        return is_of_one_group and self.call.split(maxsplit=1)[0] in _REGULAR_EXCHANGES


@dataclass(frozen=True)
class Report:
    """What is advised upon. Of hosts 0: not known; a rate of 0: not known."""

    lines: tuple[Line, ...]
    ranks: int
    hosts: int
    link_bits_per_s: float


@dataclass(frozen=True)
class Advice:
    """What these calls would take."""

    line: Line
    least_s: float | None = None
    """Of each call: no schedule takes less on such links.

    None: they pass none, all ranks are on one host; or what they took until their end is not known.
    """
    schedule: Predicted | None = None
    """The one that is predicted to take least; None where the report does not tell what to predict."""
    left_for: str = ""
    """Why Rota would leave such calls to the MPI library, as they are small: then it gains nothing."""

    @property
    def gain_s(self) -> float:
        """What there is to gain in all calls: by the schedule, or where none is named, at the limit."""
        if self.least_s is None or self.left_for:
            return 0.0
        would_take = self.schedule.seconds if self.schedule else self.least_s
        return max(0.0, self.line.calls * (self.line.seconds - would_take))

    @property
    def beyond_limit_s(self) -> float:
        """What all these calls took beyond the links' limit, whether or not a schedule gains any of it."""
        return 0.0 if self.least_s is None else max(0.0, self.line.calls * (self.line.seconds - self.least_s))


def read_report(file: Path) -> Report:
    """Read what ROTA_REPORT has written; raise RotaError where it is none."""
    try:
        told = json.loads(file.read_text())
        lines = tuple(
            Line(**{name: line[name] for name in _FIELDS}, **_of_newer_reports(line))
            for line in told["calls"]
        )
        return Report(
            lines, int(told.get("ranks", 0)), int(told.get("hosts", 0)), float(told["link_bits_per_second"])
        )
    except OSError as fault:
        raise RotaError(f"{file} cannot be read: {fault.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RotaError(f"{file} is no report: have a job write one with ROTA_REPORT={file}") from None


def _of_newer_reports(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in _LATER_FIELDS if name in line}


def advise(report: Report, network: Network, hosts: int | None) -> list[Advice]:
    """Return what there is to gain on such links, the most first.

    `hosts`: of the job; by default as the report has it, or if it does not tell, one for each rank. Raise
    RotaError for what is wrong in the environment, by which schedules are chosen (ROTA_...).
    """
    job_hosts = hosts or report.hosts or report.ranks
    lines = report.lines if job_hosts == report.hosts else map(_elsewhere, report.lines)
    advice = [_advice(line, network, _hosts_of(line, report, job_hosts)) for line in _merged(lines)]
    return sorted(advice, key=lambda each: (each.gain_s, each.line.took_s), reverse=True)


def _elsewhere(line: Line) -> Line:
    """Return a line of ranks on other hosts than the job's: what these had to carry says nothing."""
    return replace(line, bound_bytes=None)


def _merged(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return one line for calls that differ in nothing but what served them."""
    by_kind: dict[tuple[Any, ...], Line] = {}
    for line in lines:
        kind = (line.call, line.is_regular_exchange, line.is_start_only, line.ranks, line.bytes)
        before = by_kind.get(kind)
        by_kind[kind] = line if before is None else _sum(before, line)
    return tuple(by_kind.values())


def _sum(one: Line, other: Line) -> Line:
    calls = one.calls + other.calls
    schedules = one.schedule if one.schedule == other.schedule else f"{one.schedule}, {other.schedule}"
    seconds = (one.took_s + other.took_s) / calls
    return replace(one, calls=calls, seconds=seconds, schedule=schedules, bound_bytes=_most_bound(one, other))


def _most_bound(one: Line, other: Line) -> float | None:
    """Return what must pass the busiest port by the line that knows more of it: both are of such calls."""
    known = [each.bound_bytes for each in (one, other) if each.bound_bytes is not None]
    return max(known, default=None)


def _hosts_of(line: Line, report: Report, job_hosts: int) -> int:
    """Return on how many hosts a communicator is: its share of the job's, for the report does not tell."""
    if not report.ranks or line.ranks >= report.ranks:
        return min(line.ranks, job_hosts) or line.ranks
    return max(1, min(line.ranks, round(line.ranks * job_hosts / report.ranks)))


def _advice(line: Line, network: Network, hosts: int) -> Advice:
    if line.ranks == 1 or hosts == 1 or line.is_start_only:
        return Advice(line)
    if option_word(line.collective) not in COLLECTIVES and not line.is_regular_exchange:
        left_for = "two ranks" if line.ranks == _PAIR else ""
        return Advice(line, _least_by_bytes(line, network), left_for=left_for)
    explained = _explained(line, network, hosts)
    if explained.algorithm == "native":
        return Advice(line, explained.least_seconds, left_for=explained.reason)
    possible = (each for each in explained.candidates if isfinite(each.seconds))
    return Advice(line, explained.least_seconds, min(possible, key=lambda each: each.seconds, default=None))


def _explained(line: Line, network: Network, hosts: int) -> Explanation:
    """Return what would serve such a call; raise RotaError for what is wrong in the environment."""
    try:
        if not line.is_regular_exchange:
            return explain(line.collective, line.ranks, round(line.bytes), hosts=hosts, network=network)
        to_each = round(line.bytes / (line.ranks - 1))
        return explain_everybody(line.ranks, to_each, hosts=hosts, network=network)
    except ValueError as fault:
        raise RotaError(str(fault)) from fault


def _least_by_bytes(line: Line, network: Network) -> float:
    """Return the limit of calls of which the report tells the bytes through the busiest port, and no more.

    That is the host's that has most to carry, as far as the job knew who sent what to whom; a rank's else.
    """
    port_bytes = line.bytes if line.bound_bytes is None else line.bound_bytes
    return least_seconds("bcast", network, round(port_bytes), ranks=min(2, line.ranks))
