"""The collectives' benchmark in the lab: one job in which native and Rota alternate."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rota.bench.limits import Load, demands
from rota.bench.pairs import Pairs, Served, require_possible
from rota.errors import RotaError
from rota.launch import Job, own_job, own_words, with_environment
from rota.library import Abi, bench_path
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota.bench.names import Series
    from rota.lab import Lab, LabSpec, Link

# Short messages are ruled by process switching: only many pairs tell anything.
_PAIRS_UP_TO = ((4096, 100), (65536, 40), (1 << 20, 15))
_PAIRS_OF_LARGE = 5


@dataclass(frozen=True)
class Experiment:
    """What is measured: a collective on these sizes over these hosts, with this MPI."""

    spec: LabSpec
    abi: Abi
    series: Series
    pairs_of_size: Mapping[int, int]
    settings: Mapping[str, str] = field(default_factory=dict)
    """Rota's, beside those of the environment."""

    @property
    def title(self) -> str:
        """What is measured, where and with what, in one line."""
        return f"{self.series.title} over {self.spec.ranks} ranks on {self.spec.hosts} hosts, {self.abi}"


@dataclass(frozen=True)
class Outcome:
    """What came out, size by size, and what the links carried."""

    experiment: Experiment
    links: tuple[Link, ...]
    results: tuple[Pairs, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the whole outcome; times in seconds, rates in bits per second."""
        spec = self.experiment.spec
        series = self.experiment.series
        return {
            "collective": series.collective.mpi_name,
            "shape": series.shape,
            "mpi": self.experiment.abi,
            "hosts": spec.hosts,
            "per_host": spec.per_host,
            "links": [vars(link) for link in self.links],
            "sizes": [pairs.as_json() for pairs in self.results],
        }


def default_pairs(size_bytes: int) -> int:
    """Return how many pairs a size needs for a steady median."""
    return next((pairs for limit, pairs in _PAIRS_UP_TO if size_bytes <= limit), _PAIRS_OF_LARGE)


def measure(experiment: Experiment, lab: Lab) -> Outcome:
    """Run the experiment in a lab.

    Raise RotaError if the job fails, or if data arrived faster than the links allow.
    """
    with tempfile.TemporaryDirectory(prefix="rota-bench-") as scratch:
        report = Path(scratch) / "report.json"
        output = lab.capture(
            with_environment(_job(experiment), {**experiment.settings, "ROTA_REPORT": str(report)})
        )
        if output.status != 0:
            raise RotaError(f"the benchmark ended with status {output.status}: {own_words(output.stderr)}")
        served = served_by_call(json.loads(report.read_text()))
    lines = map(json.loads, output.stdout.splitlines())
    results = tuple(pairs_of(line, served, experiment) for line in lines)
    for pairs in results:
        require_possible(pairs, experiment.series.title)
    return Outcome(experiment, lab.links, results)


@dataclass(frozen=True, order=True)
class Call:
    """What calls have in common that are one group of the report: name, and bytes from this to twice it."""

    collective: str
    size_class_bytes: int


def call_of(collective: str, data_bytes: int) -> Call:
    """Return the group that a call belongs to."""
    return Call(collective, 1 << data_bytes.bit_length() - 1 if data_bytes else 0)


def served_by_call(report: Mapping[str, Any]) -> dict[Call, tuple[Served, ...]]:
    """Return what served each group of calls, the most frequent first."""
    served: dict[Call, tuple[Served, ...]] = {}
    for line in sorted(report["calls"], key=lambda line: line["calls"], reverse=True):
        call = Call(line["collective"], line["size_class_bytes"])
        each = Served(line["schedule"], line["blocks"], line["rounds"], line["reason"])
        served[call] = (*served.get(call, ()), each)
    return served


def pairs_of(
    line: Mapping[str, Any], served: Mapping[Call, tuple[Served, ...]], experiment: Experiment
) -> Pairs:
    """Return what a line of the measuring program says, with the limits of the links beside it."""
    collective = experiment.series.collective
    data_bytes = line["data_bytes"]
    load = Load(data_bytes, line["share_bytes"], line["messages"])
    needed = demands(collective, load, experiment.spec)
    return Pairs(
        line["bytes"],
        data_bytes,
        tuple(line["native_seconds"]),
        tuple(line["rota_seconds"]),
        tuple(line["native_processor_seconds"]),
        tuple(line["rota_processor_seconds"]),
        max((demand.seconds for demand in needed), default=0),
        max((demand.least_seconds for demand in needed), default=0),
        served.get(call_of(collective.reported_as, data_bytes), ()),
    )


def _job(experiment: Experiment) -> Job:
    sizes = [f"{size_bytes}:{pairs}" for size_bytes, pairs in experiment.pairs_of_size.items()]
    return own_job(experiment.abi, [str(bench_path(experiment.abi)), experiment.series.word, *sizes])


def require_distinct(sizes_bytes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes; raise RotaError if there are none, one is too large, or one stands there twice."""
    twice = next((size for i, size in enumerate(sizes_bytes) if size in sizes_bytes[:i]), None)
    if twice is not None:
        raise RotaError(f"--sizes names {format_size(twice)} twice: name each size once")
    too_large = next((size for size in sizes_bytes if size >= 1 << 31), None)
    if too_large is not None:
        raise RotaError(f"--sizes: {format_size(too_large)} is too large: stay below 2 GiB")
    return tuple(sizes_bytes)
