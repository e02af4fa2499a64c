"""The collectives' benchmark in the lab: one job in which native and Rota alternate."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rota.bench.pairs import Pairs, Served, require_possible
from rota.errors import RotaError
from rota.launch import Job, native_job_with, with_environment
from rota.library import Abi, bench_path, engine_path
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.lab import Lab, LabSpec, Link

# Short messages are ruled by process switching: only many pairs tell anything.
_PAIRS_UP_TO = ((4096, 100), (65536, 40), (1 << 20, 15))
_PAIRS_OF_LARGE = 5


@dataclass(frozen=True)
class Experiment:
    """What is measured: broadcasts of these sizes over these hosts, with this MPI."""

    spec: LabSpec
    abi: Abi
    sizes_bytes: tuple[int, ...]
    pairs: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What came out, size by size, and what the links carried."""

    experiment: Experiment
    links: tuple[Link, ...]
    results: tuple[Pairs, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the whole outcome; times in seconds, rates in bits per second."""
        spec = self.experiment.spec
        return {
            "collective": "bcast",
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
        output = lab.capture(with_environment(_job(experiment), {"ROTA_REPORT": str(report)}))
        if output.status != 0:
            last = (output.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise RotaError(f"the benchmark ended with status {output.status}: {last}")
        served = _served_by_size(json.loads(report.read_text()))
    rate = experiment.spec.slowest_bits_per_s
    results = tuple(_pairs(json.loads(line), served, rate) for line in output.stdout.splitlines())
    for pairs in results:
        require_possible(pairs, rate)
    return Outcome(experiment, lab.links, results)


def _job(experiment: Experiment) -> Job:
    jobs = [f"{size}:{experiment.pairs or default_pairs(size)}" for size in experiment.sizes_bytes]
    job = native_job_with(experiment.abi, [str(bench_path(experiment.abi)), "bcast", *jobs])
    paths = (str(engine_path(experiment.abi).parent), job.rank_environment["LD_LIBRARY_PATH"])
    return with_environment(job, {"LD_LIBRARY_PATH": ":".join(paths)})


def _served_by_size(report: dict[str, Any]) -> dict[int, Served]:
    return {
        int(call["bytes"]): Served(call["schedule"], call["blocks"], call["rounds"], call["reason"])
        for call in report["calls"]
    }


def _pairs(line: dict[str, Any], served: dict[int, Served], rate_bits_per_s: float) -> Pairs:
    size = line["bytes"]
    return Pairs(
        size,
        tuple(line["native_seconds"]),
        tuple(line["rota_seconds"]),
        size * 8 / rate_bits_per_s,
        served[size],
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
