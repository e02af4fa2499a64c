"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal, get_args

import matplotlib as mpl

from rota.errors import RotaError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

PictureFormat = Literal["svg", "png"]

_PNG_DOTS_PER_INCH: Final = 200


def picture_format(file: Path) -> PictureFormat:
    """Return the format that a file's name ends in; RotaError if that is none."""
    formats: tuple[PictureFormat, ...] = get_args(PictureFormat)
    for one in formats:
        if file.suffix.lower() == f".{one}":
            return one
    raise RotaError(
        f"unknown picture format {file.name!r}: name a file that ends in .{' or .'.join(formats)}"
    )


def rendered(figure: Figure, picture_format: PictureFormat, title: str) -> bytes:
    """Return the figure as a file's content, with its title for whoever cannot see it."""
    origin = {"Creator": "rota", "Date": None} if picture_format == "svg" else {"Software": "rota"}
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rota", "svg.fonttype": "path"}):
        figure.savefig(
            content, format=picture_format, dpi=_PNG_DOTS_PER_INCH, metadata={"Title": title, **origin}
        )
    return content.getvalue()
