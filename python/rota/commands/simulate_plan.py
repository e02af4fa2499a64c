"""``rota simulate plan.json``: a plan carried out from the start, beside what it promises, and the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.commands.certify import text_of
from rota.commands.output import print_line, print_table, require_folders, write_json
from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.steady.plan import plan_in
from rota.steady.schedule import violations_of
from rota.steady.simulate import simulated
from rota.witness.plan import Witnessed, witnessed

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from rota.steady.plan import Plan
    from rota.steady.simulate import Simulated

_PERIODS: Final = 100
_VERIFIED_PERIODS: Final = 3


def print_plan(file: Path, text: str, units: str | None, json_file: Path | None) -> None:
    """Certify the plan in a file's text, carry it out, verify its schedule and have SimGrid play it.

    Print what came of it, and write it as JSON.
    """
    require_folders(json_file)
    plan = _plan_of(file, text)
    time = plan.period * _PERIODS if units is None else exact(units)
    found = simulated(plan, time)
    witness = witness_of(plan)
    said = verified(plan)
    print_table(table_of(f"{file.name}: {time} time units", plan, found, witness), json_file)
    print_line("Throughput: operations a time unit, once the platform is full.", json_file)
    print_line(said, json_file)
    if isinstance(witness, str):
        print_line(witness, json_file)
    if json_file:
        write_json(json_file, as_json(plan, found, witness, said))


def table_of(title: str, plan: Plan, found: Simulated, witness: Witnessed | str) -> Table:
    """Return what the plan predicts, what was simulated and what SimGrid found, side by side."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", "throughput", "of the bound", "operations", "of the most"):
        table.add_column(heading, justify="right" if heading else "left")

    def throughput(value: float) -> tuple[str, str]:
        return f"{value:.6g}", f"{value / float(plan.bound):.4f}"

    def operations(count: Fraction | int) -> tuple[str, str]:
        return f"{float(count):.6g}", f"{float(count / found.most):.4f}"

    table.add_row("bound", *throughput(float(plan.bound)), *operations(found.most))
    promised = (*throughput(float(plan.throughput)), *operations(found.promised))
    table.add_row("predicted: nodes in step with the periods", *promised)
    own_pace = (*throughput(found.throughput), *operations(found.operations))
    table.add_row("simulated: each node at its own pace", *own_pace)
    if isinstance(witness, Witnessed):
        table.add_row(f"played by SimGrid for {len(witness.times)} periods", *throughput(witness.throughput))
    return table


def as_json(plan: Plan, found: Simulated, witness: Witnessed | str, verified_as: str) -> dict[str, Any]:
    """Return the whole outcome: what is exact as fractions, as in plans, what was measured as numbers."""
    played, why_not = (witness, ()) if isinstance(witness, Witnessed) else (None, (witness,))
    return {
        "time_units": str(found.time),
        "period": str(plan.period),
        "bound": {"throughput": str(plan.bound), "operations": str(found.most)},
        "predicted": {"throughput": str(plan.throughput), "operations": found.promised},
        "simulated": {"throughput": found.throughput, "operations": found.operations},
        "played_by_simgrid": played and {"throughput": played.throughput, "periods": len(played.times)},
        "notes": [verified_as, *why_not],
    }


def witness_of(plan: Plan) -> Witnessed | str:
    """Return what SimGrid finds, or in one line why it was not asked."""
    try:
        return witnessed(plan)
    except RotaError as fault:
        return f"Not played by SimGrid: {fault}."


def read_plan(file: Path) -> Plan:
    """Return the plan in a file; RotaError if it cannot be read, or is not what it claims to be."""
    return _plan_of(file, text_of(file))


def _plan_of(file: Path, text: str) -> Plan:
    try:
        return plan_in(text)
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
