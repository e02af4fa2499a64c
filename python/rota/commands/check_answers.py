"""How ``rota check`` tells what came out: lines and a table for people, JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.check.jobs import NATIVE
from rota.commands.output import print_line, print_table
from rota.mpi_install import FAMILY, find_install, version_of
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rota.check import programs
    from rota.check.jobs import Check, Failure, Outcome
    from rota.check.settings import Setting
    from rota.library import Abi

# Of programs that are left out, and of native faults, so many are named.
_SHOWN: Final = 8

_COLLECTIVES: Final = (
    "collectives by Rota and by the MPI library in one job: what they leave in memory, return and say of what"
    " came, to the bit"
)
_PROGRAMS: Final = "programs in a native job and in one with Rota preloaded: all that their ranks see"


def print_outcome(outcome: Outcome, what: Check, seconds: float, json_file: Path | None) -> None:
    """Print what came of collectives."""
    where = f"{counted(what.ranks, 'rank')}, {what.abi}"
    if outcome.failure:
        print_line(f"{where}: {outcome.failure.fault}", json_file)
        print_line(outcome.failure.command, json_file)
        return
    natively = (
        f"{outcome.native_cases} with a fault of the MPI library's own, else " if outcome.native else ""
    )
    print_line(
        f"{where}: {counted(outcome.tried, 'case')} in {seconds:.1f} s, {natively}all equal", json_file
    )
    for fault in outcome.native[:_SHOWN]:
        print_line(f"  natively, {fault.fault}", json_file)
        print_line(f"    {fault.command}", json_file)
    for reason, count in sorted(outcome.skipped.items()):
        print_line(f"  {count:6} left out: {reason}", json_file)
    by_schedules = sum(
        calls for (_, schedule), calls in outcome.served.items() if not schedule.startswith(NATIVE)
    )
    calls = outcome.served.total()
    print_line(f"  {by_schedules:6} of Rota's {calls} calls were served by schedules", json_file)
    print_table(_table(outcome), json_file)


def print_programs(
    outcome: programs.Outcome, what: programs.Check, seconds: float, json_file: Path | None
) -> None:
    """Print what came of programs."""
    where = f"{counted(what.bench.ranks, 'rank')}, {what.bench.abi}"
    if difference := outcome.difference:
        print_line(f"{where}: {difference.fault}", json_file)
        print_line(difference.command, json_file)
        if difference.in_c:
            print_line(difference.in_c, json_file)
        return
    print_line(f"{where}: {counted(outcome.tried, 'program')} in {seconds:.1f} s, all alike", json_file)
    for reason, numbers in sorted(outcome.skipped.items()):
        some = " ".join(map(str, numbers[:_SHOWN])) + (" ..." if len(numbers) > _SHOWN else "")
        print_line(f"  {len(numbers):6} left out: {reason} ({some})", json_file)


def as_json(outcome: Outcome, what: Check, settings: Iterable[Setting], seconds: float) -> dict[str, Any]:
    """Return what was tried of collectives, and what came of it."""
    return {
        "compared": _COLLECTIVES,
        **_where(what.abi, what.ranks),
        **_which(what.seed, "cases", what.cases, "case", what.case),
        "settings": [setting.environment for setting in settings],
        "seconds": seconds,
        "tried": outcome.tried,
        "equal": outcome.equal,
        "native_faults": outcome.native_cases,
        "skipped": dict(sorted(outcome.skipped.items())),
        "served": [
            {"collective": collective, "schedule": schedule, "calls": calls}
            for (collective, schedule), calls in sorted(outcome.served.items())
        ],
        "first_native_faults": [_failure(fault) for fault in outcome.native],
        "differences": [_failure(outcome.failure)] if outcome.failure else [],
    }


def programs_as_json(outcome: programs.Outcome, what: programs.Check, seconds: float) -> dict[str, Any]:
    """Return what was tried of programs, and what came of it; those that are left out by their numbers."""
    differs = outcome.difference
    return {
        "compared": _PROGRAMS,
        **_where(what.bench.abi, what.bench.ranks),
        **_which(what.seed, "programs", what.programs, "program", what.program),
        "settings": None if what.variables is None else [dict(what.variables)],
        "seconds": seconds,
        "tried": outcome.tried,
        "equal": outcome.equal,
        "native_faults": outcome.native_faults,
        "skipped": dict(sorted(outcome.skipped.items())),
        "differences": [{"fault": differs.fault, "command": differs.command, "in_c": differs.in_c}]
        if differs
        else [],
    }


def _where(abi: Abi, ranks: int) -> dict[str, Any]:
    return {"mpi": abi, "mpi_version": version_of(find_install(FAMILY[abi])), "ranks": ranks}


def _which(seed: int, several: str, number: int, single: str, one: str | None) -> dict[str, Any]:
    """Return which are tried: so many of a seed, or one that is named, which is of none."""
    if one is None:
        return {"seed": seed, several: number, single: None}
    return {"seed": None, several: 1, single: one}


def _failure(failure: Failure) -> dict[str, str]:
    return {"fault": failure.fault, "command": failure.command}


def _table(outcome: Outcome) -> Table:
    table = Table(title="Rota's calls", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("collective", "schedule", "calls"):
        table.add_column(heading, justify="right" if heading == "calls" else "left")
    for (collective, schedule), calls in sorted(outcome.served.items()):
        table.add_row(collective, schedule, str(calls))
    return table
