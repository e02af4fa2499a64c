"""Träff 2024: Figures 1 and 2 in SimGrid's SMPI: native beside the paper's schedules and Rota's choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota.bench.fabric import FABRICS
from rota.bench.names import series_of
from rota.bench.paper import circulant_settings, paper_settings
from rota.bench.smpi import Point, measure
from rota.reproduce.beside import Part, Row, Verdict
from rota.reproduce.circulant_printed import FIGURE_1, FIGURE_2_DEGENERATE
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

SELECTOR: Final = "ompi"
"""The paper measures beside Open MPI."""

KIB: Final = 1024
SIZES: Final = (64 * KIB, 1024 * KIB, 16 * 1024 * KIB)
QUICK_SIZES: Final = (1024 * KIB,)


@dataclass(frozen=True)
class Setting:
    """A curve of a figure: a collective on so many hosts, with so many ranks each."""

    figure: int
    collective: str
    shape: str | None
    hosts: int
    per_host: int

    def point(self, size_bytes: int) -> Point:
        """Return what SMPI is asked."""
        series = series_of(self.collective, self.shape)
        return Point(series, self.hosts * self.per_host, size_bytes, FABRICS["10gbit"], self.per_host)


FIGURE_1_SETTINGS: Final = tuple(
    Setting(1, collective, None, 200, per_host) for per_host in (1, 4) for collective in ("bcast", "reduce")
)
FIGURE_2_SETTINGS: Final = tuple(
    Setting(2, "allgatherv", shape, 36, per_host)
    for per_host in (1, 4)
    for shape in ("regular", "irregular", "degenerate")
)
QUICK_SETTINGS: Final = (
    Setting(1, "bcast", None, 10, 1),
    Setting(1, "reduce", None, 5, 4),
    *(Setting(2, "allgatherv", shape, 9, 1) for shape in ("regular", "degenerate")),
)


@dataclass(frozen=True)
class Measured:
    """Simulated seconds: native, in blocks by the paper's rule, in the model's best, and by Rota's choice."""

    setting: Setting
    size_bytes: int
    native_s: float
    paper_s: float
    best_s: float
    rota_s: float

    def is_printed(self, hosts: int, size_bytes: int, shape: str | None = None) -> bool:
        """Return whether it is what the text speaks of: on so many hosts, large data, of that shape."""
        return (self.setting.hosts, self.size_bytes, self.setting.shape) == (hosts, size_bytes, shape)

    @property
    def improvement(self) -> float:
        """Native time over that of the paper's algorithm in the paper's blocks."""
        return self.native_s / self.paper_s


def measured(setting: Setting, size_bytes: int) -> Measured:
    """Simulate the three ways beside the native one."""
    point = setting.point(size_bytes)
    paper = measure(point, SELECTOR, settings=paper_settings(point.series, "paper"))
    best = measure(point, SELECTOR, settings=circulant_settings(point.series))
    chosen = measure(point, SELECTOR)
    return Measured(setting, size_bytes, paper.native_s, paper.rota_s, best.rota_s, chosen.rota_s)


def figure_parts(points: Sequence[Measured]) -> list[Part]:
    """Return Figures 1 and 2 of what was measured."""
    return [_figure_1(points), _figure_2(points)]


_HEADINGS: Final = (
    "",
    "ranks",
    "bytes",
    "native",
    "paper's blocks",
    "best blocks",
    "Rota",
    "native / paper's",
    "native / Rota",
)
_NATIVE: Final = (
    "Simulated time in SMPI, hosts on links of 10 Gbit/s, 5 us, and 10 GB/s within; native: SMPI's ompi"
    " selector, which is not the Open MPI that the paper measured; paper's blocks: F = 70, G = 40, found for"
    " the paper's machines; best blocks: by the linear model; Rota: its own choice, which knows hosts."
)


def _figure_1(points: Sequence[Measured]) -> Part:
    here = [point for point in points if point.setting.figure == 1]
    largest = max(point.size_bytes for point in here)
    rows = tuple(
        _row(point, FIGURE_1[point.setting.per_host] if point.is_printed(200, largest) else None)
        for point in here
    )
    return Part(
        "Figure 1",
        "broadcast and reduce, native beside the circulant schedules",
        _HEADINGS,
        rows,
        "for large data the new ones are more than 4 (1 rank a node) and 3 times (4) faster, on 200 nodes",
        (
            _NATIVE,
            "Left out: 200 x 128 ranks; 25600 simulated processes are more than SMPI keeps in this memory.",
        ),
    )


def _figure_2(points: Sequence[Measured]) -> Part:
    here = [point for point in points if point.setting.figure == 2]  # noqa: PLR2004 - the figure's number
    largest = max(point.size_bytes for point in here)
    rows = tuple(
        _row(point, _DEGENERATE if point.is_printed(36, largest, "degenerate") else None) for point in here
    )
    return Part(
        "Figure 2",
        "irregular allgathers, native beside the circulant schedules",
        _HEADINGS,
        rows,
        "the degenerate problem takes natively up to close to"
        f" {FIGURE_2_DEGENERATE:.0f} times as long; the new one's time hardly depends on the type",
        (
            _NATIVE,
            (
                "A degenerate problem holds here where native takes 5 times as long or more: how much, is a"
                " matter of how many ranks the native ring passes. Left out: 32 ranks a node, for 1 and 4."
            ),
        ),
    )


_DEGENERATE: Final = 5.0
"""Times that native takes, at least, where the paper's close to 100 are held to come out."""


def _row(point: Measured, least: float | None) -> Row:
    """Return a row; `least`: the improvement that the paper says of it, None where it says none."""
    setting = point.setting
    verdict = None
    if least is not None:
        verdict = Verdict.HOLDS if point.improvement > least else Verdict.DIFFERS
    series = setting.point(point.size_bytes).series
    return Row(
        (
            series.label,
            f"{setting.hosts} x {setting.per_host}",
            format_size(point.size_bytes),
            *(format_seconds(each) for each in (point.native_s, point.paper_s, point.best_s, point.rota_s)),
            f"{point.improvement:.2f}",
            f"{point.native_s / point.rota_s:.2f}",
        ),
        {
            "collective": series.label,
            "hosts": setting.hosts,
            "per_host": setting.per_host,
            "size_bytes": point.size_bytes,
            "native_s": point.native_s,
            "paper_blocks_s": point.paper_s,
            "best_blocks_s": point.best_s,
            "rota_s": point.rota_s,
        },
        verdict,
    )
