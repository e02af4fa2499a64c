"""Figures as files: the same figure gives the same bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final, Literal, get_args
from warnings import catch_warnings, filterwarnings

from rota.errors import RotaError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

PictureFormat = Literal["svg", "png", "pdf"]

_PNG_DOTS_PER_INCH: Final = 200
_MARGIN: Final = 0.12
_LINE: Final = 0.105
_LETTER: Final = 0.054
"""Inches around the line below a picture, of its height, and of a letter of it."""
_ORIGIN: Final[dict[PictureFormat, dict[str, str | None]]] = {
    "svg": {"Creator": "rota", "Date": None},
    "png": {"Software": "rota"},
    "pdf": {"Creator": "rota", "CreationDate": None},
}


@dataclass(frozen=True)
class Picture:
    """A figure, and its title for whoever cannot see it."""

    figure: Figure
    title: str


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


def rendered(picture: Picture, picture_format: PictureFormat, source: str = "") -> bytes:
    """Return the picture as a file's content; `source`: where it is from, in a line below it."""
    import matplotlib as mpl  # noqa: PLC0415 - takes longer to load than most commands to answer

    content = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rota", "svg.fonttype": "path"}), catch_warnings():
        filterwarnings("ignore", "Glyph")  # names of nodes may have letters that the font does not have
        picture.figure.savefig(
            content,
            format=picture_format,
            dpi=_PNG_DOTS_PER_INCH,
            bbox_inches=_with_line_below(picture.figure, source) if source else None,
            metadata={"Title": picture.title, **_ORIGIN[picture_format]},
        )
    return content.getvalue()


def _with_line_below(figure: Figure, source: str) -> Bbox:
    """Put the line below the figure, broken where it is too long, and return what both take, in inches."""
    from matplotlib.transforms import Bbox  # noqa: PLC0415 - as above

    from rota.drawing.palette import QUIET  # noqa: PLC0415 - loads matplotlib too

    _keep_keys_in_place(figure)
    width, height = map(float, figure.get_size_inches())
    lines = wrap(source, int((width - 2 * _MARGIN) / _LETTER), break_on_hyphens=False)
    strip = _LINE * len(lines) + _MARGIN
    figure.text(
        _MARGIN / width,
        -0.5 * _MARGIN / height,
        "\n".join(lines),
        size=6.5,
        color=QUIET,
        va="top",
        linespacing=1.1,
        parse_math=False,
    )
    return Bbox.from_extents(0, -strip, width, height)


def _keep_keys_in_place(figure: Figure) -> None:
    """Tie keys outside of axes to the figure: else they lie at the edge of what is saved, over the line."""
    if not figure.legends:
        return
    figure.draw_without_rendering()  # the layout, which leaves room for them where they are
    figure.set_layout_engine("none")
    for legend in figure.legends:
        legend.set_bbox_to_anchor((0, 0, 1, 1), figure.transFigure)
