"""``rota bench schedules``: computing schedules, beside the papers' algorithms as they are printed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.table import Table

from rota._core import time_circulant_schedules, time_preparation
from rota.commands.output import JsonFile, print_table, require_folders, tracked, write_measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota._core import PreparationTimes, ScheduleTimes

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
# Sanders, Speck, Träff 2009, Table 1.
PREPARED: Final = (100, 1_000, 10_000, 100_000, 1_000_000)


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


@dataclass(frozen=True)
class Preparation:
    """Medians for one p: microseconds until a rank is ready; all ranks' parts computed, or only its own."""

    ranks: int
    samples: int
    colored_trees_us: float
    circulant_schedules_us: float
    two_tree_rank_us: float
    circulant_rank_us: float
    two_tree_ratio: float
    circulant_ratio: float


def schedules(
    samples: Annotated[int, typer.Option(min=1, help="How many p to measure of each range.")] = 9,
    json_file: JsonFile = None,
) -> None:
    """Measure the computation of schedules beside the papers' algorithms as they are printed.

    First both circulant schedules of all ranks, for the ranges of p of the paper's Table 4. Every p is
    measured in all ways one after the other; ratios are taken p by p. "printed" is the paper's
    algorithms as they are printed, "one rank" Rota's functions of single ranks. "all" computes all ranks
    at once, "written" also copies the send rows, "read" instead reads every block, rank by rank.

    Then what a rank computes before its first broadcast on two trees and on the circulant graph, for the p of
    Table 1 of the two-tree paper: the parts of all ranks, as there, or Rota's own part alone.
    """
    require_folders(json_file)
    ranges = [measure(counts, samples) for counts in tracked(RANGES, "measuring")]
    prepared = [prepare(ranks, samples) for ranks in tracked(PREPARED, "measuring")]
    print_table(_table(ranges), json_file)
    print_table(_preparation_table(prepared), json_file)
    if json_file:
        outcome = {
            "schedules": [asdict(times) for times in ranges],
            "preparation": [asdict(times) for times in prepared],
        }
        write_measured(json_file, outcome)


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


def prepare(ranks: int, samples: int) -> Preparation:
    """Measure what a rank among `ranks` computes before its first broadcast."""
    times = [time_preparation(ranks) for _ in range(samples)]

    def us(seconds: Callable[[PreparationTimes], float]) -> float:
        return median(map(seconds, times)) * 1e6

    return Preparation(
        ranks=ranks,
        samples=samples,
        colored_trees_us=us(lambda each: each.colored_trees_s),
        circulant_schedules_us=us(lambda each: each.circulant_schedules_s),
        two_tree_rank_us=us(lambda each: each.two_tree_rank_s),
        circulant_rank_us=us(lambda each: each.circulant_rank_s),
        two_tree_ratio=median(each.colored_trees_s / each.two_tree_rank_s for each in times),
        circulant_ratio=median(each.circulant_schedules_s / each.circulant_rank_s for each in times),
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


def _preparation_table(outcome: list[Preparation]) -> Table:
    table = Table(
        title="Before a rank's first broadcast, in µs, and how many times faster", title_justify="left"
    )
    for heading in ("p", "two trees, all", "one rank", "circulant, all", "one rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    for times in outcome:
        table.add_row(
            str(times.ranks),
            f"{times.colored_trees_us:.1f}",
            f"{times.two_tree_rank_us:.3f} {times.two_tree_ratio:.0f}x",
            f"{times.circulant_schedules_us:.1f}",
            f"{times.circulant_rank_us:.3f} {times.circulant_ratio:.0f}x",
        )
    return table


def _cell(us: float, ratio: float, decimals: int = 0) -> str:
    return f"{us * 1e3:.{1 - decimals}f} {ratio:.{decimals}f}x"
