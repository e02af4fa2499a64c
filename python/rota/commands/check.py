"""``rota check``: random collectives and random programs by Rota and natively, compared to the bit."""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from rota.check import programs as random_programs
from rota.check.jobs import Check, run
from rota.check.settings import Asked, Setting, SharedMemory, by_mpi_name, settings_in_turn
from rota.check.streams import Bench
from rota.commands.check_answers import as_json, print_outcome, print_programs, programs_as_json
from rota.commands.completion import among
from rota.commands.output import JsonFile, require_folders, write_json
from rota.commands.progress import progress
from rota.errors import RotaError
from rota.library import ABIS
from rota.mpi_install import parse_abi
from rota.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_TIMEOUT_S = 60

# Programs take milliseconds, and a few of them hang natively.
_PROGRAM_TIMEOUT_S = 10


def check(
    *,
    mpi: Annotated[str, typer.Option(help="The MPI: openmpi, mpich or mpi5.", autocompletion=among(*ABIS))],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="How many ranks to start.")],
    cases: Annotated[int, typer.Option(min=1, help="How many random cases to try.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Which random cases.")] = 1,
    case: Annotated[str | None, typer.Option(help="Try this case only: what a failure prints.")] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="The schedules: allreduce=circulant,... Default: all of each collective in turn."),
    ] = None,
    block_bytes: Annotated[
        str | None,
        typer.Option(help="The size of blocks: 64, 4KiB. Default: 64 and Rota's choice in turn."),
    ] = None,
    rounds_in_flight: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="So many rounds under way at once. Default: 1 to 8 in turn."),
    ] = None,
    hosts: Annotated[
        int | None,
        typer.Option(min=1, help="Take the ranks for being on so many hosts. Default: 1, 2 and 3 in turn."),
    ] = None,
    lanes: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Give each host so many links. Default: 1 and 2 in turn."),
    ] = None,
    shared_memory: Annotated[
        SharedMemory | None,
        typer.Option(
            help="Whether messages go through memory that ranks share. Default: on and off in turn."
        ),
    ] = None,
    programs: Annotated[
        int | None, typer.Option(min=1, help="Try so many random programs in place of single collectives.")
    ] = None,
    program: Annotated[
        str | None, typer.Option(help="Try this program only: what a difference prints.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(min=1, help="Seconds after which a case (60) or program (10) counts as hanging."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Try random collectives, every kind of argument that MPI allows, by Rota and by the MPI library.

    Both run in the same job on this machine and must leave the same bits behind. The first case that fails is
    made as small as possible and printed as a command that repeats it; the status is then 1. Where the MPI
    library's own result is not what MPI defines, that is counted and shown, Rota's schedules are held to the
    definition, and the checking goes on.

    With --programs, random programs run in a native job and in one with Rota preloaded, and must see the
    same; the first that does not is printed in C, unless another MPI library sees natively what it does with
    Rota.

    The JSON says what was compared, with which MPI, on how many ranks and with which settings, which cases of
    which seed; how many were tried, came out equal, showed a fault of the MPI library's own or were left out;
    and of each difference what it is and the command that shows it again.
    """
    require_folders(json_file)
    asked = Asked(algorithm, _block_bytes(block_bytes), rounds_in_flight, hosts, lanes, shared_memory)
    if programs is None and program is None:
        case = None if case is None else by_mpi_name(case)
        what = Check(parse_abi(mpi), ranks, seed, cases, case, timeout or _TIMEOUT_S)
        _check_cases(what, settings_in_turn(asked, case), json_file)
        return
    if case is not None:
        raise RotaError("--case is a single collective: leave out --programs and --program, or it")
    bench = Bench(parse_abi(mpi), ranks, timeout or _PROGRAM_TIMEOUT_S)
    settings_in_turn(asked)  # raises RotaError where it means nothing
    variables = asked.environment or None
    _check_programs(random_programs.Check(bench, seed, programs or 1, program, variables), json_file)


def _block_bytes(text: str | None) -> int | None:
    size_bytes = None if text is None else parse_size(text)
    if size_bytes == 0:
        raise RotaError("--block-bytes 0 is no block: give 1 or more")
    return size_bytes


def _check_cases(what: Check, settings: list[Setting], json_file: Path | None) -> None:
    start_s = perf_counter()
    with progress(Console(stderr=True), "checking", what.total) as tell:
        outcome = run(what, settings, tell)
    seconds = perf_counter() - start_s
    print_outcome(outcome, what, seconds, json_file)
    if json_file:
        write_json(json_file, as_json(outcome, what, settings, seconds))
    if outcome.failure:
        raise typer.Exit(1)


def _check_programs(what: random_programs.Check, json_file: Path | None) -> None:
    start_s = perf_counter()
    with _program_progress(what.programs) as (tell, shrinks):
        if what.program is None:
            outcome = random_programs.run(what, tell, shrinks)
        else:
            outcome = random_programs.try_one(what, what.program, shrinks)
    seconds = perf_counter() - start_s
    print_programs(outcome, what, seconds, json_file)
    if json_file:
        write_json(json_file, programs_as_json(outcome, what, seconds))
    if outcome.difference:
        raise typer.Exit(1)


@contextmanager
def _program_progress(
    total: int,
) -> Iterator[tuple[Callable[[int], object], Callable[[str], object]]]:
    """Show how many programs have ended, and what is left of one that differs."""
    notes = Console(stderr=True)
    with progress(notes, "checking", total) as tell:
        yield tell, lambda text: tell(0, f"shrinking: {len(text)} letters")
