"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final, Literal, get_args

from rota.errors import RotaError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

PictureFormat = Literal["svg", "png", "pdf"]

_PNG_DOTS_PER_INCH: Final = 200
_ORIGIN: Final[dict[PictureFormat, dict[str, str | None]]] = {
    "svg": {"Creator": "rota", "Date": None},
    "png": {"Software": "rota"},
    "pdf": {"Creator": "rota", "CreationDate": None},
}


def picture_format(file: Path) -> PictureFormat:
    """Return the format that a file's name ends in; RotaError if that is none."""
    formats: tuple[PictureFormat, ...] = get_args(PictureFormat)
    for one in formats:
        if file.suffix.lower() == f".{one}":
            return one
    *others, last = (f".{one}" for one in formats)
    raise RotaError(
        f"unknown picture format {file.name!r}: name a file that ends in {', '.join(others)} or {last}"
    )


def rendered(figure: Figure, picture_format: PictureFormat, title: str) -> bytes:
    """Return the figure as a file's content, with its title for whoever cannot see it."""
    import matplotlib as mpl  # noqa: PLC0415 - takes longer to load than most commands to answer

    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rota", "svg.fonttype": "path"}):
        figure.savefig(
            content,
            format=picture_format,
            dpi=_PNG_DOTS_PER_INCH,
            metadata={"Title": title, **_ORIGIN[picture_format]},
        )
    return content.getvalue()
