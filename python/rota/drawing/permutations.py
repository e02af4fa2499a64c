"""All-to-many schedules: the matrix coloured by permutation, and what passes every port when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PatchCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MultipleLocator

from rota import Pattern
from rota._core import parcels, rounds_have_lengths
from rota.drawing.palette import ACCENT, FAINT, INK, QUIET
from rota.errors import RotaError
from rota.units import format_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rota import Schedule

MAX_RANKS: Final = 128
MAX_PIECES: Final = 20_000
"""More cannot be seen."""

_COLOURS: Final = LinearSegmentedColormap.from_list(
    "rota.permutations", ["#1c376b", "#2f77a0", "#68b0b8", "#bfdcae", "#f2cf63", "#d9803a"]
)
_LANE: Final = 0.42
"""The height of a port's lane, where a rank has 1: above what it sends, below what it receives."""

_TICKS: Final = 6
_WIDE: Final = 5.6
_NARROW: Final = 3.2


@dataclass(frozen=True)
class _Piece:
    """A piece on its way, in bytes since the start."""

    round: int
    sender: int
    receiver: int
    begin: int
    end: int


def pattern_of(schedule: Schedule) -> Pattern:
    """Return who sends how many bytes to whom in a schedule, whatever its pieces."""
    _, senders, receivers, _, sizes = parcels(schedule).T
    pairs, message = np.unique(senders * schedule.problem.ranks + receivers, return_inverse=True)
    whole = np.zeros(len(pairs), dtype=np.int64)
    np.add.at(whole, message, sizes)
    return Pattern(schedule.problem.ranks, *np.divmod(pairs, schedule.problem.ranks), whole)


def require_drawable(pattern: Pattern, schedules: Sequence[Schedule]) -> None:
    """Raise RotaError for what would be too small to see."""
    if pattern.ranks > MAX_RANKS:
        raise RotaError(
            f"{pattern.ranks} ranks are too many for a picture: draw a pattern of {MAX_RANKS} at most"
        )
    if not len(pattern):
        raise RotaError("there is no message, so there is nothing to draw: give a pattern that has some")
    if max(len(parcels(schedule)) for schedule in schedules) > MAX_PIECES:
        raise RotaError(f"more than {MAX_PIECES} messages are too many for a picture: draw a smaller pattern")


def permutations_figure(pattern: Pattern, schedules: dict[str, Schedule]) -> Figure:
    """Draw the schedules one below the other, by their names, all on one scale of time."""
    timed = {name: timed_pieces(schedule) for name, schedule in schedules.items()}
    last = max(piece.end for pieces in timed.values() for piece in pieces)
    figure = Figure(
        figsize=(_NARROW + _WIDE + 1.5, 1.15 + 3.45 * len(timed)), facecolor="white", layout="constrained"
    )
    grid = figure.add_gridspec(len(timed), 2, width_ratios=(_NARROW, _WIDE))
    for row, (name, pieces) in enumerate(timed.items()):
        rounds = max(1, schedules[name].rounds)
        matrix = figure.add_subplot(grid[row, 0])
        _draw_matrix(matrix, pattern, pieces, rounds)
        matrix.set_title("who sends to whom", loc="left", fontsize=9, color=INK)
        ports = figure.add_subplot(grid[row, 1])
        _draw_ports(ports, pattern, pieces, rounds, last)
        ports.set_title(_title(name, pattern, schedules[name], pieces), loc="left", fontsize=9, color=INK)
    _draw_key(figure)
    return figure


def _draw_key(figure: Figure) -> None:
    """Say what colours mean, below all schedules: each has its own number of permutations."""
    key = figure.colorbar(
        ScalarMappable(cmap=_COLOURS), ax=figure.axes, location="bottom", aspect=60, shrink=0.6
    )
    key.set_ticks([0, 1], labels=["first", "last"])
    key.set_label("permutation in which a message goes (ac: its turn at the sender)", fontsize=8, color=QUIET)
    _quieten(key.ax)


def timed_pieces(schedule: Schedule) -> list[_Piece]:
    """Return when each piece is on its way: from its round's beginning on, or once both ports are free."""
    table = parcels(schedule)
    if rounds_have_lengths(schedule):
        lengths = np.zeros(schedule.rounds + 1, dtype=np.int64)
        np.maximum.at(lengths, table[:, 0] + 1, table[:, 4])
        begins = np.cumsum(lengths)
        return [_Piece(r, s, t, int(begins[r]), int(begins[r]) + size) for r, s, t, _, size in table.tolist()]
    sender_free: dict[int, int] = {}
    receiver_free: dict[int, int] = {}
    pieces = []
    for number, sender, receiver, _, size in table.tolist():
        begin = max(sender_free.get(sender, 0), receiver_free.get(receiver, 0))
        sender_free[sender] = receiver_free[receiver] = begin + size
        pieces.append(_Piece(number, sender, receiver, begin, begin + size))
    return pieces


def _title(name: str, pattern: Pattern, schedule: Schedule, pieces: list[_Piece]) -> str:
    length = max(piece.end for piece in pieces)
    permutations = "" if name == "ac" else f"{schedule.rounds} permutations (at least {pattern.degree}), "
    return f"{name}: {permutations}{length} bytes (at least {pattern.port_bytes})"


def _draw_matrix(axes: Axes, pattern: Pattern, pieces: list[_Piece], rounds: int) -> None:
    """Draw who sends to whom, in the colour of the permutation; pieces of a message are stripes."""
    by_message: dict[tuple[int, int], list[_Piece]] = {}
    for piece in pieces:
        by_message.setdefault((piece.sender, piece.receiver), []).append(piece)
    boxes, colours = [], []
    for (sender, receiver), parts in by_message.items():
        whole = sum(part.end - part.begin for part in parts)
        left = receiver - 0.5
        for part in parts:
            width = (part.end - part.begin) / whole
            boxes.append(Rectangle((left, sender - 0.5), width, 1))
            colours.append(_colour(part.round, rounds))
            left += width
    axes.add_collection(PatchCollection(boxes, facecolors=colours, edgecolors="none"))
    axes.set_xlim(-0.5, pattern.ranks - 0.5)
    axes.set_ylim(pattern.ranks - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xlabel("receiver, by rank", fontsize=8, color=QUIET)
    axes.set_ylabel("sender, by rank", fontsize=8, color=QUIET)
    _quieten(axes)


def _draw_ports(axes: Axes, pattern: Pattern, pieces: list[_Piece], rounds: int, last: int) -> None:
    lanes = [(piece.begin, piece.end, piece.sender - _LANE) for piece in pieces]
    lanes += [(piece.begin, piece.end, float(piece.receiver)) for piece in pieces]
    colours = [_colour(piece.round, rounds) for piece in pieces] * 2
    axes.add_collection(
        PolyCollection(
            [_box(*lane) for lane in lanes], facecolors=colours, edgecolors="white", linewidths=0.15
        )
    )
    for rank in range(pattern.ranks + 1):
        axes.axhline(rank - 0.5, color=FAINT, linewidth=0.3, zorder=0)
    axes.axvline(pattern.port_bytes, color=ACCENT, linewidth=1.1)
    axes.set_xlim(0, last * 1.01)
    axes.set_ylim(pattern.ranks - 0.5, -0.5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: format_size(round(size)) if size else "0"))
    axes.xaxis.set_major_locator(MultipleLocator(_tick(last)))
    axes.set_xlabel("bytes through a port; the line: the least there must be", fontsize=8, color=QUIET)
    axes.set_ylabel("rank: sends, below: receives", fontsize=8, color=QUIET)
    _quieten(axes)


def _tick(last: int) -> int:
    """Return the least power of two of which so many bytes have six at most."""
    return 1 << max(0, (max(1, last) // _TICKS).bit_length())


def _box(begin: int, end: int, top: float) -> NDArray[Any]:
    return np.array([(begin, top), (end, top), (end, top + _LANE), (begin, top + _LANE)])


def _colour(number: int, rounds: int) -> tuple[float, float, float, float]:
    return _COLOURS(number / max(1, rounds - 1))


def _quieten(axes: Axes) -> None:
    axes.tick_params(labelsize=7, colors=QUIET, length=2)
    for spine in axes.spines.values():
        spine.set_color(FAINT)
