"""A plan in pictures: flows over the platform, the period of ports and processors, the reduction trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.drawing.period_picture import period_figure
from rota.drawing.platform_picture import MOST_NODES, Flow, Flows, draw_platform
from rota.drawing.reduction_tree import tree_figure
from rota.drawing.render import Picture, rendered
from rota.errors import RotaError
from rota.files import write_whole
from rota.steady.series import Kind, Transfer

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from rota.steady.plan import Plan

_MOST_TREES: Final = 24
_LONGEST_PERIOD: Final = 10**6
"""Longer ones are not counted in operations: what is drawn is the part of a time unit, rounded."""


def draw_plan(plan: Plan, folder: Path, unit: str = "time unit", source: str = "") -> list[Path]:
    """Draw the plan into a folder, which is made if there is none, and return the files.

    `unit`: what its times are counted in; `source`: what is said below each picture of where it is from.

    flows.png, period.png, and for reduces tree-1.png and so on, the one with the largest weight first, 24 of
    them at most. Raises RotaError where nothing can be written. Flows over more than 150 nodes are not drawn.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RotaError(f"cannot make the folder {folder}: {fault.strerror}; name another one") from fault
    files = []
    if len(plan.platform.nodes) <= MOST_NODES:
        files.append(folder / "flows.png")
        draw_platform(plan.platform, files[-1], _flows(plan, unit), source)
    pages = {"period.png": (period_figure(plan, unit), "The period of ports and processors")}
    if plan.series.kind is Kind.REDUCE:
        for number, weighted in enumerate(plan.ways[:_MOST_TREES], 1):
            share = weighted.weight / plan.throughput
            pages[f"tree-{number}.png"] = (
                tree_figure(plan, weighted.way, f"{_written(share)} of all operations"),
                f"Reduction tree {number}",
            )
    for name, (figure, title) in pages.items():
        files.append(folder / name)
        write_whole(files[-1], rendered(Picture(figure, title), "png", source))
    return files


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
