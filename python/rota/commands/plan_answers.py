"""What ``rota plan`` prints of a plan: what it reaches, beside the bound."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from rota.errors import RotaError
from rota.steady.period import short_period
from rota.steady.schedule import violations_of
from rota.steady.series import Kind
from rota.vocabulary import counted

if TYPE_CHECKING:
    from rota.steady.plan import Plan

_PERIODS: Final = (10, 100, 1000)
_DIGITS: Final = 24
_FEW: Final = 12
_VERIFIED_PERIODS: Final = 3
_LITTLE: Final = Fraction(1, 100)
"""The part of the throughput for which a far shorter period is worth its while."""
_WAYS: Final = {
    Kind.SCATTER: "sets of paths",
    Kind.ALL_TO_ALL: "sets of paths",
    Kind.REDUCE: "reduction trees",
    Kind.BROADCAST: "trees",
}


def table_of(plan: Plan, unit: str) -> Table:
    """Return what a plan reaches, beside the bound; its certificate was checked."""
    table = Table(title=escape(_title(plan)), title_justify="left", box=SIMPLE_HEAD, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row("throughput", f"{_short(plan.throughput)} operations a {unit}")
    equal = "equal" if plan.bound == plan.throughput else f"lost {_short(plan.bound - plan.throughput)}"
    table.add_row("bound (dual)", f"{_short(plan.bound)}: {equal}{_loss(plan)}")
    table.add_row("period", f"{_short(plan.period)} {unit}s, {_counted(plan.operations)}")
    table.add_row("no message cut", f"in {_short(plan.unsplit_period)} {unit}s")
    shortest, losing_little = plan.shortest.period, short_period(plan.optimum.ways, _LITTLE)
    if shortest < plan.period:
        table.add_row("shorter, no loss", f"--period {shortest}: times of links not whole")
    if losing_little < min(plan.period, shortest):
        about = f"{float(losing_little):.3g} {unit}s"
        table.add_row(f"shorter, {float(_LITTLE):.0%} lost", f"--period {losing_little}: {about}")
    table.add_row(_WAYS[plan.series.kind], str(len(plan.ways)))
    table.add_row("matchings", str(len(plan.matchings)))
    table.add_row("pipeline", f"{counted(plan.depth, 'period')} from an operation's start to its end")
    nearness = (plan.operations_within(k * plan.period) / (plan.bound * k * plan.period) for k in _PERIODS)
    shares = ", ".join(f"{k}: {float(share):.4f}" for k, share in zip(_PERIODS, nearness, strict=True))
    table.add_row("of opt(G, K), at least", f"after periods {shares}")
    table.add_row("certificate", "checked")
    table.add_row("schedule", _verified(plan, unit))
    return table


def _counted(operations: int) -> str:
    return "1 operation" if operations == 1 else f"{_short(operations)} operations"


def _verified(plan: Plan, unit: str) -> str:
    """Return that the verifier finds no fault with some periods, or why it was not asked."""
    why_not = ""
    for tried in (plan, plan.shortest):
        try:
            violations = violations_of(tried, _VERIFIED_PERIODS)
        except RotaError as fault:
            why_not = str(fault)
            continue
        if violations:
            first = violations[0]
            raise ArithmeticError(f"round {first.round}, rank {first.rank}: {first.fault}")
        which = "" if tried.period == plan.period else f" of {tried.period} {unit}s"
        return f"verified over {_VERIFIED_PERIODS} periods{which}"
    return f"not played: {why_not}"


def _title(plan: Plan) -> str:
    series = plan.series
    few = len(series.hosts) <= _FEW
    names = ", ".join(series.hosts) if few else f"{len(series.hosts)} nodes"
    nodes = f"{counted(len(plan.platform.nodes), 'node')}, {counted(len(plan.platform.links), 'link')}"
    match series.kind:
        case Kind.ALL_TO_ALL:
            return f"series of all-to-alls among {names}; {nodes}"
        case Kind.REDUCE:
            return f"series of reduces of {names} to {series.root}; {nodes}"
        case kind:
            return f"series of {kind.value}s from {series.root} to {names}; {nodes}"


def _loss(plan: Plan) -> str:
    if plan.throughput == plan.bound:
        return ""
    return f", proved to be at most {_short(plan.proved_loss)} (trees / period)"


def _short(value: Fraction | int) -> str:
    """Return a fraction and its first digits, or these alone where it is long."""
    value = Fraction(value)
    text = str(value)
    if value.denominator == 1 and len(text) <= _DIGITS:
        return text
    decimal = f"{float(value):.6g}" if abs(value) < 10**300 else f"about 1e{len(text) - 1}"
    return f"{text} = {decimal}" if len(text) <= _DIGITS else decimal
