"""``rota bench schedules``: computing schedules, beside the paper's algorithms as they are printed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from rota._core import time_circulant_schedules
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota._core import ScheduleTimes

# Träff 2024, Table 4; its first range begins with 1, for which there is no schedule.
RANGES: Final = (
    range(2, 17_001),
    range(16_000, 33_001),
    range(64_000, 73_001),
    range(131_000, 140_001),
    range(262_000, 267_001),
    range(524_000, 529_001),
    range(1_048_000, 1_050_001),
    range(2_097_000, 2_099_001),
)


@dataclass(frozen=True)
class RangeTimes:
    """Medians over some p of one range: microseconds per rank, and the printed algorithms' time over each."""

    first: int
    last: int
    samples: int
    straightforward_us: float
    one_by_one_us: float
    all_us: float
    all_written_us: float
    all_read_us: float
    one_by_one_ratio: float
    all_ratio: float
    all_written_ratio: float
    all_read_ratio: float


def schedules(
    samples: Annotated[int, typer.Option(min=1, help="How many p to measure of each range.")] = 9,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the table to this file.")] = None,
) -> None:
    """Measure the computation of both schedules of all ranks, for the ranges of p of the paper's Table 4.

    Every p is measured in all ways one after the other; ratios are taken p by p. "printed" is the paper's
    algorithms as they are printed, "one rank" Rota's functions of single ranks. "all" computes all ranks
    at once, "written" also copies the send rows, "read" instead reads every block, rank by rank.
    """
    if json_file and not json_file.absolute().parent.is_dir():
        raise RotaError(
            f"there is no folder {json_file.absolute().parent} to write {json_file.name} into: make it first"
        )
    notes = Console(stderr=True)
    outcome = [
        measure(counts, samples)
        for counts in track(RANGES, "measuring", console=notes, disable=not notes.is_terminal)
    ]
    Console(highlight=False).print(_table(outcome))
    if json_file:
        json_file.write_text(json.dumps([asdict(times) for times in outcome], indent=1) + "\n")


def measure(counts: range, samples: int) -> RangeTimes:
    """Measure evenly spread p of one range."""
    step = max(len(counts) // samples, 1)
    times = [time_circulant_schedules(ranks) for ranks in counts[step // 2 :: step][:samples]]

    def us(seconds: Callable[[ScheduleTimes], float]) -> float:
        return median(seconds(each) / each.ranks for each in times) * 1e6

    def ratio(seconds: Callable[[ScheduleTimes], float]) -> float:
        return median(each.straightforward_s / seconds(each) for each in times)

    return RangeTimes(
        first=counts[0],
        last=counts[-1],
        samples=len(times),
        straightforward_us=us(lambda each: each.straightforward_s),
        one_by_one_us=us(lambda each: each.one_by_one_s),
        all_us=us(lambda each: each.all_s),
        all_written_us=us(lambda each: each.all_written_s),
        all_read_us=us(lambda each: each.all_read_s),
        one_by_one_ratio=ratio(lambda each: each.one_by_one_s),
        all_ratio=ratio(lambda each: each.all_s),
        all_written_ratio=ratio(lambda each: each.all_written_s),
        all_read_ratio=ratio(lambda each: each.all_read_s),
    )


def _table(outcome: list[RangeTimes]) -> Table:
    table = Table(title="Both schedules of one rank, in ns, and how many times faster", title_justify="left")
    for heading in ("p", "printed", "one rank", "all", "written", "read"):
        table.add_column(heading, justify="right", no_wrap=True)
    for times in outcome:
        table.add_row(
            f"{times.first}..{times.last}",
            f"{times.straightforward_us * 1e3:.0f}",
            _cell(times.one_by_one_us, times.one_by_one_ratio, decimals=1),
            _cell(times.all_us, times.all_ratio),
            _cell(times.all_written_us, times.all_written_ratio),
            _cell(times.all_read_us, times.all_read_ratio),
        )
    return table


def _cell(us: float, ratio: float, decimals: int = 0) -> str:
    return f"{us * 1e3:.{1 - decimals}f} {ratio:.{decimals}f}x"
