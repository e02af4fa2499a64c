"""The command ``rota``: its subcommands, loaded when they are called, and what becomes of a user's fault."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
import typer.core

from rota import __version__
from rota.bench.names import COLLECTIVES
from rota.commands.asked import asked
from rota.errors import RotaError
from rota.streams import make_plain, require_output
from rota.vocabulary import mpi_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Everything after the program's name is the program's.
_PROGRAM: Final = {"allow_interspersed_args": False, "ignore_unknown_options": True}

# Help without frames: what draws them takes longer to load than all else together.
_PLAIN: Final = None


class Later(typer.core.TyperCommand):
    """A command in the list of them: where it is, and what it does, in a line; loaded when it is called."""

    def __init__(
        self, where: str, does: str, *, settings: Mapping[str, Any] | None = None, help_: str | None = None
    ) -> None:
        super().__init__(None, short_help=does, rich_markup_mode=_PLAIN)
        self._where = where
        self._settings = dict(settings or {})
        self._help = help_

    @cached_property
    def function(self) -> Callable[..., None]:
        """What the command does."""
        module, name = self._where.split(":")
        found: Callable[..., None] = getattr(import_module(f"rota.commands.{module}"), name)
        return found

    @cached_property
    def loaded(self) -> Any:  # noqa: ANN401 - its class is typer's own
        """The command itself."""
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=_PLAIN)
        app.command(help=self._help, context_settings=self._settings)(self.function)
        return typer.main.get_command(app)

    def make_context(self, *words: Any, **more: Any) -> Any:  # noqa: ANN401 - they are typer's own
        """Have the command itself take over."""
        return self.loaded.make_context(*words, **more)


class Words(typer.core.TyperGroup):
    """Subcommands, called by any of a collective's names; ``show inter-group`` and its like are one word."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - they are typer's own
        super().__init__(**settings)
        for name, command in self.commands.items():
            command.name = name

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - its class is typer's own
        """Join words that are one; without any, print the help."""
        if not args and not ctx.resilient_parsing:  # as it is while a shell completes words
            print(ctx.get_help())
            raise typer.Exit(2)
        if self._called(" ".join(args[:2])):
            args = [" ".join(args[:2]), *args[2:]]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # noqa: ANN401 - its class is typer's own
        """Return the words that a shell may complete another to; two words, shells would take for one."""
        return [found for found in super().shell_complete(ctx, incomplete) if " " not in found.value]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - its class is typer's own
        """Return the command with that name or, where it is a collective's, another name of it."""
        return self._called(cmd_name)

    def _called(self, name: str) -> Any:  # noqa: ANN401 - its class is typer's own
        return next((each for word, each in self.commands.items() if mpi_name(word) == mpi_name(name)), None)


def _group(help_: str, commands: Mapping[str, Any]) -> Words:
    return Words(help=help_, short_help=help_, commands=dict(commands), rich_markup_mode=_PLAIN)


_LAB: Final = {
    "run": Later("lab:run", "Run an MPI program over hosts whose links have set rates.", settings=_PROGRAM),
    "slurm": Later("lab:slurm", "Run a command beside a real Slurm over such hosts.", settings=_PROGRAM),
}
_BENCH: Final = {
    **{
        word: Later(
            "bench:collective",
            f"Measure {measured.function}.",
            help_=f"Measure {measured.function} in the lab: native and Rota alternately in one job, pair by"
            " pair.",
        )
        for word, measured in COLLECTIVES.items()
    },
    "inter-group": Later("bench_inter_group:inter_group", "Measure MPI_Allgather between two groups."),
    "all": Later("bench_all:grid", "Measure every collective on every size."),
    "never-slower": Later("bench_never_slower:never_slower", "Add up all calls of a fresh installation."),
    "overlap": Later("bench_starts:overlap", "Measure what calls that return at once hide."),
    "persistent": Later("bench_starts:persistent", "Start an allreduce often that is set up once."),
    "schedules": Later("bench_schedules:schedules", "Measure the computation of schedules."),
    "smpi": Later("bench_smpi:smpi", "Simulate Rota beside SimGrid's SMPI."),
    "stream": Later("bench_stream:stream", "Stream operations by a plan, and loop over native ones."),
    "colouring": Later("bench_colouring:colouring", "Measure exact permutations beside rustworkx."),
    "draw": Later("bench_draw:draw", "Draw what was measured before."),
}
_REPRODUCE: Final = {
    "circulant": Later("reproduce_circulant:circulant", "Tables 1 to 4 and Figures 1 and 2 of paper 1."),
    "all-to-many": Later(
        "reproduce_all_to_many:all_to_many", "Tables 1 to 4 and Figures 1, 8 to 10 of paper 2."
    ),
    "inter-group": Later(
        "reproduce_inter_group:inter_group", "Tables I and II and Figures 1 to 4 of paper 3."
    ),
    "two-tree": Later("reproduce_two_tree:two_tree", "Figures 1 to 5 and Table 1 of paper 4."),
    "steady-state": Later("reproduce_steady:steady_state", "Figures 2, 6, 9, 12 and 13 of paper 5."),
}
_PLATFORM: Final = {
    "generate": Later("platform:generate", "Generate a platform."),
    "show": Later("platform:show", "Print a platform's nodes and links, and draw it."),
    "convert": Later("platform:convert", "Convert a platform from one form to another."),
}
_PLAN: Final = {
    "scatter": Later("plan:scatter", "Plan a series of scatters."),
    "all-to-all": Later("plan:all_to_all", "Plan a series of personalized all-to-alls."),
    "reduce": Later("plan:reduce", "Plan a series of reduces."),
    "broadcast": Later("plan:broadcast", "Plan a series of broadcasts."),
}
_COMPLETING: Final = "_ROTA_COMPLETE"
"""Shells that ask for words to complete set this variable: they run what --show-completion prints."""

_COMMANDS: Final = {
    "run": Later("run:run", "Run an MPI program with its collectives served by Rota.", settings=_PROGRAM),
    "info": Later("info:info", "Print what is installed here, the settings in force, and what is missing."),
    "lib": Later("lib:lib", "Print the path of the library to put into LD_PRELOAD."),
    "flags": Later("lib:flags", "Print the compiler's options for a program that calls Rota itself."),
    "show": Later("show:show", "Show a schedule, beside the least possible effort."),
    "verify": Later("verify:verify", "Verify an algorithm's schedules for every p in a range."),
    "simulate": Later("simulate:simulate", "Simulate a collective on a network, or carry out a plan."),
    "show inter-group": Later("show_inter_group:show", "Show an allgather between two groups."),
    "verify inter-group": Later("verify_inter_group:verify", "Verify allgathers between two groups."),
    "simulate inter-group": Later("simulate_inter_group:simulate", "Simulate allgathers between two groups."),
    "simulate hosts": Later(
        "simulate_hosts:simulate_hosts", "Simulate collectives over many hosts of several ranks each."
    ),
    "all-to-many": Later("all_to_many:all_to_many_command", "Schedule who sends how many bytes to whom."),
    "export": Later("export:export", "Write a schedule for other programs: MSCCL, LogGOPSim, Perfetto."),
    "explain": Later("explain:explain", "Show what serves a call of an MPI job, and why."),
    "advise": Later("advise:advise", "Say what there is to gain in a program's collectives, from a report."),
    "tune": Later("tune:tune", "Measure a platform, for Rota to choose by."),
    "check": Later("check:check", "Try random collectives, by Rota and natively, and compare."),
    "certify": Later("certify:certify", "Check what a plan claims."),
    "timetable": Later("timetable:timetable", "Write a plan's timetable, for ranks to carry out."),
    "lab": _group("An emulated cluster on this machine: hosts with links of set rates.", _LAB),
    "bench": _group("Measure, side by side with what there is without Rota.", _BENCH),
    "reproduce": _group("What the papers print, computed again and shown beside it.", _REPRODUCE),
    "platform": _group("Platforms: processors, routers, links; files in four forms.", _PLATFORM),
    "plan": _group("The exactly optimal stream of operations on a heterogeneous platform.", _PLAN),
}


class _All(Words):
    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - they are typer's own
        super().__init__(**{**settings, "commands": dict(_COMMANDS)})


app = typer.Typer(
    cls=_All,
    help="Collective communication with schedules that are provably the best.",
    pretty_exceptions_enable=False,
    rich_markup_mode=_PLAIN,
)


def _print_version(is_asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if is_asked:
        print(f"rota {__version__}")
        raise typer.Exit


@app.callback()
def _of_all_commands(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and end."),
    ] = False,
) -> None:
    pass


# What typer raises for words that it cannot parse; the class has no public name of its own.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


def status_of(words: Sequence[str]) -> int:
    """Run a command line and return its exit status; a user's fault is a line on standard error and 2."""
    make_plain()
    try:
        require_output()
        status = _invoked(words)
        sys.stdout.flush()
    except RotaError as fault:
        return _refused(str(fault))
    except _UsageError as fault:
        return _refused(" ".join(fault.format_message().split()))  # type: ignore[attr-defined]
    except MemoryError:
        return _refused("there is no memory for that: ask for fewer ranks, blocks or messages")
    return status


def _invoked(words: Sequence[str]) -> int:
    command = typer.main.get_command(app)
    if _COMPLETING in os.environ:
        command.main(prog_name="rota")
    try:
        with asked(words), command.make_context("rota", list(words)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0


def _refused(fault: str) -> int:
    print(f"rota: {fault}", file=sys.stderr)
    return 2
