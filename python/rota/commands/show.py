"""``rota show``: a schedule as table, JSON or picture, beside the least possible number of rounds."""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

from rota import Collective, Schedule, schedule
from rota._core import circulant_schedule, circulant_skips
from rota.drawing.broadcast import broadcast_figure, title
from rota.drawing.render import PictureFormat, rendered
from rota.drawing.table import Column, table
from rota.drawing.trace import trace
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_RANKS: Final = 2**31 - 1
MAX_BLOCKS: Final = 10**15
MAX_TABLE_RANKS: Final = 1024
MAX_PICTURE_RANKS: Final = 128
MAX_PICTURE_ROUNDS: Final = 128
"""Wider tables and larger pictures cannot be read."""

_ALGORITHMS: Final = ("circulant",)
_PICTURES: Final = get_args(PictureFormat)
_FORMATS: Final = ("table", "json", *_PICTURES)

Algorithm = Annotated[str, typer.Argument(help="The algorithm: circulant.")]
Ranks = Annotated[int, typer.Option(help="How many ranks there are: p.")]
Rank = Annotated[int | None, typer.Option(help="Show this rank only. Table and JSON: at once for any p.")]
Root = Annotated[int, typer.Option(help="The rank that broadcasts; the others count from it, modulo p.")]
Blocks = Annotated[
    int | None, typer.Option(help="How many blocks are broadcast. Default: any number; in a picture 2 q + 1.")
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="table, json, svg or png. Default: what --output ends in, else table."),
]
Output = Annotated[Path | None, typer.Option(help="Write to this file.")]


@dataclass(frozen=True)
class _Question:
    """Whose schedules are wanted: those of all ranks, or of one."""

    ranks: int
    root: int
    rank: int | None

    @property
    def skips(self) -> list[int]:
        """The q skips, without skip[q] = p."""
        return circulant_skips(self.ranks)[:-1]

    def columns(self) -> Iterator[Column]:
        """Compute the schedules one by one, O(log p) each."""
        for rank in range(self.ranks) if self.rank is None else (self.rank,):
            found = circulant_schedule(self.ranks, (rank - self.root) % self.ranks)
            yield Column(rank, found.baseblock, tuple(found.receive), tuple(found.send))

    def broadcast(self, blocks: int) -> Schedule:
        """Return the broadcast of `blocks` blocks."""
        return schedule(Collective.broadcast, "circulant", ranks=self.ranks, root=self.root, blocks=blocks)


def show(
    algorithm: Algorithm,
    ranks: Ranks,
    rank: Rank = None,
    root: Root = 0,
    blocks: Blocks = None,
    format_: Format = None,
    output: Output = None,
) -> None:
    """Show which blocks the ranks receive and send in rounds 0 to q - 1, where q = ceil(log2 p).

    Every q rounds later all block numbers have grown by q; below zero there is no block yet.

    JSON: {"ranks": p, "skips": the q skips, without p itself, "schedules": [{"rank", "baseblock", "receive",
    "send"}, ...]}, and if the root is not 0 also "root". svg and png: a picture of the broadcast.
    """
    if algorithm not in _ALGORITHMS:
        raise RotaError(f"unknown algorithm {algorithm!r}: choose {' or '.join(_ALGORITHMS)}")
    _require("--ranks", ranks, 1, MAX_RANKS)
    _require("--root", root, 0, ranks - 1)
    _require("--rank", rank, 0, ranks - 1)
    _require("--blocks", blocks, 1, MAX_BLOCKS)
    question = _Question(ranks, root, rank)
    match _format(format_, output):
        case "table":
            _write_text(_table(question, blocks, _width(output)), output)
        case "json":
            _write_text(_json(question), output)
        case "svg" | "png" as picture_format:
            _write_bytes(_picture(question, blocks, picture_format), output)


def _require(option: str, value: int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise RotaError(f"{option} {value} is out of range: choose from {least} to {most}")


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


def _table(question: _Question, blocks: int | None, width: int | None) -> Iterator[str]:
    if question.rank is None:
        _require_few(question.ranks, MAX_TABLE_RANKS, "a table")
    skips = question.skips
    root = f", root {question.root}" if question.root else ""
    yield " ".join([f"p = {question.ranks}, q = {len(skips)}{root}, skips", *map(str, skips)]) + "\n\n"
    yield table(tuple(question.columns()), width) + "\n\n"
    yield _rounds(question, blocks) + "\n"


def _require_few(ranks: int, most: int, what: str) -> None:
    if ranks > most:
        raise RotaError(
            f"{what} of {ranks} ranks is too wide, {most} are the most: use --rank R or --format json"
        )


def _rounds(question: _Question, blocks: int | None) -> str:
    """Return one line on the rounds that the broadcast takes, beside the least possible number."""
    broadcast = question.broadcast(blocks or 1)
    rounds, least = broadcast.rounds, broadcast.lower_bound().rounds
    many = "n - 1 + " if blocks is None and question.ranks > 1 else ""
    return f"broadcast of {blocks or 'n'} blocks: {many}{rounds} rounds; the least possible: {many}{least}"


def _json(question: _Question) -> Iterator[str]:
    """Generate the JSON schedule by schedule, a line each, so that it may be larger than the memory."""
    root = {"root": question.root} if question.root else {}
    head = json.dumps({"ranks": question.ranks, **root, "skips": question.skips})
    yield head.removesuffix("}") + ', "schedules": ['
    for separator, column in zip(chain([""], repeat(",")), question.columns(), strict=False):
        yield f"{separator}\n {json.dumps(dataclasses.asdict(column))}"
    yield "\n]}\n"


def _picture(question: _Question, blocks: int | None, picture_format: PictureFormat) -> bytes:
    if question.rank is not None:
        raise RotaError("a picture shows all ranks: leave out --rank, or use --format table")
    if question.ranks == 1:
        raise RotaError("one rank sends nothing, so there is nothing to draw: choose --ranks from 2")
    _require_few(question.ranks, MAX_PICTURE_RANKS, "a picture")
    broadcast = question.broadcast(blocks or 2 * len(question.skips) + 1)
    if broadcast.rounds > MAX_PICTURE_ROUNDS:
        most = broadcast.problem.blocks - (broadcast.rounds - MAX_PICTURE_ROUNDS)
        raise RotaError(f"{broadcast.rounds} rounds are too many for a picture: choose --blocks up to {most}")
    played = trace(broadcast)
    return rendered(broadcast_figure(played), picture_format, title(played))


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
