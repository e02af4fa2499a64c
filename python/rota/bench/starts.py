"""Calls that return at once, and one that is set up once: what is hidden, and what a start takes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from rota.bench.collectives import own_lines
from rota.bench.place import Place
from rota.errors import RotaError
from rota.launch import Job, own_job, own_words
from rota.library import Abi, starts_path
from rota.vocabulary import option_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota.bench.place import Site
    from rota.mpi_install import MpiInstall

Library = Literal["native", "rota"]
LIBRARIES: Final[tuple[Library, ...]] = ("native", "rota")
NAMES: Final = {"native": "native", "rota": "Rota"}
"""Of both, for people."""
Between = Literal["tested", "alone"]


@dataclass(frozen=True)
class Starts:
    """What one collective took: of each way, ``native_waited`` and its like, seconds call by call."""

    collective: str
    seconds: Mapping[str, Sequence[float]]

    @property
    def label(self) -> str:
        """The word that names the collective to people: ``reduce-scatter-block``."""
        return option_word(self.collective)

    def median(self, library: Library, way: str) -> float:
        """Return the median in seconds of a way of calling it."""
        return median(self.seconds[f"{library}_{way}"])

    def hidden(self, library: Library, between: Between) -> float:
        """Return the share of the communication that took no time of its own, the median call's.

        1: all took as long as the computation; 0: communication and computation came one after the other.
        Below 0: they took even longer.
        """
        alone = self.median(library, "waited")
        took = self.seconds[f"{library}_{between}"]
        computed = self.seconds[f"{library}_computed_{between}"]
        return median(1 - (all_ - of_it) / alone for all_, of_it in zip(took, computed, strict=True))


@dataclass(frozen=True)
class StartsOutcome:
    """What came out, collective by collective."""

    abi: Abi
    place: Place
    size_bytes: int
    results: tuple[Starts, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything; times in seconds."""
        return {
            "mpi": self.abi,
            **self.place.as_json(),
            "bytes": self.size_bytes,
            "collectives": [
                {"collective": each.collective, **{way: list(took) for way, took in each.seconds.items()}}
                for each in self.results
            ],
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        results = tuple(map(_starts_of, line["collectives"]))
        return cls(line["mpi"], Place.of_json(line), line["bytes"], results)


@dataclass(frozen=True)
class StartsExperiment:
    """`what`: overlap or persistent; so many bytes of all ranks together, or of an allreduce's operand."""

    abi: Abi
    what: Literal["overlap", "persistent"]
    size_bytes: int
    times: int

    def job(self, install: MpiInstall | None = None) -> Job:
        """Return the job that measures, with this MPI if it is given, else with the preferred one."""
        words = (self.what, str(self.size_bytes), str(self.times))
        return own_job(self.abi, [str(starts_path(self.abi)), *words], install)


def measure_starts(experiment: StartsExperiment, site: Site) -> StartsOutcome:
    """Run the experiment; raise RotaError if the job fails."""
    output = site.capture(experiment.job(site.install))
    if output.status != 0:
        raise RotaError(f"the benchmark ended with status {output.status}: {own_words(output.stderr)}")
    results = tuple(_starts_of(json.loads(line)) for line in own_lines(output.stdout))
    return StartsOutcome(experiment.abi, site.place, experiment.size_bytes, results)


def _starts_of(line: Mapping[str, Any]) -> Starts:
    return Starts(line["collective"], {way: took for way, took in line.items() if way != "collective"})
