"""Platforms by name: the classical shapes, Tiers-like ones, and those that paper 5 draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.paper import figure2, figure6, figure9
from rota.platforms.shapes import ALIKE, SHAPES, Times
from rota.platforms.tiers import tiers

if TYPE_CHECKING:
    from collections.abc import Callable

    from rota.platforms.platform import Platform

PAPER: Final[dict[str, Callable[[], Platform]]] = {
    "figure2": figure2,
    "figure6": figure6,
    "figure9": figure9,
}

KINDS: Final = ("tiers", *SHAPES, *PAPER)


@dataclass(frozen=True)
class Request:
    """What is asked for; what does not concern the kind stays as it is here."""

    kind: str
    nodes: int | None = None
    hosts: float | None = None
    """The part of all nodes that compute."""
    seed: int = 0
    times: Times = ALIKE


def generated(request: Request) -> Platform:
    """Return the platform; RotaError for unknown kinds and for what the kind does not take or lacks."""
    kind = request.kind
    if kind not in KINDS:
        raise RotaError(f"unknown kind of platform {kind!r}: choose {', '.join(KINDS)}")
    if kind != "tiers" and request.hosts is not None:
        raise RotaError(f"{kind} takes no --hosts: leave it out, or generate tiers")
    if kind in PAPER:
        if request.nodes is not None:
            raise RotaError(f"{kind} is as the paper draws it: leave out --nodes")
        return PAPER[kind]()
    if request.nodes is None:
        raise RotaError(f"how many nodes: give --nodes, as in --nodes {30 if kind == 'tiers' else 8}")
    if kind == "tiers":
        hosts = 0.5 if request.hosts is None else request.hosts
        if not 0 < hosts <= 1:
            raise RotaError(f"--hosts {hosts:g}: give the part of the nodes that compute, as 0.5")
        return tiers(request.nodes, max(2, round(hosts * request.nodes)), request.seed)
    return SHAPES[kind](request.nodes, request.times)
