"""A platform: processors filled, routers hollow, links with what they cost, and what flows over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.patches import Circle, FancyArrowPatch

from rota.drawing.palette import ACCENT, FAINT, INK, PAPER, QUIET, ink_on
from rota.drawing.panel import Panel, figure_of
from rota.drawing.platform_key import (
    HEAD,
    KEY_LINE,
    PROCESSOR,
    Entry,
    common_cost,
    common_task,
    cost_text,
    draw_key,
    flows_key,
    links_key,
    nodes_key,
    task_text,
)
from rota.drawing.platform_layout import Floats, places_of
from rota.drawing.render import Picture, picture_format, rendered
from rota.errors import RotaError
from rota.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rota.platforms import Link, Platform

MOST_NODES: Final = 150
"""More cannot be told apart."""

_RADIUS: Final = 0.15
_MARGIN: Final = 0.45
_TITLE: Final = 0.25
_TITLE_LETTER: Final = 0.08
"""Of the title: its height, and inches of a letter."""
_NARROWEST: Final = 3.2
_WIDEST: Final = 20.0
_LINK: Final = 0.95
"""Inches of a link that has one label, and of one whose flows are listed."""
_LINK_WITH_FLOWS: Final = 1.7
_CLOSEST: Final = 0.75
_ASIDE: Final = 0.045
"""How far from the middle line the links of two directions are."""
_LABEL: Final = 6.0
"""Points."""
_DOT: Final = 0.08
"""Lines count as dots so far apart where labels look for room."""
_MOST_LISTED: Final = 6
_MOST_LABELS: Final = 400
"""With more links than that, none has a label: they would hide each other."""


@dataclass(frozen=True)
class Flow:
    """Something that crosses a link: what it is, and how much of it in a unit of time or a period."""

    label: str
    amount: Fraction


@dataclass(frozen=True)
class _Stroke:
    """A line to draw from one node to another."""

    source: str
    target: str
    label: str
    width: float
    colour: str
    is_arrow: bool
    aside: float


@dataclass
class _Page:
    """Places in inches, and where labels are already."""

    places: dict[str, tuple[float, float]]
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Flows:
    """What crosses each link, by its ends; `measure` says of what the amounts are: messages in a period."""

    by_ends: Mapping[tuple[str, str], Sequence[Flow]]
    measure: str


def draw_platform(platform: Platform, path: Path, flows: Flows | None = None, source: str = "") -> None:
    """Draw a platform into a picture file, with flows on its links if there are any, and its source below.

    Raises RotaError for a name of no picture, for more than 150 nodes, and where nothing can be written.
    """
    form = picture_format(path)
    figure = platform_figure(platform, flows)
    write_whole(
        path, rendered(Picture(figure, platform_title(platform, has_flows=flows is not None)), form, source)
    )


def platform_title(platform: Platform, *, has_flows: bool = False) -> str:
    """Return what the picture shows, in a line."""
    if has_flows:
        return f"What flows over {platform.name or 'the platform'}"
    return f"Platform {platform.name}" if platform.name else "A platform"


def platform_figure(platform: Platform, flows: Flows | None = None) -> Figure:
    """Return the picture alone."""
    return figure_of((platform_panel(platform, flows),))


def platform_panel(platform: Platform, flows: Flows | None = None) -> Panel:
    """Return the picture: costs on the links, or, where flows are given, these, as wide as they are large.

    Raises RotaError for more than 150 nodes.
    """
    if len(platform.nodes) > MOST_NODES:
        raise RotaError(
            f"{len(platform.nodes)} nodes cannot be told apart in a picture: at most {MOST_NODES}"
        )
    title = platform_title(platform, has_flows=flows is not None)
    narrowest = max(_NARROWEST, _TITLE_LETTER * len(title))
    page = _page(platform, _LINK if flows is None else _LINK_WITH_FLOWS, narrowest)
    width = max(narrowest, *(x + _MARGIN for x, _ in page.places.values()))
    height = max(y for _, y in page.places.values()) + _MARGIN
    strokes = list(_links(platform) if flows is None else _flows(platform, flows.by_ends))
    key = _key(platform, strokes, flows)

    def draw(axes: Axes) -> None:
        _draw(axes, page, platform, strokes)
        axes.text(0.12, _TITLE, title, color=INK, size=9, va="center", parse_math=False)
        draw_key(axes, height, key)

    return Panel(width, height + KEY_LINE * len(key) + 0.1, draw)


def _draw(axes: Axes, page: _Page, platform: Platform, strokes: Sequence[_Stroke]) -> None:
    for stroke in strokes:
        _draw_line(axes, page, stroke)
    for node in platform.nodes:
        _draw_node(axes, page, platform, node.name)
    if _has_labels(strokes):
        for stroke in sorted(strokes, key=lambda stroke: -len(stroke.label)):
            _draw_label(axes, page, stroke)


def _has_labels(strokes: Sequence[_Stroke]) -> bool:
    return len(strokes) <= _MOST_LABELS


def _page(platform: Platform, link: float, narrowest: float) -> _Page:
    """Return places in inches: a link is as long as its labels want, as far as the paper allows."""
    places = places_of(platform)
    points = list(places.values())
    closest = min(
        (hypot(x - a, y - b) for number, (x, y) in enumerate(points) for a, b in points[:number]), default=1.0
    )
    extent = max(1e-9, *(max(x, y) for x, y in points))
    scale = min(max(link, _CLOSEST / max(closest, 0.05)), (_WIDEST - 2 * _MARGIN) / extent)
    widest = max(x for x, _ in points) * scale + 2 * _MARGIN
    shift = _MARGIN + max(0.0, narrowest - widest) / 2
    inches = {name: (shift + scale * x, _TITLE + _MARGIN + scale * y) for name, (x, y) in places.items()}
    return _Page(inches, [_around(x, y, _RADIUS + 0.02) for x, y in inches.values()])


def _key(platform: Platform, strokes: Sequence[_Stroke], flows: Flows | None) -> list[Entry]:
    """Return what is in the picture."""
    if flows is not None:
        return [*nodes_key(platform), *flows_key(flows.measure)]
    arrows = [stroke.is_arrow for stroke in strokes]
    return [
        *nodes_key(platform),
        *links_key(platform, lines=False in arrows, arrows=True in arrows, labels=_has_labels(strokes)),
    ]


def _links(platform: Platform) -> Iterator[_Stroke]:
    """Generate one line for two directions that cost the same, else an arrow for each."""
    common = common_cost(platform)
    for link in platform.links:
        label = cost_text(platform, link.cost) if common is None else ""
        back = platform.by_ends.get((link.target, link.source))
        if back is None or back.cost != link.cost:
            aside = 0.0 if back is None else _ASIDE
            yield _Stroke(link.source, link.target, label, 1.0, QUIET, is_arrow=True, aside=aside)
        elif _is_first(platform, link):
            yield _Stroke(link.source, link.target, label, 1.0, QUIET, is_arrow=False, aside=0.0)


def _is_first(platform: Platform, link: Link) -> bool:
    """Return whether a link's source is listed before its target."""
    return (
        next(node.name for node in platform.nodes if node.name in (link.source, link.target)) == link.source
    )


def _flows(platform: Platform, flows: Mapping[tuple[str, str], Sequence[Flow]]) -> Iterator[_Stroke]:
    """Generate all links faintly, then an arrow for each that carries something."""
    for link in platform.links:
        if (link.target, link.source) not in platform.by_ends or _is_first(platform, link):
            yield _Stroke(link.source, link.target, "", 0.8, FAINT, is_arrow=False, aside=0.0)
    totals = {ends: sum((flow.amount for flow in parts), Fraction(0)) for ends, parts in flows.items()}
    most = max(totals.values(), default=Fraction(1))
    for (source, target), parts in flows.items():
        if totals[source, target] > 0:
            width = 0.8 + 2.6 * float(totals[source, target] / most)
            yield _Stroke(source, target, _listed(parts), width, ACCENT, is_arrow=True, aside=_ASIDE)


def _listed(parts: Sequence[Flow]) -> str:
    """Return the flows, one in a line, the largest first."""
    ordered = sorted(parts, key=lambda flow: (-flow.amount, flow.label))
    lines = [f"{flow.label}: {flow.amount}" for flow in ordered[:_MOST_LISTED]]
    rest = len(ordered) - _MOST_LISTED
    return "\n".join(lines if rest <= 0 else [*lines[:-1], f"and {rest + 1} more"])


def _draw_line(axes: Axes, page: _Page, stroke: _Stroke) -> None:
    (x, y), (to_x, to_y) = _ends(page, stroke)
    dots = max(2, int(hypot(to_x - x, to_y - y) / _DOT))
    for part in (dot / dots for dot in range(dots + 1)):
        page.boxes.append(_around(x + part * (to_x - x), y + part * (to_y - y), _DOT / 4))
    axes.add_patch(
        FancyArrowPatch(
            (x, y),
            (to_x, to_y),
            arrowstyle=HEAD if stroke.is_arrow else "-",
            mutation_scale=8 + 1.2 * stroke.width,
            linewidth=stroke.width,
            color=stroke.colour,
            shrinkA=0,
            shrinkB=0,
            joinstyle="miter",
            zorder=2 if stroke.colour != FAINT else 1,
        )
    )


def _ends(page: _Page, stroke: _Stroke) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return where the line begins and ends, outside of the nodes, aside of the line of the way back."""
    (x, y), (to_x, to_y) = page.places[stroke.source], page.places[stroke.target]
    length = max(hypot(to_x - x, to_y - y), 1e-9)
    along_x, along_y = (to_x - x) / length, (to_y - y) / length
    side_x, side_y = -along_y * stroke.aside, along_x * stroke.aside
    gap = _RADIUS + 0.01
    return (
        (x + gap * along_x + side_x, y + gap * along_y + side_y),
        (to_x - gap * along_x + side_x, to_y - gap * along_y + side_y),
    )


def _draw_node(axes: Axes, page: _Page, platform: Platform, name: str) -> None:
    x, y = page.places[name]
    node = platform.node(name)
    fill = PAPER if node.task is None else PROCESSOR
    edge = QUIET if node.task is None else INK
    axes.add_patch(Circle((x, y), _RADIUS, facecolor=fill, edgecolor=edge, linewidth=0.9, zorder=3))
    size = 7.0 if len(name) <= 3 else max(3.6, 7.0 - 0.75 * (len(name) - 3))  # noqa: PLR2004 - what fits
    shown = name if len(name) <= 9 else f"{name[:8]}…"  # noqa: PLR2004
    axes.text(
        x,
        y,
        shown,
        color=ink_on(fill),
        size=size,
        ha="center",
        va="center_baseline",
        zorder=4,
        parse_math=False,
    )
    if node.task is not None and common_task(platform) is None:
        below = task_text(platform, node.task)
        _write(axes, (x, y + _RADIUS + 0.07), below, QUIET, 5.4)
        page.boxes.append(_box(x, y + _RADIUS + 0.07, below, 5.4))


def _draw_label(axes: Axes, page: _Page, stroke: _Stroke) -> None:
    """Put the label on its line, or beside it if it has a side, where it hides least of what is there."""
    if not stroke.label:
        return
    places = list(_label_places(page, stroke))
    boxes = np.array(page.boxes)
    best = min(places, key=lambda place: _hidden(boxes, _box(place[0], place[1], stroke.label, _LABEL)))
    page.boxes.append(_box(best[0], best[1], stroke.label, _LABEL))
    _write(axes, best, stroke.label, INK, _LABEL)


def _label_places(page: _Page, stroke: _Stroke) -> Iterator[tuple[float, float]]:
    """Generate where the middle of a label could be, the best first."""
    (x, y), (to_x, to_y) = _ends(page, stroke)
    length = max(hypot(to_x - x, to_y - y), 1e-9)
    side_x, side_y = -(to_y - y) / length, (to_x - x) / length
    left, top, right, bottom = _box(0, 0, stroke.label, _LABEL)
    reach = 0.5 * (abs(side_x) * (right - left) + abs(side_y) * (bottom - top)) + 0.03
    away = reach if stroke.aside and stroke.colour == ACCENT else 0.0
    for part in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        yield x + part * (to_x - x) + away * side_x, y + part * (to_y - y) + away * side_y


def _write(axes: Axes, place: tuple[float, float], text: str, colour: str, points: float) -> None:
    """Write on paper that covers the lines behind it."""
    box = {"boxstyle": "round,pad=0.12", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.85}
    axes.text(
        *place,
        text,
        color=colour,
        size=points,
        ha="center",
        va="center",
        linespacing=1.05,
        zorder=5,
        bbox=box,
        parse_math=False,
    )


def _around(x: float, y: float, reach: float) -> tuple[float, float, float, float]:
    return x - reach, y - reach, x + reach, y + reach


def _box(x: float, y: float, text: str, points: float) -> tuple[float, float, float, float]:
    """Return about what a text covers: left, top, right, bottom."""
    lines = text.split("\n")
    half_width = 0.5 * max(map(len, lines)) * 0.58 * points / 72 + 0.02
    half_height = 0.5 * len(lines) * 1.25 * points / 72 + 0.02
    return x - half_width, y - half_height, x + half_width, y + half_height


def _hidden(boxes: Floats, box: tuple[float, float, float, float]) -> float:
    """Return the area that a box shares with those on the page."""
    left, top, right, bottom = box
    wide = np.minimum(right, boxes[:, 2]) - np.maximum(left, boxes[:, 0])
    high = np.minimum(bottom, boxes[:, 3]) - np.maximum(top, boxes[:, 1])
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
