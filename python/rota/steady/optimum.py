"""The optimal steady state: how often operations are carried out in which way, exactly, and the proof.

Statement   Of the paper's linear programs (SSSP, SSPA2A, SSR, and broadcasts): their optimum TP as a
            fraction, an optimal solution as a weighted sum of ways - of reduction trees, or of a path for
            each message - and an optimal dual one. At most as many ways as there are ports and processors
Method      Each solution of these programs is such a sum (Lemma 2 for reduces, arborescences for
            broadcasts, flow decomposition for the others) and something that delivers nothing. So they are
            max sum w, sum of w load(way) <= 1 for each port, w >= 0, over all ways: a program with three
            rows a node, whose columns are found as they are needed. The prices y of ports that HiGHS
            returns say which way would be cheapest; while it costs less than 1, it is a new column
            (Dantzig, Wolfe 1960; Gilmore, Gomory 1961). Then all is done once more in rationals: the last
            basis is solved and made optimal exactly, and the cheapest way is sought at exact prices
Proof       The cheapest way costs 1 or more: then TP <= sum y, for TP ways a time unit pay TP at least, and
            no port can be paid for more than its price. The potentials found with it are the other half of
            the dual
Ties        Of optimal solutions among the ways found, one whose operations use the fewest links: messages
            for several targets that travel together could be sent as one
Source      Legrand, Marchal, Robert 2005
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import highspy
import numpy as np

from rota.steady.network import Network, Port
from rota.steady.pricing import Cut, Exact, Pricing, pricing_of
from rota.steady.series import Transfer
from rota.steady.simplex import Basis, Column, Solution, rational, solved

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from rota.platforms import Platform
    from rota.steady.cheapest import Way
    from rota.steady.series import Message, Series

_GAP: Final = 1e-10
_ALMOST_ONE: Final = 1 - 1e-10
_TIE: Final = 1e-7


@dataclass(frozen=True)
class Weighted:
    """A way, and how often operations are carried out in it in a time unit."""

    weight: Fraction
    way: Way


@dataclass(frozen=True)
class Optimum:
    """An optimal solution and its proof.

    `prices`: of a time unit of each port; their sum is the throughput. `potentials`: what a copy of a message
    costs at a node at these prices, at least; nodes that no copy can reach are left out. A broadcast has
    `cuts` in their place.
    """

    throughput: Fraction
    ways: tuple[Weighted, ...]
    prices: Mapping[Port, Fraction]
    potentials: Mapping[Message, Mapping[str, Fraction]]
    cuts: tuple[Cut, ...] = ()


def optimum(platform: Platform, series: Series) -> Optimum:
    """Return the optimal steady state of the series on a platform measured in units.

    Raises RotaError where some message cannot get where it must. The number of columns that are needed is
    that of a few tens of tries for platforms of tens of nodes; each costs a shortest-path problem and one
    pass over the tasks (`cheapest_way`).
    """
    network = Network(platform, series)
    pricing = pricing_of(network)
    master = _Master(network, pricing)
    for way in pricing.first():
        master.add(way)
    master.explore()
    return master.proved()


class _Master:
    """The ways found so far, as columns."""

    def __init__(self, network: Network, pricing: Pricing) -> None:
        self._network, self._pricing = network, pricing
        self._ways: list[Way] = []
        self._columns: list[Column] = []
        self._known: set[Way] = set()
        self._rows: dict[Port, int] = {}
        self._start = Basis((), ())

    def add(self, way: Way) -> bool:
        """Take the way in; False if it is there already."""
        if way in self._known:
            return False
        load = self._network.load_of(way)
        for port in load:
            self._rows.setdefault(port, len(self._rows))
        links = {(each.source, each.target) for each in way if isinstance(each, Transfer)}
        self._known.add(way)
        self._ways.append(way)
        self._columns.append(
            Column({self._rows[port]: rational(time) for port, time in load.items()}, -len(links))
        )
        return True

    def explore(self) -> None:
        """Add ways until floating-point prices find no better one."""
        solver = _Solver(max(float(entry) for column in self._columns for entry in column.entries.values()))
        while True:
            solver.take(len(self._rows), self._columns)
            by_row = solver.prices()
            prices = {port: by_row[row] for port, row in self._rows.items()}
            cheapest = self._pricing.roughly(prices)
            if cheapest.cost >= _ALMOST_ONE * solver.unit or not self.add(cheapest.way):
                break
        self._start = solver.tied_basis([column.second for column in self._columns])

    def proved(self) -> Optimum:
        """Solve exactly, adding ways as long as exact prices find a better one."""
        start = self._start
        while True:
            solution = solved(len(self._rows), self._columns, start)
            prices = {
                port: solution.prices[row] for port, row in self._rows.items() if row in solution.prices
            }
            cheapest = self._pricing.exactly(prices)
            if cheapest.cost >= 1:
                return self._optimum(solution, prices, cheapest)
            if not self.add(cheapest.way):
                raise ArithmeticError("a way in an optimal basis costs less than 1")
            start = solution.basis

    def _optimum(self, solution: Solution, prices: Mapping[Port, Fraction], proof: Exact) -> Optimum:
        ways = [Weighted(value, self._ways[column]) for column, value in solution.values.items()]
        ways.sort(key=lambda each: (-each.weight, len(each.way), repr(each.way)))
        written = tuple(Weighted(each.weight, _as_written(each.way)) for each in ways)
        return Optimum(solution.objective, written, prices, proof.potentials, proof.cuts)


def _as_written(way: Way) -> Way:
    """Return the way in the order in which a plan's text has it: transfers, then tasks."""
    return tuple(sorted(way, key=lambda each: not isinstance(each, Transfer)))


class _Silent(highspy.Highs):
    """HiGHS that says nothing: from 1.16 on it names itself on standard output as soon as it is made."""

    def enableCallbacks(self) -> None:  # noqa: N802 - its maker calls it by this name
        """Be silent before anything can be said."""
        self.setOptionValue("output_flag", False)  # noqa: FBT003 - HiGHS has it so
        super().enableCallbacks()  # type: ignore[no-untyped-call]


class _Solver:
    """HiGHS with the columns so far. Times are divided by `unit`, so that all numbers are near 1."""

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._highs: Any = _Silent()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("log_to_console", "false")
        self._highs.setOptionValue("threads", 1)
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)

    def take(self, rows: int, columns: list[Column]) -> None:
        """Take in what is new."""
        for _ in range(self._highs.getNumRow(), rows):
            self._highs.addRow(-highspy.kHighsInf, 1.0, 0, np.array([], np.int32), np.array([], float))
        for column in columns[self._highs.getNumCol() :]:
            index = np.array(list(column.entries), np.int32)
            values = np.array([float(entry) / self.unit for entry in column.entries.values()])
            self._highs.addCol(1.0, 0.0, highspy.kHighsInf, len(index), index, values)

    def prices(self) -> list[float]:
        """Solve, and return the rows' prices."""
        self._highs.run()
        return [max(0.0, price) for price in self._highs.getSolution().row_dual]

    def tied_basis(self, second: list[int]) -> Basis:
        """Return a basis that is optimal, and nearly so under the second objective."""
        for column, value in enumerate(second):
            self._highs.changeColCost(column, 1.0 + _TIE * value)
        self._highs.run()
        basis = self._highs.getBasis()
        basic = highspy.HighsBasisStatus.kBasic
        return Basis(
            tuple(column for column, status in enumerate(basis.col_status) if status == basic),
            tuple(row for row, status in enumerate(basis.row_status) if status != basic),
        )
