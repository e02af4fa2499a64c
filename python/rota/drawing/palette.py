"""Colours: one ramp for the blocks, in the order in which they leave the root, and one accent."""

from __future__ import annotations

from typing import Final

from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

INK: Final = "#22303c"
QUIET: Final = "#71808d"
FAINT: Final = "#d8dee3"
PAPER: Final = "#ffffff"
SHADE: Final = "#eef1f3"
ACCENT: Final = "#c8552b"
"""The last block: the one whose way through the ranks makes the bound."""

TREE_COLOURS: Final = ("#255f8e", ACCENT)
"""Edges of colour 0 and of colour 1."""

_RAMP: Final = LinearSegmentedColormap.from_list(
    "rota.blocks", ["#cbe3d4", "#9fcec5", "#68b0b8", "#3a8aa8", "#255f8e", "#1c376b"]
)
"""Luminance falls evenly along the ramp, so that a later block is a darker one, also in print."""


def block_colours(blocks: int) -> tuple[str, ...]:
    """Return the colour of each of `blocks` blocks: the ramp, and the accent for the last one."""
    return (*ramp(blocks - 1), ACCENT)


def ramp(count: int) -> tuple[str, ...]:
    """Return `count` colours, each darker than the one before."""
    return tuple(to_hex(_RAMP(index / max(1, count - 1))) for index in range(count))


def ink_on(colour: str) -> str:
    """Return what can be read on a colour: white or ink, whichever contrasts more."""
    luminance = _luminance(colour)
    on_white = (1 + 0.05) / (luminance + 0.05)
    on_ink = (luminance + 0.05) / (_luminance(INK) + 0.05)
    return PAPER if on_white > on_ink else INK


def _luminance(colour: str) -> float:
    """Return the relative luminance, 0 for black to 1 for white, with the exponent 2.2 for sRGB's curve."""
    red, green, blue = (channel**2.2 for channel in to_rgb(colour))
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
