"""The command ``rota``: its subcommands, and what becomes of a user's fault."""

import sys
from typing import Any, NoReturn

import typer
import typer.core

from rota.bench.names import COLLECTIVES
from rota.commands import (
    all_to_many,
    bench,
    bench_all,
    bench_colouring,
    bench_inter_group,
    bench_never_slower,
    bench_schedules,
    bench_smpi,
    bench_stream,
    certify,
    check,
    explain,
    inter_group,
    lab,
    lib,
    plan,
    platform,
    reproduce,
    reproduce_inter_group,
    reproduce_steady,
    run,
    show,
    simulate,
    timetable,
    tune,
    verify,
)
from rota.errors import RotaError

_INTER_GROUP = "inter-group"


class _Words(typer.core.TyperGroup):
    """Takes ``show inter-group`` and its like for one word: they have options of their own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - its class is typer's own
        """Join the two words."""
        if args[1:2] == [_INTER_GROUP] and f"{args[0]} {_INTER_GROUP}" in self.commands:
            args = [f"{args[0]} {_INTER_GROUP}", *args[2:]]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Words,
    name="rota",
    help="Collective communication with schedules that are provably the best.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# Everything after the program's name is the program's.
_program = {"allow_interspersed_args": False, "ignore_unknown_options": True}

_lab = typer.Typer(
    help="An emulated cluster on this machine: hosts with links of set rates.", no_args_is_help=True
)
_bench = typer.Typer(help="Measure, side by side with what there is without Rota.", no_args_is_help=True)
_reproduce = typer.Typer(
    help="What the papers print, computed again and shown beside it.", no_args_is_help=True
)
_platform = typer.Typer(
    help="Heterogeneous platforms: processors, routers, links; files in four forms.", no_args_is_help=True
)
_plan = typer.Typer(
    help="The exactly optimal stream of operations on a heterogeneous platform.", no_args_is_help=True
)
app.add_typer(_lab, name="lab")
app.add_typer(_bench, name="bench")
app.add_typer(_reproduce, name="reproduce")
app.add_typer(_platform, name="platform")
app.add_typer(_plan, name="plan")

app.command("run", context_settings=_program)(run.run)
app.command("lib")(lib.lib)
app.command("flags")(lib.flags)
app.command("show")(show.show)
app.command("verify")(verify.verify)
app.command("simulate")(simulate.simulate)
app.command(f"show {_INTER_GROUP}")(inter_group.show)
app.command(f"verify {_INTER_GROUP}")(inter_group.verify)
app.command(f"simulate {_INTER_GROUP}")(inter_group.simulate_command)
app.command("all-to-many")(all_to_many.all_to_many_command)
app.command("explain")(explain.explain)
app.command("tune")(tune.tune)
app.command("check")(check.check)
_lab.command("run", context_settings=_program)(lab.run)
for _word, _measured in COLLECTIVES.items():
    _help = f"Measure {_measured.function} in the lab: native and Rota alternately in one job, pair by pair."
    _bench.command(_word, help=_help)(bench.collective)
_bench.command(_INTER_GROUP)(bench_inter_group.inter_group)
_bench.command("all")(bench_all.grid)
_bench.command("never-slower")(bench_never_slower.never_slower)
_bench.command("schedules")(bench_schedules.schedules)
_bench.command("smpi")(bench_smpi.smpi)
_bench.command("stream")(bench_stream.stream)
_bench.command("colouring")(bench_colouring.colouring)
_platform.command("generate")(platform.generate)
_platform.command("show")(platform.show)
_platform.command("convert")(platform.convert)
_plan.command("scatter")(plan.scatter)
_plan.command("all-to-all")(plan.all_to_all)
_plan.command("reduce")(plan.reduce)
_plan.command("broadcast")(plan.broadcast)
app.command("certify")(certify.certify)
app.command("timetable")(timetable.timetable)
_reproduce.command("all-to-many")(reproduce.all_to_many)
_reproduce.command(_INTER_GROUP)(reproduce_inter_group.inter_group)
_reproduce.command("steady-state")(reproduce_steady.steady_state)


# What typer raises for words that it cannot parse; the class has no public name of its own.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main() -> None:
    """Run the command; a user's fault is one line on standard error and status 2."""
    try:
        sys.exit(app(standalone_mode=False))
    except RotaError as fault:
        _end(str(fault))
    except _UsageError as fault:
        # Without a message it has printed the help already.
        _end(" ".join(fault.format_message().split()) if str(fault) else "")  # type: ignore[attr-defined]
    except typer.Abort:
        sys.exit(130)


def _end(fault: str) -> NoReturn:
    if fault:
        print(f"rota: {fault}", file=sys.stderr)
    sys.exit(2)
