"""Ranka, Wang, Fox 1994: Tables 1 to 4 and Figure 10 beside what comes out here."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from rota.reproduce.all_to_many import (
    PERMUTATION_MS,
    PERMUTATIONS,
    SIMULATED,
    fits_linearly,
    fitted_network,
    mean_permutations,
)
from rota.reproduce.beside import Part, Row, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.reproduce.all_to_many import Point10, Row4, Row23

_MODELLED: Final = 0.03
"""How far the fitted line may lie from Table 1."""
_LIKE: Final = 2.0
"""The factor within which simulated times of another network model are held to be the printed ones."""
_MEAN: Final = 0.03
"""How far means of other random patterns may lie from the printed ones."""
_STRAIGHT: Final = 0.95
"""Of the variance, what a line explains where the figure's points are held to lie on one."""


def table_1() -> Part:
    """Return the permutations' times, and those of the network that is fitted to them."""
    network = fitted_network()
    rows = []
    for size, printed_ms in PERMUTATION_MS.items():
        ours_ms = 1e3 * (network.latency_s + size * network.seconds_per_byte)
        is_near = abs(ours_ms / printed_ms - 1) <= _MODELLED
        rows.append(
            Row(
                (f"{size} B", f"{printed_ms:.3f}", f"{ours_ms:.3f}", f"{ours_ms / printed_ms - 1:+.1%}"),
                {"bytes": size, "printed_ms": printed_ms, "fitted_ms": ours_ms},
                Verdict.HOLDS if is_near else Verdict.DIFFERS,
            )
        )
    return Part(
        "Table 1",
        "a random permutation, ms, 32 ranks",
        ("", "printed", "tau + M phi", "difference"),
        tuple(rows),
        notes=(
            (
                f"tau = {1e6 * network.latency_s:.0f} us, 1 / phi = {1e-6 / network.seconds_per_byte:.2f}"
                f" MB/s, by the"
                " least squares of relative errors; a row holds within 3 %."
            ),
        ),
    )


def tables_2_and_3(rows: Sequence[Row23]) -> Part:
    """Return the times of communication."""
    return Part(
        "Tables 2 and 3",
        "communication, ms simulated (printed), 32 ranks",
        ("", *SIMULATED),
        tuple(map(_row_23, rows)),
        "GM and CGM take the least, the more so the longer messages and the fewer of them",
        (
            (
                "Simulated with Table 1's constants, the mean over patterns; exact is not in the paper. A"
                " row holds where every time is within a factor of 2 of the printed one. Where AC's of long"
                " messages is less than that, it is links' contention, and receivers' buffers, that the"
                " model has not."
            ),
        ),
    )


def _row_23(row: Row23) -> Row:
    pairs = [(row.simulated_ms[name], ms) for name, ms in row.paper_ms.items() if ms is not None]
    is_like = all(1 / _LIKE <= ours / printed <= _LIKE for ours, printed in pairs)
    return Row(
        (
            f"d = {row.degree}, {row.message_bytes} B",
            *(_beside(row.simulated_ms[name], row.paper_ms[name]) for name in SIMULATED),
        ),
        asdict(row),
        Verdict.HOLDS if is_like else Verdict.DIFFERS,
    )


def _beside(ours: float, printed: float | None) -> str:
    return _short(ours) if printed is None else f"{_short(ours)} ({_short(printed)})"


def _short(milliseconds: float) -> str:
    """Return three digits."""
    return f"{milliseconds:.{max(0, 2 - int(math.log10(milliseconds)))}f}"


def permutations(samples: int) -> Part:
    """Compute the last lines of Tables 2 and 3."""
    rows = []
    for degree, printed in PERMUTATIONS.items():
        ours = {name: mean_permutations(degree, name, samples) for name in (*printed, "exact")}
        is_near = all(abs(ours[name] / value - 1) <= _MEAN for name, value in printed.items())
        cells = [f"{ours[name]:.2f} ({value:.2f})" for name, value in printed.items()]
        rows.append(
            Row(
                (f"d = {degree}", *cells, f"{ours['exact']:.2f}"),
                {"degree": degree, "printed": printed, "here": ours},
                Verdict.HOLDS if is_near else Verdict.DIFFERS,
            )
        )
    return Part(
        "Tables 2 and 3, permutations",
        f"means of {samples} patterns (printed), 32 ranks",
        ("", "lp", "gm", "cgm", "exact"),
        tuple(rows),
        notes=("A row holds within 3 %: the patterns are other ones.",),
    )


def table_4(rows: Sequence[Row4], samples: int) -> Part:
    """Return CGM's permutations and the time for finding them."""
    return Part(
        "Table 4",
        f"CGM's permutations, means of {samples} patterns",
        ("", "printed", "here", "difference", "exact", "CM-5, ms", "here, ms"),
        tuple(
            Row(
                (
                    f"d = {row.degree}, n = {row.ranks}",
                    f"{row.paper_permutations:.1f}",
                    f"{row.permutations:.2f}",
                    f"{row.difference:+.1%}",
                    f"{row.exact_permutations:.2f}",
                    f"{row.paper_ms:.1f}",
                    f"{row.scheduling_ms:.3f}",
                ),
                asdict(row),
                Verdict.HOLDS if abs(row.difference) <= _MEAN else Verdict.DIFFERS,
            )
            for row in rows
        ),
        "about d + log d permutations",
        ("ms: of scheduling, the median; a row holds where the permutations are within 3 %.",),
    )


def figure_10(points: Sequence[Point10]) -> Part:
    """Return CGM's scheduling time over n, by n, and how well a line in d ln d explains it."""
    fit = fits_linearly(list(points))
    counts = sorted({point.ranks for point in points})
    rows = [_row_10(count, [point for point in points if point.ranks == count]) for count in counts]
    verdict = Verdict.HOLDS if fit >= _STRAIGHT else Verdict.DIFFERS
    line = Row(("variance that a line explains", "", f"{fit:.1%}"), {"explained": fit}, verdict)
    return Part(
        "Figure 10",
        "CGM's scheduling time over n against d ln d",
        ("", "d ln d", "us over n"),
        (*rows, line),
        "linear in d ln d, for all n",
        (
            (
                "The least of fifteen times for each point, for the machine does other things too; holds"
                " where a line explains 95 %."
            ),
        ),
    )


def _row_10(count: int, points: Sequence[Point10]) -> Row:
    ends = (min(points, key=lambda one: one.work), max(points, key=lambda one: one.work))
    return Row(
        (
            f"n = {count}, {len(points)} densities",
            " to ".join(f"{point.work:.1f}" for point in ends),
            " to ".join(f"{1e6 * point.scheduling_s / count:.2f}" for point in ends),
        ),
        {"ranks": count, "points": [{**asdict(point), "d_ln_d": point.work} for point in points]},
    )
