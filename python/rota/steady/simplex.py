"""A linear program solved exactly: max c x, A x <= 1, x >= 0; a second objective breaks ties.

Statement   From a basis that another solver found, or from nothing, to an optimal basis, in rationals: x,
            and the row prices that prove it. Every solution that is returned was checked in exact
            arithmetic
Method      Primal simplex with Bland's rule, which ends; a basis is solved anew after each pivot, by FLINT,
            and only in the rows that are tight and the columns that are not 0. From a good basis hardly a
            pivot is needed
Source      Dantzig 1963; Bland 1977; FLINT's fmpq_mat
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from flint import fmpq, fmpq_mat

if TYPE_CHECKING:
    from collections.abc import Mapping

_ZERO: Final = fmpq(0)
_ONE: Final = fmpq(1)


@dataclass(frozen=True)
class Column:
    """A variable: its coefficient in each row that has one, and in the second objective; 1 in the first."""

    entries: Mapping[int, fmpq]
    second: int


@dataclass(frozen=True)
class Basis:
    """The columns that may be above 0, and as many rows that are tight."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """An optimal basis: the columns' values, and the rows' prices under the first objective."""

    basis: Basis
    values: dict[int, Fraction]
    prices: dict[int, Fraction]

    @property
    def objective(self) -> Fraction:
        """The first objective."""
        return sum(self.values.values(), Fraction(0))


def rational(value: Fraction | int) -> fmpq:
    """Return the number as FLINT's."""
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


def solved(rows: int, columns: list[Column], start: Basis) -> Solution:
    """Return an optimal solution, from `start` if that is a feasible basis, else from the start at 0."""
    state = _state(rows, columns, start) or _state(rows, columns, Basis((), ()))
    if state is None:
        raise ArithmeticError("the basis in which all is 0 is always feasible")
    while (entering := state.entering()) is not None:
        after = _state(rows, columns, state.pivoted(entering))
        if after is None:
            raise ArithmeticError("a pivot of the exact simplex method left the feasible region")
        state = after
    values = {column: _fraction(value) for column, value in state.values.items() if value != 0}
    prices = {row: _fraction(first) for row, (first, _) in state.prices.items() if first != 0}
    return Solution(state.basis, values, prices)


@dataclass(frozen=True)
class _Entering:
    """A column, or the slack of a row, that is to become basic."""

    column: int | None = None
    row: int | None = None


@dataclass
class _State:
    rows: int
    columns: list[Column]
    basis: Basis
    matrix: fmpq_mat | None
    values: dict[int, fmpq]
    slack: dict[int, fmpq]
    """Of rows that are not tight."""
    prices: dict[int, tuple[fmpq, fmpq]] = field(default_factory=dict)

    def entering(self) -> _Entering | None:
        """Return Bland's choice: the first that would raise the first objective, or else the second."""
        for number, column in enumerate(self.columns):
            if number not in self.values and self._gain(column) > (_ZERO, _ZERO):
                return _Entering(column=number)
        for row in sorted(self.basis.rows):
            if self.prices[row] < (_ZERO, _ZERO):
                return _Entering(row=row)
        return None

    def pivoted(self, entering: _Entering) -> Basis:
        change = self._change(entering)
        slack_change = self._slack_change(entering, change)
        ratios = [(self.values[c] / d, 0, c) for c, d in change.items() if d > 0]
        ratios += [(self.slack[r] / d, 1, r) for r, d in slack_change.items() if d > 0]
        if not ratios:
            raise ArithmeticError("the linear program is unbounded: a way of an operation takes no time")
        _, leaves_slack, leaving = min(ratios)
        columns, rows = list(self.basis.columns), list(self.basis.rows)
        if entering.row is None:
            columns.append(_known(entering.column))
        else:
            rows.remove(entering.row)
        if leaves_slack:
            rows.append(leaving)
        else:
            columns.remove(leaving)
        return Basis(tuple(columns), tuple(rows))

    def _gain(self, column: Column) -> tuple[fmpq, fmpq]:
        first, second = _ONE, fmpq(column.second)
        for row, entry in column.entries.items():
            if row in self.prices:
                price = self.prices[row]
                first, second = first - price[0] * entry, second - price[1] * entry
        return first, second

    def _change(self, entering: _Entering) -> dict[int, fmpq]:
        """By how much each basic column's value falls when the entering one rises by 1."""
        if self.matrix is None:
            return {}
        entries = self._entries(entering)
        side = fmpq_mat(len(self.basis.rows), 1, [entries.get(row, _ZERO) for row in self.basis.rows])
        change = self.matrix.solve(side)
        return {column: change[place, 0] for place, column in enumerate(self.basis.columns)}

    def _slack_change(self, entering: _Entering, change: Mapping[int, fmpq]) -> dict[int, fmpq]:
        result = {row: entry for row, entry in self._entries(entering).items() if row in self.slack}
        for number, fall in change.items():
            for row, entry in self.columns[number].entries.items():
                if row in self.slack:
                    result[row] = result.get(row, _ZERO) - entry * fall
        return result

    def _entries(self, entering: _Entering) -> Mapping[int, fmpq]:
        if entering.row is not None:
            return {entering.row: _ONE}
        return self.columns[_known(entering.column)].entries


def _state(rows: int, columns: list[Column], basis: Basis) -> _State | None:
    """Return the basis with its solution and prices; None if it is singular or not feasible."""
    size = len(basis.rows)
    if size != len(basis.columns):
        return None
    if size == 0:
        return _State(rows, columns, basis, None, {}, dict.fromkeys(range(rows), _ONE))
    matrix = fmpq_mat(
        size,
        size,
        [columns[column].entries.get(row, _ZERO) for row in basis.rows for column in basis.columns],
    )
    try:
        found = matrix.solve(fmpq_mat(size, 1, [1] * size))
        objectives = [x for column in basis.columns for x in (1, columns[column].second)]
        prices = matrix.transpose().solve(fmpq_mat(size, 2, objectives))
    except ZeroDivisionError:
        return None
    values = {column: found[place, 0] for place, column in enumerate(basis.columns)}
    slack = _slack(rows, columns, basis, values)
    if min(values.values()) < 0 or min(slack.values(), default=_ZERO) < 0:
        return None
    by_row = {row: (prices[place, 0], prices[place, 1]) for place, row in enumerate(basis.rows)}
    return _State(rows, columns, basis, matrix, values, slack, by_row)


def _slack(rows: int, columns: list[Column], basis: Basis, values: Mapping[int, fmpq]) -> dict[int, fmpq]:
    tight = set(basis.rows)
    slack = {row: _ONE for row in range(rows) if row not in tight}
    for number, value in values.items():
        for row, entry in columns[number].entries.items():
            if row in slack:
                slack[row] -= entry * value
    return slack


def _known(number: int | None) -> int:
    if number is None:
        raise AssertionError("either a column enters or a row's slack")
    return number


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
