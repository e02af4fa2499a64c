"""``rota check``: random collectives by Rota and natively in one job, compared to the bit."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from rota.check.jobs import NATIVE, Check, Outcome, run
from rota.check.settings import Setting, settings_in_turn
from rota.commands.output import print_line, print_table
from rota.mpi_install import parse_abi


def check(
    *,
    mpi: Annotated[str, typer.Option(help="The MPI: openmpi, mpich or mpi5.")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="How many ranks to start.")],
    cases: Annotated[int, typer.Option(min=1, help="How many random cases to try.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Which random cases.")] = 1,
    case: Annotated[str | None, typer.Option(help="Try this case only: what a failure prints.")] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="The schedules: allreduce=circulant,... Default: all of each collective in turn."),
    ] = None,
    block_bytes: Annotated[
        int | None, typer.Option(min=1, help="The size of blocks. Default: 64 and Rota's choice in turn.")
    ] = None,
    hosts: Annotated[
        int | None,
        typer.Option(min=1, help="Take the ranks for being on so many hosts. Default: 1, 2 and 3 in turn."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds after which one case counts as hanging.")
    ] = 60,
) -> None:
    """Try random collectives, every kind of argument that MPI allows, by Rota and by the MPI library.

    Both run in the same job on this machine and must leave the same bits behind. The first case that fails is
    made as small as possible and printed as a command that repeats it; the status is then 1.
    """
    what = Check(parse_abi(mpi), ranks, seed, cases, case, timeout)
    settings = settings_in_turn(algorithm, block_bytes, hosts, case)
    start_s = perf_counter()
    outcome = _with_progress(what, settings)
    _print(outcome, what, perf_counter() - start_s)
    if outcome.failure:
        raise typer.Exit(1)


def _with_progress(what: Check, settings: list[Setting]) -> Outcome:
    notes = Console(stderr=True)
    with Progress(console=notes, transient=True, disable=not notes.is_terminal) as progress:
        task = progress.add_task("checking", total=what.total)
        return run(what, settings, lambda done: progress.update(task, completed=done))


def _print(outcome: Outcome, what: Check, seconds: float) -> None:
    where = f"{what.ranks} ranks, {what.abi}"
    if outcome.failure:
        print_line(f"{where}: {outcome.failure.fault}")
        print_line(outcome.failure.command)
        return
    print_line(f"{where}: {outcome.tried} cases in {seconds:.1f} s, all equal")
    for reason, count in sorted(outcome.skipped.items()):
        print_line(f"  {count:6} left out: {reason}")
    by_schedules = sum(
        calls for (_, schedule), calls in outcome.served.items() if not schedule.startswith(NATIVE)
    )
    print_line(f"  {by_schedules:6} of Rota's {outcome.served.total()} calls were served by schedules")
    print_table(_table(outcome))


def _table(outcome: Outcome) -> Table:
    table = Table(title="Rota's calls", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("collective", "schedule", "calls"):
        table.add_column(heading, justify="right" if heading == "calls" else "left")
    for (collective, schedule), calls in sorted(outcome.served.items()):
        table.add_row(collective, schedule, str(calls))
    return table
