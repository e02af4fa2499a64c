"""The collectives' benchmark: one job in which native and Rota alternate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from rota.bench.inter_group import series_in
from rota.bench.limits import Load, demands
from rota.bench.pairs import Pairs, Served, require_possible
from rota.bench.place import Place
from rota.errors import RotaError
from rota.lab.session import Link
from rota.launch import Job, own_job, own_words, with_environment
from rota.library import Abi, bench_path
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota.bench.names import Collective, Series
    from rota.bench.place import Site
    from rota.mpi_install import MpiInstall

# Short messages are ruled by process switching: only many pairs tell anything.
_PAIRS_UP_TO = ((4096, 100), (65536, 40), (1 << 20, 15))
_PAIRS_OF_LARGE = 5

OWN_CHOICE: Final = {"ROTA_ADAPT": "off"}
"""Settings by which Rota serves all that a schedule can, by the one it chooses."""


def forced(collective: str, algorithm: str) -> dict[str, str]:
    """Return the settings by which it serves a collective, by its name in them, by this algorithm."""
    return {"ROTA_ALGORITHM": f"{collective}={algorithm}", **OWN_CHOICE}


@dataclass(frozen=True)
class Experiment:
    """What is measured: a collective on these sizes, with this MPI."""

    abi: Abi
    series: Series
    pairs_of_size: Mapping[int, int]
    settings: Mapping[str, str] = field(default_factory=dict)
    """Rota's, beside those of the environment."""


@dataclass(frozen=True)
class Outcome:
    """What came out, size by size, and what the links carried."""

    experiment: Experiment
    place: Place
    links: tuple[Link, ...]
    results: tuple[Pairs, ...]

    @property
    def title(self) -> str:
        """What was measured, where and with what, in one line."""
        return f"{self.experiment.series.title} over {self.place.ranks_on_hosts}, {self.experiment.abi}"

    def as_json(self) -> dict[str, Any]:
        """Return the whole outcome; times in seconds, rates in bits per second."""
        return {
            **self.experiment.series.as_json(),
            "mpi": self.experiment.abi,
            **self.place.as_json(),
            "links": [vars(link) for link in self.links],
            "sizes": [pairs.as_json() for pairs in self.results],
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of; it does not say under which settings."""
        results = tuple(map(Pairs.of_json, line["sizes"]))
        wanted = {pairs.size_bytes: len(pairs.ratios) for pairs in results}
        experiment = Experiment(line["mpi"], series_in(line), wanted)
        return cls(experiment, Place.of_json(line), tuple(Link(**link) for link in line["links"]), results)


def default_pairs(size_bytes: int) -> int:
    """Return how many pairs a size needs for a steady median."""
    return next((pairs for limit, pairs in _PAIRS_UP_TO if size_bytes <= limit), _PAIRS_OF_LARGE)


# Of rank 0, whose machine may share no files with this one: it follows what the program prints.
_REPORT_FILE: Final = "/dev/stdout"
_START_OF_REPORT: Final = '{"ended_by"'


def measure(experiment: Experiment, site: Site) -> Outcome:
    """Run the experiment.

    Raise RotaError if the job fails, or if data arrived faster than a lab's links allow.
    """
    output = site.capture(job_of(experiment, site.install))
    if output.status != 0:
        raise RotaError(f"the benchmark ended with status {output.status}: {own_words(output.stderr)}")
    printed, start, report = output.stdout.partition(_START_OF_REPORT)
    served = served_by_call(json.loads(start + report) if start else {"calls": ()})
    lines = tuple(map(json.loads, own_lines(printed)))
    results = tuple(pairs_of(line, served, experiment.series.collective, site.place) for line in lines)
    for line, pairs in zip(lines, results, strict=True):
        require_possible(line["native_met_seconds"], pairs, experiment.series.title)
        require_possible(line["rota_met_seconds"], pairs, experiment.series.title)
    return Outcome(experiment, site.place, site.links, results)


def own_lines(printed: str) -> tuple[str, ...]:
    """Return the lines of JSON in what a job printed: a cluster's launcher may have words of its own."""
    return tuple(line for line in printed.splitlines() if line.startswith("{"))


def job_of(experiment: Experiment, install: MpiInstall | None = None) -> Job:
    """Return the job that measures, with this MPI if it is given, else with the preferred one."""
    abi = experiment.abi
    sizes = [f"{size_bytes}:{pairs}" for size_bytes, pairs in experiment.pairs_of_size.items()]
    job = own_job(abi, [str(bench_path(abi)), experiment.series.word, *sizes], install)
    return with_environment(job, {**experiment.settings, "ROTA_REPORT": _REPORT_FILE})


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
    line: Mapping[str, Any],
    served: Mapping[Call, tuple[Served, ...]],
    collective: Collective,
    place: Place,
) -> Pairs:
    """Return what a line of the measuring program says, with the limits of the links beside it."""
    data_bytes = line["data_bytes"]
    load = Load(data_bytes, line["share_bytes"], line["messages"])
    needed = demands(collective, load, place)
    return Pairs(
        line["bytes"],
        data_bytes,
        tuple(line["native_seconds"]),
        tuple(line["rota_seconds"]),
        tuple(line["native_processor_seconds"]),
        tuple(line["rota_processor_seconds"]),
        max((demand.seconds for demand in needed), default=0),
        max((demand.least_seconds for demand in needed if place.is_shaped), default=0),
        served.get(call_of(collective.reported_as, data_bytes), ()),
    )


def require_distinct(sizes_bytes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes; raise RotaError if there are none, one is too large, or one stands there twice."""
    twice = next((size for i, size in enumerate(sizes_bytes) if size in sizes_bytes[:i]), None)
    if twice is not None:
        raise RotaError(f"--sizes names {format_size(twice)} twice: name each size once")
    too_large = next((size for size in sizes_bytes if size >= 1 << 31), None)
    if too_large is not None:
        raise RotaError(f"--sizes: {format_size(too_large)} is too large: stay below 2 GiB")
    return tuple(sizes_bytes)
