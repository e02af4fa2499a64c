"""``rota certify``: what a plan claims, checked from its own text in exact integer arithmetic."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from rota.errors import RotaError
from rota.steady.certify import Refused
from rota.steady.certify import certify as certified


def certify(
    plan: Annotated[Path, typer.Argument(help="A plan that rota plan ... --json has written.")],
) -> None:
    """Check a plan's certificate: that it does what it says, and that nothing could do more.

    Ends with status 1 and one line if the plan is not what it claims, with status 2 if it is no plan.
    """
    text = text_of(plan)
    try:
        found = certified(text)
    except Refused as fault:
        print(f"rota: {plan.name}: {fault}", file=sys.stderr)
        raise typer.Exit(1) from fault
    except RotaError as fault:
        raise RotaError(f"{plan.name}: {fault}") from fault
    is_optimal = "the optimum" if found.throughput == found.bound else f"the optimum is {found.bound}"
    reached = f"throughput {found.throughput} ({is_optimal}), period {found.period}"
    print(f"{plan.name}: certified: {found.kind}, {reached}")


def text_of(plan: Path) -> str:
    """Return the text in a file; RotaError if it cannot be read, or is no text."""
    try:
        return plan.read_text()
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no text"
        raise RotaError(f"{plan}: {reason}: give a plan that rota plan ... --json has written") from fault
