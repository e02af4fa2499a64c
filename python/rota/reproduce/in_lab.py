"""Papers' algorithms under a real MPI library over the lab's hosts: each beside the library's own.

A paper's claim here is one of order: its algorithm takes less than what it is compared with. That can be
asked on any network; the papers' factors are their machines'.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Self

from rota.bench.collectives import Experiment, measure
from rota.bench.inter_group import series_in
from rota.reproduce.beside import Part, Row, Verdict
from rota.units import format_seconds, format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rota.bench.collectives import Outcome
    from rota.bench.names import Series
    from rota.bench.pairs import Pairs
    from rota.bench.place import Place, Site
    from rota.library import Abi

NATIVE: Final = "native"
PAIRS: Final = 5
_NOISE: Final = 1.05
"""Times that lie this near to each other are held to be alike."""


@dataclass(frozen=True)
class Curve:
    """A collective on some sizes, and the ways that are measured: Rota's settings by their names."""

    series: Series
    sizes_bytes: tuple[int, ...]
    ways: Mapping[str, Mapping[str, str]]
    first: str
    """The way that is the paper's."""
    others: tuple[str, ...] = (NATIVE,)
    """What the paper says that takes longer, or as long."""


@dataclass(frozen=True)
class Figure:
    """A figure's, or table's, curves."""

    number: str
    title: str
    curves: tuple[Curve, ...]
    printed: str
    notes: tuple[str, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways of its curves, which all have the same."""
        return tuple(self.curves[0].ways)


@dataclass(frozen=True)
class Times:
    """Medians in seconds of one size: the library's own, each way's, and what the busiest link needs."""

    series: Series
    data_bytes: int
    native_s: float
    link_s: float
    ways_s: Mapping[str, float] = field(default_factory=dict)
    blocks: Mapping[str, int] = field(default_factory=dict)
    """In which each way cut the data of one root or share, where one schedule served all calls."""

    def seconds(self, way: str) -> float:
        """Return a way's time, or the library's own."""
        return self.native_s if way == NATIVE else self.ways_s[way]

    def as_json(self) -> dict[str, Any]:
        """Return everything."""
        return {
            **self.series.as_json(),
            "size_bytes": self.data_bytes,
            "link_s": self.link_s,
            "native_s": self.native_s,
            "seconds": dict(self.ways_s),
            "blocks": dict(self.blocks),
        }

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        facts = (line[key] for key in ("size_bytes", "native_s", "link_s", "seconds", "blocks"))
        return cls(series_in(line), *facts)


def curves_in(parts: Sequence[Mapping[str, Any]]) -> list[list[Times]]:
    """Return the curves of which `part_of` has made these parts, as JSON has them, one after the other."""
    return [
        list(curve)
        for part in parts
        for _, curve in groupby(map(Times.of_json, part["rows"]), key=lambda times: times.series)
    ]


def measured(curve: Curve, abi: Abi, site: Site) -> list[Times]:
    """Measure a curve: a job for each way, in which it and the library's own take turns.

    The library's own time is the median over the first way's job.
    """
    pairs = dict.fromkeys(curve.sizes_bytes, PAIRS)
    outcomes = {
        name: measure(Experiment(abi, curve.series, pairs, settings), site)
        for name, settings in curve.ways.items()
    }
    return [_times(curve.series, place, outcomes) for place in range(len(curve.sizes_bytes))]


def _times(series: Series, place: int, outcomes: Mapping[str, Outcome]) -> Times:
    found: dict[str, Pairs] = {name: outcome.results[place] for name, outcome in outcomes.items()}
    first = next(iter(found.values()))
    has_blocks = series.collective.reported_as != "alltoall"
    return Times(
        series,
        first.data_bytes,
        first.native_median,
        first.link_seconds,
        {name: pairs.rota_median for name, pairs in found.items()},
        {
            name: pairs.served[0].blocks
            for name, pairs in found.items()
            if has_blocks and len(pairs.served) == 1
        },
    )


def title_of(paper: str, abi: str, place: Place) -> str:
    """Return the title of a picture: the paper's, and below it with which library and where that was."""
    return f"{paper}\n{abi}, {place.words}"


def part_of(figure: Figure, found: Sequence[Sequence[Times]], where: str) -> Part:
    """Return what was measured of a figure's curves; the verdict is on each curve's largest size."""
    rows = [
        _row(curve, times, is_judged=times is curve_times[-1])
        for curve, curve_times in zip(figure.curves, found, strict=True)
        for times in curve_times
    ]
    return Part(
        figure.number,
        f"{figure.title}, {where}",
        ("", "bytes", "link's limit", NATIVE, *figure.ways, "native / paper's"),
        tuple(rows),
        figure.printed,
        figure.notes,
    )


def _row(curve: Curve, times: Times, *, is_judged: bool) -> Row:
    first_s = times.seconds(curve.first)
    holds = all(first_s <= times.seconds(other) * _NOISE for other in curve.others)
    verdict = Verdict.HOLDS if holds else Verdict.DIFFERS
    return Row(
        (
            curve.series.label,
            format_size(times.data_bytes),
            format_seconds(times.link_s),
            format_seconds(times.native_s),
            *(_words(times, way) for way in curve.ways),
            f"{times.native_s / first_s:.2f}",
        ),
        times.as_json(),
        verdict if is_judged else None,
    )


def _words(times: Times, way: str) -> str:
    blocks = times.blocks.get(way, 0)
    return format_seconds(times.ways_s[way]) + (f", n = {blocks}" if blocks > 1 else "")
