"""A plan in pictures: flows over the platform, the period of ports and processors, the reduction trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.drawing.panel import Panel, figure_of
from rota.drawing.period_picture import period_panel
from rota.drawing.platform_picture import MOST_NODES, Flow, Flows, platform_panel, platform_title
from rota.drawing.reduction_tree import tree_panel
from rota.drawing.render import Picture, rendered
from rota.errors import RotaError
from rota.files import write_whole
from rota.steady.series import Kind, Transfer

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from matplotlib.figure import Figure

    from rota.steady.plan import Plan

PLAN_TITLE: Final = "A plan: what flows where, and its period"
_MOST_TREES: Final = 24
_LONGEST_PERIOD: Final = 10**6
"""Longer ones are not counted in operations: what is drawn is the part of a time unit, rounded."""


def plan_figure(plan: Plan, unit: str = "time unit") -> Figure:
    """Return the plan in one picture: flows, for reduces beside the tree with the largest weight, the period.

    `unit`: what its times are counted in. Flows over more than 150 nodes are not drawn.
    """
    above = (*_flows_panels(plan, unit), *_tree_panels(plan, 1))
    period = (period_panel(plan, unit, sum(panel.width for panel in above)),)
    return figure_of(above, period) if above else figure_of(period)


def draw_plan(plan: Plan, folder: Path, unit: str = "time unit", source: str = "") -> list[Path]:
    """Draw the plan into a folder, which is made if there is none, and return the files.

    `unit` as in plan_figure; `source`: what is said below each picture of where it is from.

    flows.png, period.png, and for reduces tree-1.png and so on, the one with the largest weight first, 24 of
    them at most. Raises RotaError where nothing can be written. Flows over more than 150 nodes are not drawn.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        raise RotaError(f"cannot make the folder {folder}: {fault.strerror}; name another one") from fault
    title = platform_title(plan.platform, has_flows=True)
    flows = [("flows.png", panel, title) for panel in _flows_panels(plan, unit)]
    trees = [
        (f"tree-{number}.png", panel, f"Reduction tree {number}")
        for number, panel in enumerate(_tree_panels(plan, _MOST_TREES), 1)
    ]
    period = ("period.png", period_panel(plan, unit), "The period of ports and processors")
    pages = [*flows, period, *trees]
    for name, panel, title in pages:
        write_whole(folder / name, rendered(Picture(figure_of((panel,)), title), "png", source))
    return [folder / name for name, _, _ in pages]


def _flows_panels(plan: Plan, unit: str) -> list[Panel]:
    """Return the picture of what flows over the platform; none where nobody could tell nodes apart."""
    is_readable = len(plan.platform.nodes) <= MOST_NODES
    return [platform_panel(plan.platform, _flows(plan, unit))] if is_readable else []


def _tree_panels(plan: Plan, most: int) -> list[Panel]:
    """Return pictures of a reduce's trees, those with the largest weights."""
    ways = plan.ways[:most] if plan.series.kind is Kind.REDUCE else []
    return [
        tree_panel(plan, each.way, f"The tree of {_written(each.weight / plan.throughput)} of all operations")
        for each in ways
    ]


def _flows(plan: Plan, unit: str) -> Flows:
    is_counted = plan.period <= _LONGEST_PERIOD
    measure = (
        f"messages in a period of {float(plan.period):.4g} {unit}s" if is_counted else f"messages a {unit}"
    )
    flows: dict[tuple[str, str], list[Flow]] = {}
    for transfer, amount in plan.in_period.items():
        if isinstance(transfer, Transfer):
            shown = amount if is_counted else _rounded(amount / plan.period)
            flow = Flow(plan.series.name_of(transfer.message), shown)
            flows.setdefault((transfer.source, transfer.target), []).append(flow)
    return Flows(flows, measure)


def _rounded(rate: Fraction) -> Fraction:
    return rate.limit_denominator(1000)


def _written(share: Fraction) -> str:
    return str(share) if share.denominator <= _LONGEST_PERIOD else f"{float(share):.1%}"
