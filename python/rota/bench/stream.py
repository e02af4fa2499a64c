"""Streams by plans in the lab: predicted, measured, and beside a loop of native collectives."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.launch import own_job, own_words
from rota.library import Abi, stream_path
from rota.platforms import Link, Node, Platform
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.period import short_period
from rota.steady.plan import Plan, planned
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.series import Kind
from rota.steady.timetable import timetable_of

if TYPE_CHECKING:
    from rota.lab import Lab, LabSpec
    from rota.steady.series import Series

_COMBINED_BYTES_PER_S: Final = 10**9
"""How fast a rank of the lab adds integers, roughly: next to its links, nothing."""


@dataclass(frozen=True)
class StreamExperiment:
    """Operations of one kind among all hosts of a lab, one rank each."""

    spec: LabSpec
    abi: Abi
    kind: Kind
    root: int
    message_bytes: int
    loss: Fraction
    """The share of the throughput that a shorter period may cost."""

    @cached_property
    def plan(self) -> Plan:
        """The plan for the rates that the links were asked for; its time unit is a second."""
        platform = platform_of(self.spec, self.message_bytes)
        series = series_among(platform, self.kind, self.root)
        best = planned(platform, series)
        return planned(platform, series, short_period(best.ways, self.loss))


@dataclass(frozen=True)
class StreamOutcome:
    """What came out, stream by stream and loop by loop.

    `over_seconds`: after how long each operation of a stream was over.
    """

    experiment: StreamExperiment
    looped: int
    over_seconds: tuple[tuple[float, ...], ...]
    loop_seconds: tuple[float, ...]

    @property
    def full(self) -> float:
        """Operations a second while the platform is full, the median stream's.

        That is from when the first period's operations are over to when the last ones begin.
        """
        plan = self.experiment.plan
        first, last = plan.operations, len(self.over_seconds[0]) - plan.operations * (plan.depth - 1)
        return median((last - first) / (over[last - 1] - over[first - 1]) for over in self.over_seconds)

    @property
    def from_start_to_end(self) -> float:
        """Operations a second from an empty platform to an empty one, the median stream's."""
        return median(len(over) / over[-1] for over in self.over_seconds)

    @property
    def promised(self) -> float:
        """The same as the plan has it: filling and emptying take a period less than operations do."""
        plan, operations = self.experiment.plan, len(self.over_seconds[0])
        return operations / float((Fraction(operations, plan.operations) + plan.depth - 1) * plan.period)

    @property
    def in_a_loop(self) -> float:
        """Native operations a second, the median loop's."""
        return self.looped / median(self.loop_seconds)

    def as_json(self) -> dict[str, Any]:
        """Return everything; throughputs in operations a second."""
        experiment, plan = self.experiment, self.experiment.plan
        return {
            "kind": experiment.kind.value,
            "root": experiment.root,
            "mpi": experiment.abi,
            "rates_bits_per_s": list(experiment.spec.rates_bits_per_s),
            "message_bytes": experiment.message_bytes,
            "predicted": str(plan.throughput),
            "bound": str(plan.bound),
            "operations_per_period": plan.operations,
            "depth": plan.depth,
            "over_seconds": [list(over) for over in self.over_seconds],
            "looped": self.looped,
            "loop_seconds": list(self.loop_seconds),
        }


def platform_of(spec: LabSpec, message_bytes: int) -> Platform:
    """Return a lab's platform for messages of that size, in seconds.

    A message between two hosts takes what the slower of their links takes: for as long, the ports of both are
    busy.
    """
    rates = spec.rates_bits_per_s
    names = [f"host{number}" for number in range(spec.hosts)]
    nodes = tuple(Node(name, Fraction(message_bytes, _COMBINED_BYTES_PER_S)) for name in names)
    links = tuple(
        Link(names[a], names[b], Fraction(8 * message_bytes, min(rates[a], rates[b])))
        for a in range(spec.hosts)
        for b in range(spec.hosts)
        if a != b
    )
    return Platform(nodes, links, name="lab")


def series_among(platform: Platform, kind: Kind, root: int) -> Series:
    """Return a series among all nodes; raise RotaError where there is no such root."""
    names = [node.name for node in platform.nodes]
    if not 0 <= root < len(names):
        raise RotaError(f"--root {root} is no host: hosts are 0 to {len(names) - 1}")
    others = [name for name in names if name != names[root]]
    match kind:
        case Kind.SCATTER:
            return series_of_scatters(platform, names[root], others)
        case Kind.ALL_TO_ALL:
            return series_of_all_to_alls(platform, names)
        case Kind.REDUCE:
            return series_of_reduces(platform, names, names[root])
        case Kind.BROADCAST:
            return series_of_broadcasts(platform, names[root], others)


def measure_stream(
    experiment: StreamExperiment, lab: Lab, operations: int, looped: int, rounds: int
) -> StreamOutcome:
    """Stream and loop alternately, so many times; raise RotaError if the job fails."""
    with tempfile.TemporaryDirectory(prefix="rota-bench-") as scratch:
        timetable = Path(scratch) / "timetable"
        timetable.write_text(timetable_of(experiment.plan).text)
        numbers = (experiment.message_bytes, operations, looped, rounds)
        words = (experiment.kind.value, str(experiment.root), str(timetable), *map(str, numbers))
        output = lab.capture(own_job(experiment.abi, (str(stream_path(experiment.abi)), *words)))
    if output.status != 0:
        raise RotaError(f"the stream ended with status {output.status}: {own_words(output.stderr)}")
    found = json.loads(output.stdout.splitlines()[-1])
    streams = tuple(tuple(over) for over in found["streams"])
    return StreamOutcome(experiment, looped, streams, tuple(found["loops"]))
