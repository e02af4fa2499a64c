"""What commands print and write: tables and lines for people, files beside them, progress meanwhile."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from rich.console import Console

from rota.commands.asked import source_line
from rota.commands.progress import progress
from rota.drawing.render import Picture, picture_format, rendered
from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rich.table import Table

_WIDTH_OF_FILES: Final = 150
"""What is not a terminal has no width that a table would have to fit into."""

_Item = TypeVar("_Item")


def named_for_json(file: Path | None) -> Path | None:
    """Return the file; raise RotaError if its name ends as that of something else than JSON."""
    if file and file.suffix.lower() not in ("", ".json"):
        raise RotaError(f"{file.name} would hold JSON: name a file that ends in .json")
    return file


JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        help="Write the outcome as JSON to this file; - is standard output.",
        callback=named_for_json,
    ),
]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Draw it into this file: .svg, .png or .pdf.")]


def console(json_file: Path | None = None) -> Console:
    """Return the way to people: standard output, or standard error where JSON takes that.

    It is as wide as the terminal, or as tables need where there is none.
    """
    is_aside = json_file == STANDARD_OUTPUT
    is_terminal = (sys.stderr if is_aside else sys.stdout).isatty()
    return Console(highlight=False, stderr=is_aside, width=None if is_terminal else _WIDTH_OF_FILES)


def print_table(table: Table, json_file: Path | None = None) -> None:
    """Print a table, where JSON that goes into that file leaves room for it."""
    console(json_file).print(table)


def print_line(line: str, json_file: Path | None = None) -> None:
    """Print a line as it is, however long: no word of it is markup."""
    console(json_file).print(line, markup=False, soft_wrap=True)


def tracked(items: Iterable[_Item], what: str, total: int | None = None) -> Iterator[_Item]:
    """Generate the items and say how far that is; `total` of them, if they have no length."""
    total = len(items) if total is None else total  # type: ignore[arg-type] # they have one
    with progress(Console(stderr=True), what, total) as tell:
        for done, item in enumerate(items):
            tell(done)
            yield item


def require_folders(*files: Path | None) -> None:
    """Raise RotaError if one of these files has no folder, or is one: before the work, not after it."""
    for file in files:
        if file and file.is_dir():
            raise RotaError(f"{file} is a folder: name a file in it")
        if file:
            _require_parent(file)


def require_place(folder: Path | None) -> None:
    """Raise RotaError if a folder is not there, and none in which it can be made."""
    if folder and folder.exists() and not folder.is_dir():
        raise RotaError(f"{folder} is no folder: name one to write into")
    if folder:
        _require_parent(folder)


def _require_parent(file: Path) -> None:
    parent = file.absolute().parent
    if not parent.is_dir():
        raise RotaError(f"there is no folder {parent} to write {file.name} into: make it first")


def require_picture(file: Path | None) -> None:
    """Raise RotaError if the file's name does not say which kind of picture it is to be."""
    if file:
        picture_format(file)


def write_picture(file: Path, picture: Picture, source: str | None = None) -> None:
    """Write a picture in the format that the file's name ends in; RotaError if that cannot be.

    `source`: the command that it is from. Default: the one that is carried out.
    """
    source = source_line() if source is None else source
    write_whole(file, rendered(picture, picture_format(file), source))


def write_json(file: Path, content: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Write JSON to a file or standard output; RotaError if that cannot be."""
    write_whole(file, json.dumps(content, indent=1) + "\n")


def write_measured(file: Path, facts: Mapping[str, Any]) -> None:
    """Write what a benchmark measured as JSON, under the command that did, by which it is drawn again."""
    write_json(file, {"command": source_line(), **facts})
