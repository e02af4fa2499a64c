"""What every ``rota reproduce PAPER`` asks, prints and writes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from rota.commands.output import (
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_measured,
    write_picture,
)
from rota.drawing.render import Picture
from rota.files import write_whole
from rota.reproduce.beside import as_json, as_markdown, lines_of, summary_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from rota.reproduce.beside import Part

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

MarkdownFile = Annotated[Path | None, typer.Option("--markdown", help="Write it all as a page to this file.")]


@dataclass(frozen=True)
class Files:
    """The files that are asked for; RotaError at once if one cannot be written, before the work."""

    json_file: Path | None
    markdown: Path | None
    plot: Path | None

    def __post_init__(self) -> None:
        """Look at their folders and at what kind of picture it is to be."""
        require_folders(self.json_file, self.markdown, self.plot)
        require_picture(self.plot)


def print_part(part: Part, json_file: Path | None) -> None:
    """Print a part as soon as it is there."""
    print_table(table_of(part), json_file)
    for line in lines_of(part):
        print_line(line, json_file)


def finish(
    paper: str,
    command: str,
    parts: Sequence[Part],
    files: Files,
    picture: Callable[[], Figure],
    measured: Mapping[str, Any] = _NOTHING,
) -> None:
    """Print the verdicts and write the files; `picture` draws the parts.

    `command` is without its files, which the page adds, as it shows the picture that is made beside it;
    `measured` is what JSON says besides: where and with what that was, if it was not computed.
    """
    print_table(summary_of(parts), files.json_file)
    if files.json_file:
        write_measured(files.json_file, {"paper": paper, **measured, "parts": as_json(parts)})
    if files.markdown:
        write_whole(files.markdown, _page(paper, command, parts, files.markdown, files.plot))
    if files.plot:
        write_picture(files.plot, Picture(picture(), paper))


def _page(paper: str, command: str, parts: Sequence[Part], markdown: Path, plot: Path | None) -> str:
    drawn = f" --plot {plot}" if plot else ""
    shown = os.path.relpath(plot, markdown.parent) if plot else None
    return as_markdown(paper, f"{command}{drawn} --markdown {markdown}", parts, shown)
