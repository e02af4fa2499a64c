"""Rota as paper 1 has it: the circulant schedules, in blocks by the paper's rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rota.bench.collectives import forced
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rota.bench.names import Series

_SERVED = ("bcast", "reduce", "allgather", "reduce_scatter", "allreduce")


def circulant_settings(series: Series) -> dict[str, str]:
    """Return what has Rota take the circulant schedule for these calls, in its own number of blocks."""
    if series.collective.reported_as not in _SERVED:
        raise RotaError(f"paper 1 has no schedule for {series.collective.command}: leave out --blocks")
    return forced(series.collective.reported_as, "circulant")


def paper_settings(series: Series, rule: str | None) -> Mapping[str, str]:
    """Return what has Rota take it in blocks by this rule; without one: nothing."""
    return {**circulant_settings(series), "ROTA_BLOCK_BYTES": rule} if rule else {}
