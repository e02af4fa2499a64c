"""``rota verify``: schedules, by playing them and by all that is proved about them, for ranges of p."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota import verify as violations
from rota.collectives import (
    A_MESSAGE,
    ALGORITHMS,
    COLLECTIVES,
    algorithm_called,
    collective_called,
    collectives_of,
    require_solves,
)
from rota.commands.asked import require_only
from rota.commands.completion import among
from rota.commands.cores import on_all_cores
from rota.commands.output import JsonFile, print_line, print_table, require_folders, write_json
from rota.errors import RotaError
from rota.formats.read import names_file, read_schedule
from rota.hosts import hosts_of
from rota.ranges import parse_rank_range
from rota.show.question import MAX_LANES
from rota.show.words import blocks_beside_bound, rounds_beside_bound, title
from rota.verification.proofs import PROOFS
from rota.verification.propagation import Asked, outcome_of, pairs_of
from rota.vocabulary import counted, mpi_name, violation_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rota import Collective
    from rota.verification.proofs import Proof
    from rota.verification.propagation import Outcome

ALL: Final = "all"
_PROVED_RANKS: Final = "2..4096"
_PLAYED_RANKS: Final = "2..64"
_MOST_BLOCKS: Final = 10**6
"""More take too long to play."""


def verify(
    context: typer.Context,
    algorithm: Annotated[
        str,
        typer.Argument(
            help=f"What to verify: {', '.join(ALGORITHMS)} or {ALL}; or a file: .json or .xml.",
            autocompletion=among(*ALGORITHMS, ALL, "inter-group"),
        ),
    ],
    ranks: Annotated[
        str | None,
        typer.Option(
            help="The numbers of ranks p, such as 17 or 2..4096. Default: 2..4096 for what is proved,"
            " 2..64 for what is played."
        ),
    ] = None,
    collective: Annotated[
        str | None, typer.Option(help=f"Play the schedules of {', '.join(COLLECTIVES)} or {ALL}.")
    ] = None,
    blocks: Annotated[
        str, typer.Option(help="The numbers of blocks, of each owner; whole data is played once.")
    ] = "1,2,3,8",
    lanes: Annotated[
        str, typer.Option(help="The numbers of links of each host, for what is for ranks that share hosts.")
    ] = "1",
    json_file: JsonFile = None,
) -> None:
    """Verify an algorithm's schedules for all ranks of every p in a range, on all cores; or that in a file.

    Schedules are played, round by round: at most one message each way, what is sent is there and received,
    and at the end every rank holds what it should, each part combined once, in order where that matters; all
    roots up to p = 16, then some. Ranks of hierarchical share hosts, in a row and dealt in turn; the bounds
    know of none. Without --collective also what the papers prove is checked: of circulant only that, the four
    conditions and the bounds of paper 1; of two_tree Lemma 1 of paper 4.

    Prints what was checked and the largest counts beside their bounds. If anything is wrong, prints all of it
    and exits with status 1.
    """
    if names_file(algorithm):
        require_only(context, ("algorithm", "json_file"), f"{algorithm} says what it is of")
        require_folders(json_file)
        _verify_given(Path(algorithm), json_file)
        return
    chosen = ALGORITHMS if algorithm == ALL else (algorithm_called(algorithm, ALL),)
    played = _collectives(chosen, collective)
    proofs = [(name, PROOFS[name]()) for name in chosen if name in PROOFS and collective is None]
    numbers, links = _numbers("--blocks", blocks, _MOST_BLOCKS), _numbers("--lanes", lanes, MAX_LANES)
    require_folders(json_file)
    for name, proof in proofs:
        _prove(name, proof, parse_rank_range(ranks or _PROVED_RANKS), json_file)
    outcomes: list[Outcome] = []
    if played:
        counts = parse_rank_range(ranks or _PLAYED_RANKS)
        outcomes = _played(Asked(pairs_of(chosen, played), counts, numbers, links), json_file)
    if json_file:
        write_json(json_file, as_json(proofs, outcomes))
    if any(proof.faults for _, proof in proofs) or any(outcome.faults for outcome in outcomes):
        raise typer.Exit(1)


def _verify_given(file: Path, json_file: Path | None) -> None:
    """Play the schedule that a file holds; print all that is wrong with it, or what it takes."""
    given = read_schedule(file)
    schedule = given.schedule
    faults = violations(schedule)
    for fault in faults:
        print_line(violation_words(fault), json_file)
    effort, least = schedule.effort(), schedule.lower_bound()
    verdict = counted(len(faults), "fault") if faults else "correct"
    hosts = hosts_of(schedule.problem)
    print_line(f"{title(given.name, schedule.problem, hosts).strip()}: {verdict}", json_file)
    print_line(rounds_beside_bound(schedule), json_file)
    print_line(blocks_beside_bound(schedule, effort.port_blocks, "the busiest port"), json_file)
    if json_file:
        facts = {"rounds": effort.rounds, "port_blocks": effort.port_blocks}
        bounds = {"bound_rounds": least.rounds, "bound_port_blocks": least.port_blocks}
        told = [
            {
                "round": fault.round,
                "rank": fault.rank,
                "owner": fault.block.owner,
                "index": fault.block.index,
                "fault": fault.fault,
            }
            for fault in faults
        ]
        write_json(json_file, {"name": given.name, **facts, **bounds, "faults": told})
    if faults:
        raise typer.Exit(1)


def as_json(proofs: Iterable[tuple[str, Proof]], outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Return what was proved and what was played: all that was counted, and all faults."""
    return {
        "proofs": [{"algorithm": name, **asdict(proof)} for name, proof in proofs],
        "played": [{**asdict(one), "collective": mpi_name(one.collective.name)} for one in outcomes],
    }


def _collectives(chosen: tuple[str, ...], collective: str | None) -> tuple[Collective, ...]:
    """Return the collectives whose schedules are to be played."""
    if collective is None and chosen == ("circulant",):
        return ()
    if collective in (None, ALL):
        return collectives_of(chosen[0]) if len(chosen) == 1 else tuple(COLLECTIVES.values())
    asked = collective_called(str(collective), ALL)
    if len(chosen) == 1:
        require_solves(chosen[0], asked)
    return (asked,)


def _numbers(option: str, text: str, most: int) -> tuple[int, ...]:
    numbers = [int(word) if word.strip().isdecimal() else 0 for word in text.split(",")]
    if not 1 <= min(numbers) <= max(numbers) <= most:
        raise RotaError(f"{option} {text!r} is no list of numbers from 1 to {most}: write it as 1,2,8")
    return tuple(dict.fromkeys(numbers))


def _prove(name: str, proof: Proof, counts: range, json_file: Path | None) -> None:
    """Check what is proved, and print the outcome."""
    start_s = perf_counter()
    for count_in in on_all_cores(proof.check, reversed(counts), len(counts), f"proofs of {name}"):
        count_in()
    for fault in proof.faults:
        print_line(fault, json_file)
    print_line(proof.summary(counts, perf_counter() - start_s), json_file)


def _played(asked: Asked, json_file: Path | None) -> list[Outcome]:
    """Play schedules, print the outcome and return it."""
    start_s = perf_counter()
    outcomes: dict[tuple[Collective, str], Outcome] = {}
    for outcome in on_all_cores(outcome_of, asked.tasks(), len(asked), "playing schedules"):
        key = outcome.collective, outcome.algorithm
        outcomes[key] = outcomes[key].and_of(outcome) if key in outcomes else outcome
    faults = [fault for outcome in outcomes.values() for fault in outcome.faults]
    for fault in faults:
        print_line(fault, json_file)
    found = sorted(outcomes.values(), key=_place)
    print_table(_table(found), json_file)
    schedules = sum(outcome.schedules for outcome in found)
    verdict = counted(len(faults), "fault") if faults else "all correct"
    print_line(f"{counted(schedules, 'schedule')} in {perf_counter() - start_s:.1f} s: {verdict}", json_file)
    return found


def _place(outcome: Outcome) -> tuple[int, int]:
    collectives = tuple(COLLECTIVES.values())
    return collectives.index(outcome.collective), ALGORITHMS.index(outcome.algorithm)


def _table(outcomes: Iterable[Outcome]) -> Table:
    table = Table(box=SIMPLE_HEAD, caption=f"The bound: with {A_MESSAGE}.", caption_justify="left")
    table.add_column("collective")
    table.add_column("algorithm")
    for heading in ("schedules", "faults", "rounds beyond the bound", "port blocks / bound"):
        table.add_column(heading, justify="right")
    for outcome in outcomes:
        table.add_row(
            mpi_name(outcome.collective.name),
            outcome.algorithm,
            str(outcome.schedules),
            str(len(outcome.faults)),
            str(outcome.rounds_beyond),
            f"{outcome.port_ratio:.2f}",
        )
    return table
