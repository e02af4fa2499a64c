"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PictureFormat = Literal["svg", "png"]

_PNG_DOTS_PER_INCH: Final = 200


def rendered(figure: Figure, picture_format: PictureFormat, title: str) -> bytes:
    """Return the figure as a file's content, with its title for whoever cannot see it."""
    origin = {"Creator": "rota", "Date": None} if picture_format == "svg" else {"Software": "rota"}
    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rota", "svg.fonttype": "path"}):
        figure.savefig(
            content, format=picture_format, dpi=_PNG_DOTS_PER_INCH, metadata={"Title": title, **origin}
        )
    return content.getvalue()
