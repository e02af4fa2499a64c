"""``rota show``: a schedule as table, JSON or picture, beside the least possible effort."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from rota.collectives import (
    ALGORITHMS,
    COLLECTIVES,
    algorithm_called,
    collective_called,
    collectives_of,
    require_solves,
)
from rota.commands.asked import require_only, source_line
from rota.commands.completion import among
from rota.commands.output import JsonFile, PlotFile, require_folders, require_picture
from rota.commands.refuted import tell_if_refuted
from rota.drawing.render import picture_format
from rota.errors import RotaError
from rota.files import write_whole
from rota.formats.read import names_file, read_schedule_or_trace
from rota.run_trace import RunTrace
from rota.show.given import given_question
from rota.show.paper_table import PaperTable
from rota.show.question import Question
from rota.show.steps import Steps

Algorithm = Annotated[
    str,
    typer.Argument(
        help=f"The algorithm: {', '.join(ALGORITHMS)}; or a file with a schedule: .json or .xml.",
        autocompletion=among(*ALGORITHMS, "inter-group"),
    ),
]
Ranks = Annotated[int | None, typer.Option(help="How many ranks there are: p. Not with a file.")]
CollectiveName = Annotated[
    str | None,
    typer.Option(
        "--collective",
        autocompletion=among(*COLLECTIVES),
        help=f"{', '.join(COLLECTIVES)}. Default: the first that the algorithm is for; with circulant, the"
        " paper's table.",
    ),
]
Rank = Annotated[int | None, typer.Option(help="Show this rank only. Table and JSON: at once for any p.")]
Root = Annotated[
    int, typer.Option(help="The root of a broadcast or reduce; the others count from it, modulo p.")
]
Blocks = Annotated[
    int | None,
    typer.Option(
        help="How many blocks there are, of each owner: n. Default: any number in the paper's table, in a"
        " picture 2 q + 1, else 4; in allgather and reduce-scatter 1."
    ),
]
PerHost = Annotated[
    int | None,
    typer.Option(
        help="How many ranks share each host, in a row; the last may have fewer. Default: none share one."
    ),
]
Lanes = Annotated[
    int | None,
    typer.Option(help="How many links each host has, each with a rank of its own to fill it. Default: 1."),
]

Call = Annotated[
    int | None, typer.Option(min=0, help="Of a trace of a run: this call, by its number in the table.")
]


def show(
    context: typer.Context,
    algorithm: Algorithm,
    ranks: Ranks = None,
    collective: CollectiveName = None,
    rank: Rank = None,
    root: Root = 0,
    blocks: Blocks = None,
    per_host: PerHost = None,
    lanes: Lanes = None,
    call: Call = None,
    json_file: JsonFile = None,
    plot: PlotFile = None,
) -> None:
    """Show what the ranks receive, send and combine in every round, and the effort beside the least possible.

    As a table, or as JSON (--json) or a picture (--plot). A file in place of an algorithm: its schedule, in
    Rota's JSON or MSCCL's XML; or the trace of a run that ROTA_TRACE has written: the table lists the calls
    that schedules served, and the picture has one of them (--call; else the longest). A schedule that the
    verifier refutes is shown all the same; standard error says what is wrong first.

    Where ranks share hosts (--per-host, which hierarchical needs), messages over links are marked.

    circulant without --collective and --per-host: which blocks the ranks receive and send in rounds 0 to
    q - 1, where q = ceil(log2 p), as the paper's tables have it. Every q rounds later all block numbers have
    grown by q; below zero there is no block yet. Its JSON: {"ranks": p, "skips": the q skips, without p
    itself, "schedules": [{"rank", "baseblock", "receive", "send"}, ...]}, and if the root is not 0 also
    "root".

    JSON of others: {"algorithm", "collective", "ranks", "hosts" (with --per-host: of each rank), "links" (of
    each host, if several), "root", "owners" (allreduce: the ranks for whose parts its data is cut), "blocks",
    "rounds", "bound_rounds" (with one block of each owner a message), "port_blocks", "bound_port_blocks",
    "trees" (two_tree), "steps": [{"rank", "round", "send", "receive", "combine"}, ...]}; what a rank does not
    do is left out. A picture
    has all rounds.
    """
    require_folders(json_file, plot)
    require_picture(plot)
    if names_file(algorithm):
        given = read_schedule_or_trace(Path(algorithm))
        if isinstance(given, RunTrace):
            require_only(context, ("algorithm", "call", "plot"), f"{algorithm} is the trace of a run")
            _show_trace(given, call, plot)
            return
        require_only(context, ("algorithm", "rank", "json_file", "plot"), f"{algorithm} says what it is of")
        tell_if_refuted(Path(algorithm), given.schedule)
        question: Question = given_question(given, rank)
        _print(Steps(question), question, json_file, plot)
        return
    if call is not None:
        raise RotaError("--call is for the trace of a run: name its file in place of the algorithm")
    if ranks is None:
        raise RotaError("Missing option '--ranks': over how many ranks is it")
    name = algorithm_called(algorithm)
    asked = collective_called(collective) if collective else collectives_of(name)[0]
    require_solves(name, asked)
    question = Question(name, asked, ranks, root, rank, blocks, per_host, lanes)
    is_of_paper = name == "circulant" and collective is None and per_host is None
    _print(PaperTable(question) if is_of_paper else Steps(question), question, json_file, plot)


def _show_trace(trace: RunTrace, call: int | None, plot: Path | None) -> None:
    from rota.commands.show_trace import show_trace  # noqa: PLC0415 - loads matplotlib

    show_trace(trace, call, plot)


def _print(view: PaperTable | Steps, question: Question, json_file: Path | None, plot: Path | None) -> None:
    """Print what was asked for, or write it into files."""
    if json_file:
        write_whole(json_file, view.json())
    if plot:
        from rota.show.picture import picture  # noqa: PLC0415 - loads matplotlib

        write_whole(plot, picture(question, picture_format(plot), source_line()))
    if not (json_file or plot):
        sys.stdout.writelines(view.text(_width()))


def _width() -> int | None:
    """Return how many characters fit into a line; None where lines may have any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
