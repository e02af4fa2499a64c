"""``rota simulate plan.json``: a plan carried out from the start, beside what it promises, and the bound."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.steady.plan import plan_in
from rota.steady.schedule import violations_of
from rota.steady.simulate import simulated
from rota.witness.plan import witnessed

if TYPE_CHECKING:
    from pathlib import Path

    from rota.steady.plan import Plan

_PERIODS = 100
_VERIFIED_PERIODS = 3


def print_plan(file: Path, units: str | None) -> None:
    """Certify the plan, carry it out, verify its schedule and have SimGrid play it; print what came of it."""
    plan = read_plan(file)
    time = plan.period * _PERIODS if units is None else exact(units)
    found = simulated(plan, time)
    table = Table(title=f"{file.name}: {time} time units", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", "operations", "of what is possible"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, operations in (
        ("possible at most, TP K", found.most),
        ("promised: in step", Fraction(found.promised)),
        ("simulated: each node at its own pace", Fraction(found.operations)),
    ):
        table.add_row(name, f"{float(operations):.6g}", f"{float(operations / found.most):.4f}")
    console = Console(highlight=False)
    console.print(table)
    console.print(verified(plan), soft_wrap=True)
    console.print(witness_of(plan), soft_wrap=True)


def witness_of(plan: Plan) -> str:
    """Return the throughput that SimGrid finds, beside the plan's, or why it was not asked."""
    try:
        found = witnessed(plan)
    except RotaError as fault:
        return f"Not played by SimGrid: {fault}."
    return (
        f"Played by SimGrid for {len(found.times)} periods: throughput {found.throughput:.6g} once the "
        f"platform is full, where the plan says {float(found.predicted):.6g}."
    )


def read_plan(file: Path) -> Plan:
    """Return the plan in a file; RotaError if it cannot be read, or is not what it claims to be."""
    try:
        return plan_in(file.read_text())
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no text"
        raise RotaError(f"{file}: {reason}: give a plan that rota plan ... --json has written") from fault
    except RotaError as fault:
        raise RotaError(f"{file.name}: {fault}") from fault


def verified(plan: Plan) -> str:
    """Return what the verifier says of the plan's schedule over some periods, or why it was not asked."""
    try:
        violations = violations_of(plan, _VERIFIED_PERIODS)
    except RotaError as fault:
        return f"Not verified as a schedule: {fault}."
    if violations:
        first = violations[0]
        raise RotaError(f"round {first.round}, rank {first.rank}: {first.fault}")
    return f"Verified as a schedule over {_VERIFIED_PERIODS} periods, from the start to the end."
