"""Ranka, Wang, Fox 1994: Figures 1, 8 and 9 and the break-even (5), (6), beside what comes out here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from rota import all_to_many, simulate
from rota.reproduce.all_to_many import (
    COMMUNICATION_MS,
    SIZES,
    fitted_network,
    sampled,
    timed,
)
from rota.reproduce.beside import Part, Row, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.reproduce.all_to_many import Row23

RANKS: Final = 32
FIGURE_8: Final = (4, 8, 24)
"""The densities of its panels."""

SCHEDULING_MS: Final[dict[int, dict[str, float]]] = {
    4: {"lp": 0.116, "gm": 14.608, "cgm": 1.570},
    8: {"lp": 0.121, "gm": 22.062, "cgm": 3.050},
    16: {"lp": 0.126, "gm": 32.984, "cgm": 6.348},
    24: {"lp": 0.131, "gm": 42.007, "cgm": 9.547},
}
"""Tables 2 and 3, "comp": milliseconds for scheduling on the CM-5, by messages a rank and algorithm."""

_SHORT, _LONG = 16, 2048
_NEAR: Final = 0.05
_STEPS: Final = 2
_LITTLE: Final = 0.25
_ABOUT_ALL: Final = 1.1


def figure_1(samples: int) -> Part:
    """Simulate random permutations of 1 KB."""
    network = fitted_network()
    found = []
    for seed in range(samples):
        pattern = sampled(RANKS, 1, seed, 1024)
        found.append(simulate(all_to_many(pattern, "cgm", seed=seed), network).seconds * 1e3)
    mean = sum(found) / len(found)
    within = sum(abs(each / mean - 1) <= _NEAR for each in found) / len(found)
    return Part(
        "Figure 1",
        f"{samples} random permutations of 1 KB, {RANKS} ranks",
        ("", "printed", "here"),
        (
            Row(
                ("within 5 % of the mean", "99.6 %", f"{within:.1%}"),
                {"within": within},
                Verdict.HOLDS if within > 1 - _NEAR else Verdict.DIFFERS,
            ),
            Row(("mean, ms (Table 1: 0.422)", "0.543", f"{mean:.3f}"), {"mean_ms": mean}),
        ),
        notes=("In the model no links are contended for, so all permutations cost the same.",),
    )


def figure_8(rows: Sequence[Row23]) -> Part:
    """Return who is fastest at which size, without scheduling."""
    shown = []
    for row in rows:
        if row.degree not in FIGURE_8:
            continue
        ours = {name: row.simulated_ms[name] for name in ("ac", "lp", "gm", "cgm")}
        printed = {name: ms for name, ms in row.paper_ms.items() if ms is not None}
        lp_loses = ours["cgm"] < ours["lp"]
        shown.append(
            Row(
                (
                    f"d = {row.degree}, {row.message_bytes} B",
                    f"{printed['lp'] / printed['cgm']:.2f}",
                    f"{ours['lp'] / ours['cgm']:.2f}",
                    f"{printed['ac'] / printed['cgm']:.2f}",
                    f"{ours['ac'] / ours['cgm']:.2f}",
                ),
                {"d": row.degree, "bytes": row.message_bytes, "printed_ms": printed, "simulated_ms": ours},
                Verdict.HOLDS if lp_loses == (printed["cgm"] < printed["lp"]) else Verdict.DIFFERS,
            )
        )
    return Part(
        "Figure 8",
        f"times over CGM's, {RANKS} ranks, simulated with Table 1's constants",
        ("", "LP, printed", "here", "AC, printed", "here"),
        tuple(shown),
        printed="GM and CGM are superior; the verdict is on CGM and LP",
        notes=("In the model links are never contended for: AC and LP lose time only by waiting for ports.",),
    )


def figure_9(rows: Sequence[Row23], samples: int) -> Part:
    """Return the scheduling's part: as printed, simulated, and with this machine's scheduling."""
    shown = []
    for row in rows:
        if row.message_bytes not in (_SHORT, _LONG, 8192):
            continue
        printed_ms = COMMUNICATION_MS[row.degree]["cgm"][SIZES.index(row.message_bytes)]
        printed = SCHEDULING_MS[row.degree]["cgm"] / printed_ms
        by_model = SCHEDULING_MS[row.degree]["cgm"] / row.simulated_ms["cgm"]
        here_ms = 1e3 * median(
            timed(sampled(RANKS, row.degree, seed), "cgm", seed).seconds for seed in range(samples)
        )
        shown.append(
            Row(
                (
                    f"d = {row.degree}, {row.message_bytes} B",
                    f"{printed:.3f}",
                    f"{by_model:.3f}",
                    f"{here_ms / row.simulated_ms['cgm']:.5f}",
                ),
                {"d": row.degree, "bytes": row.message_bytes, "printed": printed, "by_model": by_model},
                Verdict.HOLDS if _is_little(by_model, row) == _is_little(printed, row) else Verdict.DIFFERS,
            )
        )
    return Part(
        "Figure 9",
        "CGM's scheduling over its communication",
        ("", "printed", "CM-5's scheduling, simulated", "scheduling here"),
        tuple(shown),
        printed="at most about 1 at 16 bytes, less than 0.25 from 4 KB on",
        notes=(
            "Of 16 bytes a permutation by CGM took the CM-5 more than Table 1's; simulated it takes that.",
        ),
    )


def _is_little(part: float, row: Row23) -> bool:
    return part <= (_LITTLE if row.message_bytes > _LONG else _ABOUT_ALL)


@dataclass(frozen=True)
class Constants:
    """C1 and C3 of Section 5.1 at one density, and C2 in milliseconds."""

    c1: float
    c2_ms: float
    c3: float


def constants(degree: int) -> Constants:
    """Fit them to the printed tables, by least squares of relative errors."""
    network = fitted_network()
    tau, phi = network.latency_s * 1e3, network.seconds_per_byte * 1e3

    def fit(model: list[float], seen: list[float]) -> float:
        ratios = np.array(model) / np.array(seen)
        return float(ratios.sum() / (ratios**2).sum())

    printed = COMMUNICATION_MS[degree]
    of_long = [(size, ms) for size, ms in zip(SIZES, printed["lp"], strict=True) if size >= _LONG]
    c1 = fit([degree * size * phi for size, _ in of_long], [ms - RANKS * tau for _, ms in of_long])
    c2 = fit([d * RANKS * math.log(d) for d in SCHEDULING_MS], [ms["cgm"] for ms in SCHEDULING_MS.values()])
    c3 = fit([degree * (tau + size * phi) for size in SIZES], list(printed["cgm"]))
    return Constants(c1, c2, c3)


def _least_bytes(degree: int) -> float:
    """Solve the inequality before (5) and (6) for M."""
    network = fitted_network()
    tau, phi = network.latency_s * 1e3, network.seconds_per_byte * 1e3
    fitted = constants(degree)
    scheduling = fitted.c2_ms * degree * RANKS * math.log(degree)
    gained = (RANKS - fitted.c3 * degree) * tau
    return max(0.0, (scheduling - gained) / ((fitted.c1 - fitted.c3) * degree * phi))


def break_even(rows: Sequence[Row23]) -> Part:
    """Return from which size on CGM with scheduling is ahead of LP: printed, by (6), and simulated."""
    simulated = {(row.degree, row.message_bytes): row.simulated_ms for row in rows}
    shown = []
    for degree, scheduling in SCHEDULING_MS.items():
        lost_ms = scheduling["cgm"] - scheduling["lp"]
        printed = COMMUNICATION_MS[degree]
        pairs = zip(SIZES, printed["lp"], printed["cgm"], strict=True)
        by_tables = [size for size, lp, cgm in pairs if cgm + lost_ms <= lp]
        here = [
            size
            for size in SIZES
            if simulated[degree, size]["cgm"] + lost_ms <= simulated[degree, size]["lp"]
        ]
        least, fitted = _least_bytes(degree), constants(degree)
        work, enough = degree * math.log(degree), fitted_network().latency_s * 1e3 / fitted.c2_ms
        by_5 = f"{work:.1f} {'<=' if work <= enough else '>'} {enough:.1f}"
        shown.append(
            Row(
                (
                    f"d = {degree}",
                    _first(by_tables),
                    f"{least:.0f} B",
                    _first(here),
                    by_5,
                    f"{fitted.c1:.2f}, {fitted.c3:.2f}",
                ),
                {"d": degree, "printed_from": by_tables[:1], "by_6": least, "simulated_from": here[:1]},
                Verdict.HOLDS if _are_near(by_tables, least) else Verdict.DIFFERS,
            )
        )
    return Part(
        "(5), (6)",
        "message size from which CGM, scheduled once, is ahead of LP",
        ("", "by the printed tables", "by the inequality", "simulated", "(5): d ln d, tau / C2", "C1, C3"),
        tuple(shown),
        notes=(
            "C1, C2, C3 are fitted to the printed tables, C1 and C3 at each density; tau, phi to Table 1.",
        ),
    )


def _first(sizes: Sequence[int]) -> str:
    return f"{sizes[0]} B" if sizes else "nowhere"


def _are_near(printed: Sequence[int], least: float) -> bool:
    """Return whether the inequality's size lies within two steps of the table's sizes of the table's own."""
    if not printed:
        return least > SIZES[-1]
    place = SIZES.index(printed[0])
    lowest = SIZES[place - _STEPS - 1] if place > _STEPS else 0
    return lowest <= least <= SIZES[min(place + _STEPS, len(SIZES) - 1)]
