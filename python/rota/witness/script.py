"""What actors do on a platform, and the text of it for the program that plays it (bench/witness/main.cpp).

Each actor is a port or a processor of a node: one for sending, one for receiving and one for computing make
a node one-ported and computing meanwhile, as paper 5 has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from rota.platforms import Platform

_LARGEST_BYTES: Final = 10**15
"""SimGrid's messages are whole bytes: the largest one has so many, which doubles hold exactly."""
_FLOPS_PER_TASK: Final = 10**9


@dataclass(frozen=True, slots=True)
class Wait:
    """Until so much has been counted."""

    counter: Hashable
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Send:
    """So many units of data to a neighbour; both ports are busy from when both are there until it is."""

    target: str
    size: Fraction


@dataclass(frozen=True, slots=True)
class Receive:
    """What the neighbour sends next; then the counter grows."""

    source: str
    counter: Hashable
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Execute:
    """So many unit tasks; then the counter grows."""

    tasks: Fraction
    counter: Hashable
    amount: Fraction


@dataclass(frozen=True, slots=True)
class Mark:
    """The time at which the last actor gets here is wanted."""

    number: int


Step = Wait | Send | Receive | Execute | Mark


@dataclass(frozen=True)
class Program:
    """What one actor of a node does, in this order."""

    node: str
    steps: tuple[Step, ...]


def script_of(platform: Platform, programs: Iterable[Program], time_unit: Fraction) -> str:
    """Return the script; what takes `time_unit` on the platform takes a second in SimGrid.

    The platform is one in units. Raises RotaError where a program sends over a link that there is not, or
    computes on a node that only forwards.
    """
    programs = list(programs)
    per_unit = _bytes_per_unit(programs)
    number = {node.name: place for place, node in enumerate(platform.nodes)}
    lines = [
        # SimGrid's hosts have a speed, also those that never compute.
        f"host {_decimal(_FLOPS_PER_TASK * time_unit / (node.task or 1))}"
        for node in platform.nodes
    ]
    lines += [
        f"link {number[link.source]} {number[link.target]} {_decimal(per_unit * time_unit / link.cost)}"
        for link in platform.links
    ]
    counters: dict[Hashable, int] = {}
    for program in programs:
        _require_possible(platform, program)
        lines.append(f"actor {number[program.node]}")
        lines += _lines(program.steps, number, counters, per_unit)
    return "\n".join([*lines, ""])


def _bytes_per_unit(programs: Iterable[Program]) -> Fraction:
    sizes = (step.size for program in programs for step in program.steps if isinstance(step, Send))
    return _LARGEST_BYTES / max(sizes, default=Fraction(1))


def _lines(
    steps: Iterable[Step], number: Mapping[str, int], counters: dict[Hashable, int], per_unit: Fraction
) -> Iterator[str]:
    def place(counter: Hashable) -> int:
        return counters.setdefault(counter, len(counters))

    for step in steps:
        match step:
            case Wait(counter, amount):
                yield f"wait {place(counter)} {_decimal(amount)}"
            case Send(target, size):
                yield f"send {number[target]} {max(1, round(size * per_unit))}"
            case Receive(source, counter, amount):
                yield f"receive {number[source]} {place(counter)} {_decimal(amount)}"
            case Execute(tasks, counter, amount):
                yield f"execute {_decimal(tasks * _FLOPS_PER_TASK)} {place(counter)} {_decimal(amount)}"
            case Mark(which):
                yield f"mark {which}"


def _require_possible(platform: Platform, program: Program) -> None:
    for step in program.steps:
        if isinstance(step, Send):
            platform.link(program.node, step.target)
        elif isinstance(step, Receive):
            platform.link(step.source, program.node)
        elif isinstance(step, Execute) and platform.node(program.node).task is None:
            raise RotaError(f"{program.node} only forwards: it has no task's time")


def _decimal(value: Fraction | int) -> str:
    return f"{float(value):.17g}"
