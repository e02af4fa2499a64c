"""Whether a fresh installation loses anywhere: all calls of a cell together, with Rota over native."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from rota.bench.collectives import Experiment, job_of, measure
from rota.bench.names import Series, series_of
from rota.bench.pairs import Pairs, Served

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rota.bench.grid import GridSpec
    from rota.bench.place import Site
    from rota.launch import Job
    from rota.library import Abi
    from rota.mpi_install import MpiInstall

SIZES_BYTES: Final = (8, *(size << 10 for size in (1, 6, 24, 48, 96, 200, 300, 600, 1024, 1500, 4096, 16384)))
"""On both sides of every size from which on calls may be served by schedules, and off the powers of two."""

CALLS: Final = 50

_NATIVE_ALONE: Final = {"ROTA_OFF": "all"}


def total_ratio(pairs: Pairs) -> float:
    """Return the time of all Rota's calls over that of all native ones: seconds of the slowest rank."""
    return sum(pairs.rota_seconds) / sum(pairs.native_seconds)


@dataclass(frozen=True)
class Total:
    """All calls of a collective on one size, beside native ones: with Rota, and with Rota switched off.

    Of one job or more, which know nothing of each other. What takes a processor away for a moment may double
    a job's time: so it is the median of the jobs that counts.
    """

    series: Series
    with_rota: tuple[Pairs, ...]
    without: tuple[Pairs, ...]

    @property
    def size_bytes(self) -> int:
        """All the data of a call, as it was asked for."""
        return self.with_rota[0].size_bytes

    @property
    def ratio(self) -> float:
        """With Rota over native."""
        return statistics.median(map(total_ratio, self.with_rota))

    @property
    def noise(self) -> float:
        """Native calls beside native calls: what a ratio is where nothing differs."""
        return statistics.median(map(total_ratio, self.without))

    @property
    def served(self) -> str:
        """What served calls with Rota in the first job, the most frequent first."""
        return "; ".join(map(str, self.with_rota[0].served)) or "not reported"

    def as_json(self) -> dict[str, Any]:
        """Return what a file says of it: every time, and what follows."""
        return {
            **self.series.as_json(),
            "size_bytes": self.size_bytes,
            "ratio": self.ratio,
            "native_beside_native": self.noise,
            "served": self.served,
            "with_rota": list(map(_times_of, self.with_rota)),
            "without": list(map(_times_of, self.without)),
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of, of its jobs what that says."""
        series, size_bytes = series_of(line["collective"], line["shape"]), line["size_bytes"]
        with_rota, without = (
            tuple(_job_of(size_bytes, job) for job in line[side]) for side in ("with_rota", "without")
        )
        return cls(series, with_rota, without)


def _times_of(job: Pairs) -> dict[str, Any]:
    return {
        "rota_seconds": job.rota_seconds,
        "native_seconds": job.native_seconds,
        "served": [asdict(served) for served in job.served],
    }


def _job_of(size_bytes: int, job: Mapping[str, Any]) -> Pairs:
    native, rota = tuple(job["native_seconds"]), tuple(job["rota_seconds"])
    served = tuple(Served(**each) for each in job["served"])
    return Pairs(size_bytes, size_bytes, native, rota, (), (), 0, 0, served)


@dataclass(frozen=True)
class Summary:
    """Of all cells: the median and the worst, and the same of native calls beside native ones."""

    median: float
    worst: float
    noise_median: float
    noise_worst: float

    @property
    def text(self) -> str:
        """The summary in one line."""
        return (
            f"total time, Rota over native: {self.median:.3f} in the median cell,"
            f" {self.worst:.2f} in the worst; native over native: {self.noise_median:.3f}"
            f" and {self.noise_worst:.2f}"
        )


def summary_of(totals: Sequence[Total]) -> Summary:
    """Return what all cells say together."""
    ratios = [total.ratio for total in totals]
    noises = [total.noise for total in totals]
    return Summary(statistics.median(ratios), max(ratios), statistics.median(noises), max(noises))


def jobs_of_row(
    abi: Abi, pairs_of_size: Mapping[int, int], series: Series, install: MpiInstall | None
) -> tuple[Job, Job]:
    """Return the jobs of a row: of a fresh installation, and one in which Rota leaves all to native."""
    return (
        job_of(Experiment(abi, series, pairs_of_size), install),
        job_of(Experiment(abi, series, pairs_of_size, _NATIVE_ALONE), install),
    )


def measured_totals(
    spec: GridSpec, rows: Sequence[Series], jobs: int, site: Site
) -> Iterator[tuple[Total, ...]]:
    """Measure row by row: jobs of a fresh installation, in turn with those in which Rota is off."""
    for series in rows:
        with_rota, without = [], []
        for _ in range(jobs):
            with_rota.append(measure(spec.experiment(series), site).results)
            without.append(measure(spec.experiment(series, _NATIVE_ALONE), site).results)
        by_size = zip(zip(*with_rota, strict=True), zip(*without, strict=True), strict=True)
        yield tuple(Total(series, rotas, natives) for rotas, natives in by_size)
