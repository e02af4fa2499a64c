"""Solutions that paper 5 prints, as plans of the platforms that it draws, and certified as any other plan.

Figure 3's matchings, Figure 5's tree, Figure 7's two trees with Figure 6's flows, and Figure 11's two
trees. Where
the drawing's words were lost in the text, Figure 10's flows say what they were.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from rota.platforms.paper import FIGURE9_HOSTS, figure2, figure6, figure9
from rota.steady.optimum import Weighted, optimum
from rota.steady.period import Matching, Piece
from rota.steady.plan import Plan
from rota.steady.reduce import series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.series import Computation, Task, Transfer

if TYPE_CHECKING:
    from rota.platforms import Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Activity, Message, Series

MESSAGE: Final = Fraction(10 * 10**6)
"""Bytes, Section 5.1."""
TASK: Final = Fraction(10 * 10**6)
"""Flops."""


def figure_2_series() -> tuple[Platform, Series]:
    """Return Figure 2's scatter."""
    platform = figure2()
    return platform, series_of_scatters(platform, "Ps", ("P0", "P1"))


def figure_6_series() -> tuple[Platform, Series]:
    """Return Figure 6's reduce."""
    platform = figure6()
    return platform, series_of_reduces(platform, ("P0", "P1", "P2"), "P0")


def figure_9_series() -> tuple[Platform, Series]:
    """Return Figure 9's reduce."""
    platform = figure9().in_units(MESSAGE, TASK)
    return platform, series_of_reduces(platform, FIGURE9_HOSTS, "6")


FIGURE_2_FLOWS: Final = {
    Transfer("Ps", "Pa", (0,)): Fraction(3),
    Transfer("Ps", "Pb", (0,)): Fraction(3),
    Transfer("Ps", "Pb", (1,)): Fraction(6),
    Transfer("Pa", "P0", (0,)): Fraction(3),
    Transfer("Pb", "P0", (0,)): Fraction(3),
    Transfer("Pb", "P1", (1,)): Fraction(6),
}
"""Figure 2(b), in a period of 12."""


def figure_3_matchings() -> tuple[Matching, ...]:
    """Return Figure 3's four matchings, 12 time units in all.

    (The figure labels the first one's send of Ps 6 m0; it is of m1, or Figure 2(b) were not carried.)
    """

    def matching(length: int, *pieces: tuple[str, str, int, Fraction | int]) -> Matching:
        return Matching(
            Fraction(length),
            tuple(Piece(Transfer(a, b, (message,)), Fraction(amount)) for a, b, message, amount in pieces),
        )

    return (
        matching(6, ("Ps", "Pb", 1, 6), ("Pb", "P1", 1, Fraction(9, 2))),
        matching(3, ("Ps", "Pa", 0, 3), ("Pb", "P0", 0, Fraction(9, 4))),
        matching(2, ("Ps", "Pb", 0, 2), ("Pa", "P0", 0, 3), ("Pb", "P1", 1, Fraction(3, 2))),
        matching(1, ("Ps", "Pb", 0, 1), ("Pb", "P0", 0, Fraction(3, 4))),
    )


def figure_5_tree() -> Way:
    """Return the tree in which P1 combines all."""
    return (
        Transfer("P2", "P1", (2, 2)),
        Computation("P1", Task(1, 1, 2)),
        Transfer("P0", "P1", (0, 0)),
        Computation("P1", Task(0, 0, 2)),
        Transfer("P1", "P0", (0, 2)),
    )


def figure_7_plan() -> Plan:
    """Return Figures 6 and 7: tree T0 once and T1 twice in a period of 3."""
    platform, series = figure_6_series()
    trees = tuple(
        Weighted(
            Fraction(weight, 3),
            (
                Transfer(sender, at, (number, number)),
                Computation(at, Task(1, 1, 2)),
                Transfer(at, "P0", (1, 2)),
                Computation("P0", Task(0, 0, 2)),
            ),
        )
        for weight, sender, at, number in ((1, "P2", "P1", 2), (2, "P1", "P2", 1))
    )
    return Plan(platform, series, optimum(platform, series), trees, Fraction(3), is_fixed=False)


def figure_11_plan() -> Plan:
    """Return Figure 11's two trees, each carried out once in 9 time units."""
    platform, series = figure_9_series()
    trees = tuple(Weighted(Fraction(1, 9), way) for way in (_FIRST_TREE, _SECOND_TREE))
    return Plan(platform, series, optimum(platform, series), trees, Fraction(9), is_fixed=True)


def _sent(message: Message, *route: int) -> tuple[Activity, ...]:
    return tuple(Transfer(str(source), str(target), message) for source, target in pairwise(route))


def _made(node: int, *task: int) -> tuple[Activity, ...]:
    return (Computation(str(node), Task(*task)),)


_FIRST_TREE: Final[Way] = (
    *_sent((2, 2), 13, 12, 4, 5, 0, 1, 2, 6),
    *_sent((1, 1), 8, 3, 6),
    *_made(6, 1, 1, 2),
    *_sent((1, 2), 6, 7),
    *_sent((3, 3), 9, 8, 2, 6, 7),
    *_made(7, 1, 2, 3),
    *_sent((1, 3), 7, 6, 3, 8),
    *_sent((4, 4), 6, 2, 8),
    *_made(8, 1, 3, 4),
    *_sent((5, 5), 12, 5, 0, 1, 2, 6, 7),
    *_made(7, 5, 5, 6),
    *_sent((5, 6), 7, 6, 2, 3, 8),
    *_made(8, 1, 4, 6),
    *_sent((1, 6), 8, 2, 1, 0, 5, 10),
    *_sent((0, 0), 11, 10),
    *_made(10, 0, 0, 6),
    *_made(10, 0, 6, 7),
    *_sent((0, 7), 10, 4, 12, 5, 0, 1, 2, 6),
)
_SECOND_TREE: Final[Way] = (
    *_sent((3, 3), 9, 8, 2, 6, 7),
    *_sent((4, 4), 6, 7),
    *_made(7, 3, 3, 4),
    *_sent((3, 4), 7, 6, 2, 1, 0, 5, 4, 12),
    *_made(12, 3, 4, 5),
    *_sent((6, 6), 7, 6, 2, 1, 0, 5, 12),
    *_made(12, 3, 5, 6),
    *_sent((3, 6), 12, 13),
    *_made(13, 2, 2, 6),
    *_sent((0, 0), 11, 10, 4, 12, 13),
    *_sent((1, 1), 8, 2, 1, 0, 5, 12, 13),
    *_made(13, 0, 0, 1),
    *_made(13, 0, 1, 6),
    *_sent((0, 6), 13, 12, 5, 4, 10),
    *_made(10, 0, 6, 7),
    *_sent((0, 7), 10, 4, 12, 5, 0, 1, 2, 6),
)
