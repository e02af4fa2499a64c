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

from rota import Pattern, length_bytes
from rota._core import parcels, rounds_have_lengths
from rota.drawing.palette import ACCENT, FAINT, INK, QUIET
from rota.errors import RotaError
from rota.patterns.placed import Placed
from rota.units import format_size
from rota.vocabulary import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from rota import Problem, Schedule

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
    """A piece on its way between two ports, in bytes since the start."""

    round: int
    sender: int
    receiver: int
    begin: int
    end: int


class _Ports:
    """The ports of one direction: each rank's, or where ranks share hosts each link's, host by host.

    A host's message takes the link that is free first; a rank has one message at a time there too.
    """

    def __init__(self, problem: Problem) -> None:
        self._hosts = problem.hosts or range(problem.ranks)
        self._links = problem.links
        self._free = [0] * ((max(self._hosts) + 1) * self._links)
        self._ranks_free = [0] * problem.ranks

    def _port(self, rank: int) -> int:
        first = self._hosts[rank] * self._links
        return min(range(first, first + self._links), key=self._free.__getitem__)

    def free_for(self, rank: int) -> int:
        return max(self._free[self._port(rank)], self._ranks_free[rank])

    def take(self, rank: int, until: int) -> int:
        """Return the port that a rank's message takes."""
        port = self._port(rank)
        self._free[port] = self._ranks_free[rank] = until
        return port


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


def permutations_figure(placed: Placed, schedules: dict[str, Schedule]) -> Figure:
    """Draw the schedules one below the other, by their names, all on one scale of time.

    Where ranks share hosts, ports are those of hosts' links, which messages within a host do not pass.
    """
    timed = {name: timed_pieces(schedule) for name, schedule in schedules.items()}
    last = max((piece.end for pieces in timed.values() for piece in pieces), default=1)
    figure = Figure(
        figsize=(_NARROW + _WIDE + 1.5, 1.15 + 3.45 * len(timed)), facecolor="white", layout="constrained"
    )
    grid = figure.add_gridspec(len(timed), 2, width_ratios=(_NARROW, _WIDE))
    for row, (name, pieces) in enumerate(timed.items()):
        rounds = max(1, schedules[name].rounds)
        matrix = figure.add_subplot(grid[row, 0])
        _draw_matrix(matrix, schedules[name], rounds)
        matrix.set_title("who sends to whom", loc="left", fontsize=9, color=INK)
        ports = figure.add_subplot(grid[row, 1])
        _draw_ports(ports, placed, pieces, rounds, last)
        ports.set_title(_title(name, placed, schedules[name]), loc="left", fontsize=9, color=INK)
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


def placed_of(schedule: Schedule) -> Placed:
    """Return the pattern of a schedule, and which of its ranks share hosts."""
    problem = schedule.problem
    return Placed(pattern_of(schedule), tuple(problem.hosts), problem.links)


def timed_pieces(schedule: Schedule) -> list[_Piece]:
    """Return when each piece passes which ports: from its round's beginning on, or once both are free.

    In the order in which they were listed, without those within a host.
    """
    problem = schedule.problem
    table = parcels(schedule)
    if problem.hosts:
        hosts = np.array(problem.hosts)
        table = table[hosts[table[:, 1]] != hosts[table[:, 2]]]
    begins = _begins(schedule, table) if rounds_have_lengths(schedule) else None
    senders, receivers = _Ports(problem), _Ports(problem)
    pieces = []
    for number, sender, receiver, _, size in table.tolist():
        begin = max(senders.free_for(sender), receivers.free_for(receiver))
        if begins is not None:
            begin = int(begins[number])
        end = begin + size
        pieces.append(_Piece(number, senders.take(sender, end), receivers.take(receiver, end), begin, end))
    return pieces


def _begins(schedule: Schedule, table: NDArray[Any]) -> NDArray[Any]:
    """Return when rounds begin, each as long as its longest message."""
    lengths = np.zeros(schedule.rounds + 1, dtype=np.int64)
    np.maximum.at(lengths, table[:, 0] + 1, table[:, 4])
    return np.cumsum(lengths)


def _title(name: str, placed: Placed, schedule: Schedule) -> str:
    rounds = (
        ""
        if name == "ac"
        else f"{counted(schedule.rounds, 'permutation')} (at least {placed.least_permutations}), "
    )
    return f"{name}: {rounds}{length_bytes(schedule)} bytes (at least {placed.port_bytes})"


def _draw_matrix(axes: Axes, schedule: Schedule, rounds: int) -> None:
    """Draw who sends to whom, in the colour of the permutation; pieces of a message are stripes."""
    by_message: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, sender, receiver, _, size in parcels(schedule).tolist():
        by_message.setdefault((sender, receiver), []).append((number, size))
    boxes, colours = [], []
    for (sender, receiver), parts in by_message.items():
        whole = sum(size for _, size in parts)
        left = receiver - 0.5
        for number, size in parts:
            boxes.append(Rectangle((left, sender - 0.5), size / whole, 1))
            colours.append(_colour(number, rounds))
            left += size / whole
    axes.add_collection(PatchCollection(boxes, facecolors=colours, edgecolors="none"))
    ranks = schedule.problem.ranks
    axes.set_xlim(-0.5, ranks - 0.5)
    axes.set_ylim(ranks - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xlabel("receiver, by rank", fontsize=8, color=QUIET)
    axes.set_ylabel("sender, by rank", fontsize=8, color=QUIET)
    _quieten(axes)


def _draw_ports(axes: Axes, placed: Placed, pieces: list[_Piece], rounds: int, last: int) -> None:
    lanes = [(piece.begin, piece.end, piece.sender - _LANE) for piece in pieces]
    lanes += [(piece.begin, piece.end, float(piece.receiver)) for piece in pieces]
    colours = [_colour(piece.round, rounds) for piece in pieces] * 2
    axes.add_collection(
        PolyCollection(
            [_box(*lane) for lane in lanes], facecolors=colours, edgecolors="white", linewidths=0.15
        )
    )
    for port in range(placed.ports + 1):
        axes.axhline(port - 0.5, color=FAINT, linewidth=0.3 if port % placed.links else 0.6, zorder=0)
    axes.axvline(placed.port_bytes, color=ACCENT, linewidth=1.1)
    axes.set_xlim(0, last * 1.01)
    axes.set_ylim(placed.ports - 0.5, -0.5)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: format_size(round(size)) if size else "0"))
    axes.xaxis.set_major_locator(MultipleLocator(_tick(last)))
    axes.set_xlabel("bytes through a port; the line: the least there must be", fontsize=8, color=QUIET)
    axes.set_ylabel(f"{_port_name(placed)}: sends, below: receives", fontsize=8, color=QUIET)
    _quieten(axes)


def _port_name(placed: Placed) -> str:
    if not placed.hosts:
        return "rank"
    return "host" if placed.links == 1 else f"link, {placed.links} of each host"


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
