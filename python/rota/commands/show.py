"""``rota show``: a schedule as table, JSON or picture, beside the least possible effort."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

from rota.collectives import ALGORITHMS, COLLECTIVES, collective_called, collectives_of, require_solves
from rota.drawing.render import PictureFormat
from rota.errors import RotaError
from rota.show.paper_table import PaperTable
from rota.show.picture import picture
from rota.show.question import Question
from rota.show.steps import Steps

if TYPE_CHECKING:
    from collections.abc import Iterable

_PICTURES: Final = get_args(PictureFormat)
_FORMATS: Final = ("table", "json", *_PICTURES)

Algorithm = Annotated[str, typer.Argument(help=f"The algorithm: {', '.join(ALGORITHMS)}.")]
Ranks = Annotated[int, typer.Option(help="How many ranks there are: p.")]
CollectiveName = Annotated[
    str | None,
    typer.Option(
        "--collective",
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
Format = Annotated[
    str | None,
    typer.Option("--format", help="table, json, svg or png. Default: what --output ends in, else table."),
]
Output = Annotated[Path | None, typer.Option(help="Write to this file.")]


def show(
    algorithm: Algorithm,
    ranks: Ranks,
    collective: CollectiveName = None,
    rank: Rank = None,
    root: Root = 0,
    blocks: Blocks = None,
    per_host: PerHost = None,
    format_: Format = None,
    output: Output = None,
) -> None:
    """Show what the ranks receive, send and combine in every round, and the effort beside the least possible.

    Where ranks share hosts (--per-host, which hierarchical needs), messages over links are marked.

    circulant without --collective and --per-host: which blocks the ranks receive and send in rounds 0 to
    q - 1, where q = ceil(log2 p), as the paper's tables have it. Every q rounds later all block numbers have
    grown by q; below zero there is no block yet. Its JSON: {"ranks": p, "skips": the q skips, without p
    itself, "schedules": [{"rank", "baseblock", "receive", "send"}, ...]}, and if the root is not 0 also
    "root".

    JSON of others: {"algorithm", "collective", "ranks", "hosts" (with --per-host: of each rank), "root",
    "blocks", "rounds", "bound_rounds", "port_blocks", "bound_port_blocks", "trees" (two_tree), "steps":
    [{"rank", "round", "send", "receive", "combine"}, ...]}; what a rank does not do is left out. svg and png:
    a picture of all rounds.
    """
    solved = collectives_of(algorithm)
    if collective is not None:
        require_solves(algorithm, collective_called(collective))
    asked = collective_called(collective) if collective else solved[0]
    question = Question(algorithm, asked, ranks, root, rank, blocks, per_host)
    is_of_paper = algorithm == "circulant" and collective is None and per_host is None
    view = PaperTable(question) if is_of_paper else Steps(question)
    match _format(format_, output):
        case "table":
            _write_text(view.text(_width(output)), output)
        case "json":
            _write_text(view.json(), output)
        case "svg" | "png" as picture_format:
            _write_bytes(picture(question, picture_format), output)


def _format(format_: str | None, output: Path | None) -> str:
    """Return the format asked for, else the one that the file's suffix names, else the table."""
    suffix = output.suffix.removeprefix(".") if output else ""
    chosen = format_ or (suffix if suffix in _FORMATS else "table")
    if chosen not in _FORMATS:
        raise RotaError(f"unknown format {chosen!r}: choose {', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}")
    if chosen in _PICTURES and not output and sys.stdout.isatty():
        raise RotaError(f"a terminal cannot show {chosen}: name a file with --output FILE.{chosen}")
    return chosen


def _width(output: Path | None) -> int | None:
    """Return how many characters fit into a line; None where lines may have any length."""
    return shutil.get_terminal_size().columns if output is None and sys.stdout.isatty() else None


def _write_text(parts: Iterable[str], output: Path | None) -> None:
    if output is None:
        sys.stdout.writelines(parts)
        return
    try:
        with output.open("w", encoding="utf-8") as file:
            file.writelines(parts)
    except OSError as fault:
        raise _unwritable(output, fault) from fault


def _write_bytes(content: bytes, output: Path | None) -> None:
    if output is None:
        typer.get_binary_stream("stdout").write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as fault:
        raise _unwritable(output, fault) from fault


def _unwritable(output: Path, fault: OSError) -> RotaError:
    return RotaError(f"cannot write {output}: {fault.strerror}; name another file with --output")
