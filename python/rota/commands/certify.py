"""``rota certify``: what a plan claims, checked from its own text in exact integer arithmetic."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rota.commands.output import JsonFile, print_line, require_folders, write_json
from rota.errors import RotaError
from rota.steady.certificate import certify as certified
from rota.steady.claims import Refused
from rota.steady.series import reached
from rota.vocabulary import counted

if TYPE_CHECKING:
    from rota.steady.claims import Claims


def certify(
    plan: Annotated[Path, typer.Argument(help="A plan that rota plan ... --json has written.")],
    json_file: JsonFile = None,
) -> None:
    """Check a plan's certificate: that it does what it says, and that nothing could do more.

    Ends with status 1 and one line if the plan is not what it claims, with status 2 if it is no plan.
    """
    require_folders(json_file)
    text = text_of(plan)
    name = plan.name if plan.name.isprintable() else ascii(plan.name)
    try:
        claims = certified(text)
    except Refused as fault:
        print(f"rota: {name}: {fault}", file=sys.stderr)
        raise typer.Exit(1) from fault
    except RotaError as fault:
        raise RotaError(f"{name}: {fault}") from fault
    print_line(f"{name}: {_words(claims)}", json_file)
    if json_file:
        write_json(json_file, as_json(claims))


def as_json(claims: Claims) -> dict[str, Any]:
    """Return what was proved and what was checked for it: fractions as text, exact."""
    return {
        "kind": claims.kind.value,
        "throughput": str(claims.throughput),
        "bound": str(claims.bound),
        "period": str(claims.period),
        "amounts": len(claims.amounts),
        "trees": len(claims.trees),
        "matchings": None if claims.matchings is None else len(claims.matchings),
    }


def _words(claims: Claims) -> str:
    """Return what was proved, what was checked for it, and what was not there to be checked."""
    how = "certified" if claims.matchings is not None else "certified, without a schedule"
    nodes, links = counted(len(claims.platform.nodes), "node"), counted(len(claims.platform.links), "link")
    checked = [
        f"{len(claims.amounts)} flows and tasks",
        counted(len(claims.trees), "tree"),
        f"the dual of {nodes} and {links}",
        *([] if claims.matchings is None else [counted(len(claims.matchings), "matching")]),
        "the seal",
    ]
    proved = reached(claims.kind, claims.throughput, claims.bound, claims.period)
    lines = [f"{how}: {proved}", f"checked: {', '.join(checked)}"]
    if claims.matchings is None:
        lines.append("not in it, not checked: matchings, which would be a schedule of the period")
    return "\n".join(lines)


def text_of(plan: Path) -> str:
    """Return the text in a file; RotaError if it cannot be read, or is no text."""
    try:
        return plan.read_text()
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "no text"
        raise RotaError(f"{plan}: {reason}: give a plan that rota plan ... --json has written") from fault
