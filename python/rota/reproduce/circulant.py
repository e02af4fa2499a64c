"""Träff 2024: Tables 1 to 4, as printed and as they come out here; figures_circulant has the figures."""

from __future__ import annotations

from dataclasses import asdict
from statistics import fmean
from typing import TYPE_CHECKING, Final

from rota._core import circulant_schedules, time_constructions
from rota.reproduce.beside import Part, Row, Verdict
from rota.reproduce.circulant_printed import SCHEDULES, TABLE_4, PrintedSchedules, PrintedTimes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAPER: Final = "Paper 1: Träff 2024, optimal broadcast schedules in logarithmic time"

RANKS_TIMED: Final = 20_000
"""Of each p: enough for a steady mean, and no hours at two million."""


def schedule_tables() -> list[Part]:
    """Return Tables 1 to 3."""
    return [_schedule_table(printed) for printed in SCHEDULES]


def _schedule_table(printed: PrintedSchedules) -> Part:
    ours = circulant_schedules(printed.ranks)
    rows = [
        _row("baseblock", ours.baseblock.tolist(), printed.baseblocks),
        *(
            _row(f"{name}[{k}]", found[:, k].tolist(), expected)
            for name, found, schedule in (
                ("recvblock", ours.receive, printed.receive),
                ("sendblock", ours.send, printed.send),
            )
            for k, expected in enumerate(schedule)
        ),
    ]
    return Part(
        printed.number,
        f"receive and send schedules, p = {printed.ranks}, q = {len(printed.receive)}",
        ("", "here, ranks 0, 1, 2, ...", "printed"),
        tuple(rows),
    )


def _row(name: str, ours: Sequence[int], printed: Sequence[int]) -> Row:
    is_same = tuple(ours) == tuple(printed)
    return Row(
        (name, _words(ours), "the same" if is_same else _words(printed)),
        {"row": name, "here": list(ours), "printed": list(printed)},
        Verdict.SAME if is_same else Verdict.DIFFERS,
    )


def _words(numbers: Iterable[int]) -> str:
    return " ".join(f"{number:2}" for number in numbers)


def timed_row(printed: PrintedTimes, samples: int) -> Row:
    """Measure a row of Table 4: the mean over evenly spread p, of evenly spread ranks of each.

    It holds where the new construction, as printed, is faster than the older one by half the printed factor
    or more.
    """
    counts = printed.counts
    step = max(len(counts) // samples, 1)
    times = [time_constructions(ranks, at_most=RANKS_TIMED) for ranks in counts[step // 2 :: step][:samples]]
    older_us, printed_us, rota_us = (
        1e6 * fmean(seconds / each.ranks_timed for seconds, each in zip(column, times, strict=True))
        for column in (
            [each.older_s for each in times],
            [each.printed_s for each in times],
            [each.rota_s for each in times],
        )
    )
    factor = older_us / printed_us
    ranks_in_all = sum(counts)
    holds = factor >= printed.factor / 2
    return Row(
        (
            f"{printed.first}..{printed.last}",
            f"{older_us * 1e-6 * ranks_in_all:.0f} ({printed.older_s:.0f})",
            f"{printed_us * 1e-6 * ranks_in_all:.1f} ({printed.newer_s:.1f})",
            f"{older_us:.2f} ({printed.older_us:.2f})",
            f"{printed_us:.3f} ({printed.newer_us:.3f})",
            f"{factor:.1f} ({printed.factor:.1f})",
            f"{rota_us:.3f}",
            f"{older_us / rota_us:.0f}",
        ),
        {
            **asdict(printed),
            "samples": len(times),
            "older_us_here": older_us,
            "newer_us_here": printed_us,
            "rota_us": rota_us,
            "factor": factor,
            "printed_factor": printed.factor,
        },
        Verdict.HOLDS if holds else Verdict.DIFFERS,
    )


def table_4(rows: Sequence[Row], samples: int) -> Part:
    """Return Table 4 of these rows."""
    return Part(
        "Table 4",
        f"both schedules, here (printed); {samples} p of each range, {RANKS_TIMED} ranks of each",
        ("p", "old, s", "new, s", "old, us a rank", "new, us", "factor", "Rota, us", "factor"),
        tuple(rows),
        "the new construction is 8 to 18 times faster a rank, the more the larger p",
        (
            (
                "old: O(log^3 p) a rank, each round's block searched for anew and each entry of the send"
                " schedule by the neighbour's receive schedule; new: Algorithms 3 to 6 as printed; Rota: its"
                " own. Seconds are for all ranks of all p in the range, from the mean of those that were"
                " measured. A row holds where the factor is half the printed one or more."
            ),
            (
                "Of the old construction the paper gives the cost and not the text:"
                " bench/schedules_older.cpp is one of that cost, checked to give the same schedules."
            ),
        ),
    )


TIMED: Final = TABLE_4
QUICK_TIMED: Final = TABLE_4[:2]
