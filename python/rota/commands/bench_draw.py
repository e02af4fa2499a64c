"""``rota bench draw``: the picture of what a benchmark has measured before, from its JSON."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated, Any

import typer

from rota.commands.output import require_folders, require_picture, write_picture
from rota.errors import RotaError


def draw(
    file: Annotated[
        Path, typer.Argument(help="What rota bench, or rota reproduce --lab, has written by --json.")
    ],
    plot: Annotated[Path, typer.Option("--plot", help="Draw it into this file: .svg, .png or .pdf.")],
) -> None:
    """Draw what was measured before: what --plot would have drawn then, as pictures are drawn now.

    The JSON is that of any rota bench that has --plot, or of rota reproduce PAPER --lab; the picture names
    the command that measured.
    """
    require_folders(plot)
    require_picture(plot)
    lines = _lines_of(file)
    from rota.bench.pictures import of_json  # noqa: PLC0415 - loads matplotlib

    try:
        picture, source = of_json(lines), str(lines[0]["command"])
    except (AttributeError, LookupError, TypeError, ValueError):
        raise RotaError(
            f"{file} has nothing to draw: name what a rota bench that has --plot, or rota reproduce --lab,"
            " has written by --json"
        ) from None
    write_picture(plot, picture, source)


def _lines_of(file: Path) -> list[Any]:
    """Return the file's only value, or that of each of its lines; none of no JSON."""
    try:
        text = file.read_text()
    except OSError as fault:
        raise RotaError(f"cannot read {file}: {fault.strerror}; name a file of rota bench's --json") from None
    except UnicodeDecodeError:
        return []
    for parts in ([text], text.splitlines()):
        try:
            return [json.loads(part) for part in parts]
        except ValueError:
            continue
    return []
