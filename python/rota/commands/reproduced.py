"""What every ``rota reproduce PAPER`` asks, prints and writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rota.commands.output import (
    print_line,
    print_table,
    require_folders,
    require_picture,
    write_json,
    write_picture,
)
from rota.files import write_whole
from rota.reproduce.beside import as_json, as_markdown, lines_of, summary_of, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from rota.reproduce.beside import Part

MarkdownFile = Annotated[Path | None, typer.Option("--markdown", help="Write it all as a page to this file.")]


def require_writable(plot: Path | None, json_file: Path | None, markdown: Path | None) -> None:
    """Raise RotaError if one of the files cannot be written, before the work."""
    require_folders(plot, json_file, markdown)
    require_picture(plot)


def print_part(part: Part, json_file: Path | None) -> None:
    """Print a part as soon as it is there."""
    print_table(table_of(part), json_file)
    for line in lines_of(part):
        print_line(line, json_file)


def finish(
    paper: str,
    command: str,
    parts: Sequence[Part],
    *,
    json_file: Path | None,
    markdown: Path | None,
    plot: Path | None,
    picture: Callable[[], Figure],
) -> None:
    """Print the verdicts and write the files that are asked for; `picture` draws the parts."""
    print_table(summary_of(parts), json_file)
    if json_file:
        write_json(json_file, as_json(parts))
    if markdown:
        write_whole(markdown, as_markdown(paper, command, parts))
    if plot:
        write_picture(plot, picture(), paper)
