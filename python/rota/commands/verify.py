"""``rota verify``: an algorithm's schedules by all that is proved about them, over whole ranges of p."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import track

from rota._core import check_circulant
from rota.errors import RotaError
from rota.ranges import parse_rank_range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rota._core import CirculantReport

CHECKS: Final[dict[str, Callable[[int], CirculantReport]]] = {"circulant": check_circulant}


@dataclass
class Totals:
    """What the reports of a range of p add up to."""

    counts: int = 0
    ranks: int = 0
    recursive_calls: int = 0
    iterations: int = 0
    iterations_beyond_lemma_6: int = 0
    violations: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, report: CirculantReport) -> None:
        """Count one p's report in."""
        largest = report.largest
        self.counts += 1
        self.ranks += report.ranks
        self.recursive_calls = max(self.recursive_calls, largest.recursive_calls)
        self.iterations = max(self.iterations, largest.iterations)
        self.iterations_beyond_lemma_6 = max(
            self.iterations_beyond_lemma_6, largest.iterations_beyond_lemma_6
        )
        self.violations = max(self.violations, largest.violations)
        self.faults += [f"p = {report.ranks}, {fault}" for fault in report.violations]


def verify(
    algorithm: Annotated[str, typer.Argument(help=f"What to verify: {', '.join(CHECKS)}.")],
    ranks: Annotated[str, typer.Option(help="The numbers of ranks p, such as 17 or 2..4096.")] = "2..4096",
) -> None:
    """Verify an algorithm's schedules for all ranks of every p in a range, on all cores.

    Prints what was checked and the largest counts beside their bounds. If anything is wrong, prints all of it
    and exits with status 1.
    """
    if algorithm not in CHECKS:
        raise RotaError(f"unknown algorithm {algorithm!r}: give one of {', '.join(CHECKS)}")
    counts = parse_rank_range(ranks)
    start_s = perf_counter()
    totals = total(_reports(CHECKS[algorithm], counts), len(counts))
    console = Console(highlight=False, soft_wrap=True)
    for fault in totals.faults:
        console.print(fault, markup=False)
    console.print(_summary(totals, counts, perf_counter() - start_s), markup=False)
    if totals.faults:
        raise typer.Exit(1)


def total(reports: Iterable[CirculantReport], expected: int) -> Totals:
    """Add up the reports, with a progress bar on a terminal."""
    totals = Totals()
    notes = Console(stderr=True)
    for report in track(reports, "verifying", expected, console=notes, disable=not notes.is_terminal):
        totals.add(report)
    return totals


def _reports(check: Callable[[int], CirculantReport], counts: range) -> Iterable[CirculantReport]:
    # The largest p first, so that no core is left alone with one at the end.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(check, reversed(counts))


def _summary(totals: Totals, counts: range, seconds: float) -> str:
    q = (counts[-1] - 1).bit_length()
    found = f"{len(totals.faults)} faults" if totals.faults else "all conditions hold"
    beyond = _beyond(totals.iterations_beyond_lemma_6)
    return "\n".join(
        (
            f"{totals.counts} numbers of ranks, {totals.ranks} ranks in {seconds:.1f} s: {found}",
            f"  recursive calls  {totals.recursive_calls:3}  at most q - 1 = {max(q - 1, 0)} (Lemma 5)",
            f"  iterations       {totals.iterations:3}  at most 3q + recursive calls; {beyond}",
            f"  violations       {totals.violations:3}  at most 4 (Theorem 3)",
        )
    )


def _beyond(iterations: int) -> str:
    if iterations <= 0:
        return "within Lemma 6's 2q + recursive calls"
    return f"up to {iterations} beyond Lemma 6's 2q + recursive calls"
