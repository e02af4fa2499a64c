"""Collectives in SimGrid's SMPI: simulated time, at numbers of ranks that no test machine has."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Self

from rota.bench.fabric import FABRICS, Fabric
from rota.bench.names import Series, series_of
from rota.errors import RotaError
from rota.library import smpi_bench_path

if TYPE_CHECKING:
    from collections.abc import Mapping

SELECTORS: Final = ("ompi", "mpich", "mvapich2", "impi")
"""SMPI's re-implementations of how these MPI libraries choose algorithms."""

_PROFILE: Final = "fabric.profile"


@dataclass(frozen=True)
class Point:
    """One collective over so many ranks, on so many bytes in all."""

    series: Series
    ranks: int
    size_bytes: int
    fabric: Fabric
    per_host: int = 1
    """Ranks of a host, next to each other."""

    @property
    def hosts(self) -> int:
        """How many hosts there are."""
        return -(-self.ranks // self.per_host)

    @property
    def limit_s(self) -> float:
        """The time that the fullest link needs, however the collective is done.

        Broadcast, reduce and scans: m bytes. Allgather and reduce-scatter: all but the least share.
        Allreduce: of 2 (p - 1) m bytes that p links send together, each its part.
        """
        return self._port_parts * self.size_bytes / self.fabric.bytes_per_s

    @property
    def least_s(self) -> float:
        """The least that rounds allow, one after the other, of alpha seconds and what a message takes.

        Where all of the data has one root (and in scans), n blocks take n - 1 + q rounds at least, for
        q = ceil(log2 p), so that the best n makes it (q - 1) alpha + T + 2 sqrt((q - 1) alpha T), where T is
        the limit (paper 1, Section 1). Where shares are all alike, q rounds carry no more than the limit,
        and an allreduce is a reduce-scatter and an allgather.
        """
        rounds = (self.ranks - 1).bit_length()
        alpha, limit_s = self.fabric.message_s, self.limit_s
        match self.series.collective.reported_as:
            case "allgather" | "reduce_scatter":
                return rounds * alpha + limit_s
            case "allreduce":
                return 2 * rounds * alpha + limit_s
            case _:
                blocks = max(1.0, math.sqrt((rounds - 1) * limit_s / alpha))
                return (blocks - 1 + rounds) * (alpha + limit_s / blocks)

    @property
    def _port_parts(self) -> float:
        others = (self.ranks - 1) / self.ranks
        match self.series.collective.reported_as:
            case "allgather" | "reduce_scatter":
                return others
            case "allreduce":
                return 2 * others
            case _:
                return 1.0


@dataclass(frozen=True)
class Times:
    """Simulated seconds of one call, of the slowest rank."""

    rota_s: float
    native_s: float


@dataclass(frozen=True)
class Row:
    """A point, and its times beside each selector."""

    point: Point
    times: Mapping[str, Times]

    @property
    def rota_s(self) -> float:
        """Rota's time: the longest, where they differ by the barrier in front of them."""
        return max(each.rota_s for each in self.times.values())

    def as_json(self) -> dict[str, Any]:
        """Return the row for a file."""
        return {
            **self.point.series.as_json(),
            "ranks": self.point.ranks,
            "size_bytes": self.point.size_bytes,
            "fabric": self.point.fabric.name,
            "limit_s": self.point.limit_s,
            "least_s": self.point.least_s,
            "selectors": {selector: asdict(times) for selector, times in self.times.items()},
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        series = series_of(line["collective"], line["shape"])
        point = Point(series, line["ranks"], line["size_bytes"], FABRICS[line["fabric"]])
        return cls(point, {selector: Times(**times) for selector, times in line["selectors"].items()})


def measure(
    point: Point, selector: str, *, fold_memory: bool = True, settings: Mapping[str, str] | None = None
) -> Times:
    """Simulate one call of each way, after one of each that warms up; `settings`: Rota's, ROTA_...

    With `fold_memory` the buffers of all ranks are the same pages: hundreds of ranks fit into memory, and
    results are meaningless. Without it they are checked. Raise RotaError if it cannot be done.
    """
    smpirun = shutil.which("smpirun")
    if smpirun is None:
        raise RotaError("smpirun is not on PATH: apt-get install simgrid libsimgrid-dev")
    with TemporaryDirectory(prefix="rota-smpi-") as folder:
        command = [
            smpirun,
            *_job(point, Path(folder)),
            *_options(point.fabric, selector, fold_memory=fold_memory),
        ]
        program = [str(smpi_bench_path()), *(["unchecked"] if fold_memory else [])]
        done = subprocess.run(
            [*command, *program, point.series.word, f"{point.size_bytes}:1"],
            env={**os.environ, "ROTA_PROFILE": _PROFILE, "ROTA_ADAPT": "off", **(settings or {})},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if done.returncode != 0 or line is None:
        why = next((line for line in done.stderr.splitlines() if line.strip()), "it printed no times")
        raise RotaError(f"SMPI did not run {point.series.label} on {point.ranks} ranks: {why}")
    found = json.loads(line)
    return Times(found["rota_seconds"][0], found["native_seconds"][0])


def _job(point: Point, folder: Path) -> list[str]:
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(point.fabric.platform(point.hosts))
    hosts.write_text("".join(f"host{rank // point.per_host}\n" for rank in range(point.ranks)))
    (folder / _PROFILE).write_text(point.fabric.profile(point.ranks, point.hosts))
    return ["-np", str(point.ranks), "-platform", str(platform), "-hostfile", str(hosts)]


def _options(fabric: Fabric, selector: str, *, fold_memory: bool) -> list[str]:
    threshold = 256 * 1024 if fold_memory else 0
    options = (
        *fabric.options,
        f"smpi/coll-selector:{selector}",
        f"smpi/auto-shared-malloc-thresh:{threshold}",
    )
    return [*(f"--cfg={option}" for option in options), "--log=root.thres:error"]
