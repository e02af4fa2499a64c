"""Collectives in SimGrid's SMPI: simulated time, at numbers of ranks that no test machine has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.library import smpi_bench_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rota.bench.names import Series

SELECTORS: Final = ("ompi", "mpich", "mvapich2", "impi")
"""SMPI's re-implementations of how these MPI libraries choose algorithms."""

BYTES_PER_S: Final = 1.25e9
"""What each host's link carries in each direction."""

_PLATFORM: Final = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="host" suffix="" radical="0-{last}" speed="1Gf"
           bw="1.25GBps" lat="2.5us" sharing_policy="SPLITDUPLEX"/>
</platform>
"""

# So that time is latency + bytes / rate, full duplex, and nothing depends on this machine. SMPI ends short
# sends early, synchronous ones too, unless it is told not to (send-is-detached).
_MODEL: Final = (
    "network/model:CM02",
    "network/crosstraffic:0",
    "network/TCP-gamma:0",
    "smpi/send-is-detached-thresh:0",
    "smpi/simulate-computation:no",
)

# The best size of blocks of 16 MiB by the linear model: sqrt(m * latency * rate / (q - 1)) is about this for
# all numbers of ranks.
_SETTINGS: Final = {"ROTA_BLOCK_BYTES": "131072"}


@dataclass(frozen=True)
class Point:
    """One collective over so many ranks, on `data_bytes` in all."""

    series: Series
    ranks: int
    size_bytes: int

    @property
    def limit_s(self) -> float:
        """The time that the fullest link needs, however the collective is done.

        Broadcast, reduce and scans: m bytes. Allgather and reduce-scatter: all but the least share.
        Allreduce: of 2 (p - 1) m bytes that p links send together, each its part.
        """
        others = (self.ranks - 1) / self.ranks
        match self.series.collective.reported_as:
            case "allgather" | "reduce_scatter":
                factor = others
            case "allreduce":
                factor = 2 * others
            case _:
                factor = 1.0
        return factor * self.size_bytes / BYTES_PER_S


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
            "collective": self.point.series.label,
            "ranks": self.point.ranks,
            "size_bytes": self.point.size_bytes,
            "limit_s": self.point.limit_s,
            "selectors": {selector: asdict(times) for selector, times in self.times.items()},
        }


def measure(point: Point, selector: str, *, fold_memory: bool = True) -> Times:
    """Simulate one call of each way, after one of each that warms up.

    With `fold_memory` the buffers of all ranks are the same pages: hundreds of ranks fit into memory, and
    results are meaningless. Without it they are checked. Raise RotaError if it cannot be done.
    """
    smpirun = shutil.which("smpirun")
    if smpirun is None:
        raise RotaError("smpirun is not on PATH: apt-get install simgrid libsimgrid-dev")
    with TemporaryDirectory(prefix="rota-smpi-") as folder:
        command = [smpirun, *_job(point.ranks, Path(folder)), *_options(selector, fold_memory=fold_memory)]
        program = [str(smpi_bench_path()), *(["unchecked"] if fold_memory else [])]
        done = subprocess.run(
            [*command, *program, point.series.word, f"{point.size_bytes}:1"],
            env={**os.environ, **_SETTINGS},
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


def _job(ranks: int, folder: Path) -> list[str]:
    platform, hosts = folder / "platform.xml", folder / "hosts"
    platform.write_text(_PLATFORM.format(last=ranks - 1))
    hosts.write_text("".join(f"host{rank}\n" for rank in range(ranks)))
    return ["-np", str(ranks), "-platform", str(platform), "-hostfile", str(hosts)]


def _options(selector: str, *, fold_memory: bool) -> list[str]:
    threshold = 256 * 1024 if fold_memory else 0
    options = (*_MODEL, f"smpi/coll-selector:{selector}", f"smpi/auto-shared-malloc-thresh:{threshold}")
    return [*(f"--cfg={option}" for option in options), "--log=root.thres:error"]
