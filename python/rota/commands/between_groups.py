"""What ``rota show``, ``verify`` and ``simulate inter-group`` have in common: options, a limit, the bound."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from rota.commands.completion import among
from rota.errors import RotaError
from rota.two_groups.question import A_SHARE, NAMES, RING, TOPOLOGIES

_MOST_PLAYED: Final = 10**8
"""Ranks times senders times blocks: more takes minutes."""

Senders = Annotated[int, typer.Option(help="Ranks 0..p - 1 of the group that sends: p.")]
Receivers = Annotated[int, typer.Option(help="Ranks p..p + q - 1 of the group that receives: q.")]
Topology = Annotated[
    str,
    typer.Option(
        help=f"{' or '.join(TOPOLOGIES)}: may all ranks send to all, or neighbours only?",
        autocompletion=among(*TOPOLOGIES),
    ),
]
AlgorithmName = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        help=f"{', '.join(NAMES)}. Default: the first that solves it.",
        autocompletion=among(*NAMES),
    ),
]
Blocks = Annotated[int, typer.Option(min=1, help="Of each rank's data: n.")]
Duplex = Annotated[bool, typer.Option("--duplex", help="The receivers have as much data for the senders.")]


def blocks_in_all(senders: int, receivers: int, blocks: int) -> int:
    """Return how many all ranks may come to hold, of data in so many blocks each."""
    return (senders + receivers) * max(senders, receivers) * blocks


def require_playable(work: int, remedy: str) -> None:
    """Raise RotaError, with what to choose, if so many blocks are too many to play."""
    if work > _MOST_PLAYED:
        raise RotaError(f"{work} blocks to play are too many, {_MOST_PLAYED} the most: choose {remedy}")


def table_beside_bound(topology: str) -> Table:
    """Return a table without rows that says of what its bound is one."""
    caption = f"The bound: with {A_SHARE}." if topology == RING else None
    return Table(box=SIMPLE_HEAD, caption=caption, caption_justify="left")
