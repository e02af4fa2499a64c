"""Marks on the axes of curves: where they stand, and what they say; and how curves are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axis import Axis

CURVE_COLOURS: Final = (
    "#1f5f8b",
    "#c8552b",
    "#4f9d69",
    "#8a5fa8",
    "#c79a2b",
    "#4cb0c0",
    "#7d4b3a",
    "#d277a0",
)
CURVE_MARKS: Final = "osD^vPX*"
"""Of the first curve, of the second, and so on: colours alone, not everybody can tell apart."""


def plain(value: float) -> str:
    """Return a number as short as it can be written: ``1.5``."""
    return f"{value:g}"


def size_text(value: float) -> str:
    """Return a number of bytes: ``64 KiB``."""
    return format_size(int(value))


def mark(axis: Axis, values: Iterable[float], text: Callable[[float], str] = plain) -> None:
    """Have an axis marked at these values and nowhere else, each with its text."""
    axis.set_major_locator(FixedLocator([float(value) for value in values]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: text(value)))
    axis.set_minor_locator(NullLocator())
