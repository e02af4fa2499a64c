"""Bandwidths and speeds in files and of shapes, in the range of exact numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.units import parse_bandwidth, parse_speed

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


def bandwidth_bytes_per_s(text: str) -> Fraction:
    """Return what "125MBps" is, in bytes per second; RotaError if it is no bandwidth, or out of range."""
    return _exact(text, parse_bandwidth, "bandwidth")


def speed_flops_per_s(text: str) -> Fraction:
    """Return what "98.095Mf" is, in flops per second; RotaError if it is no speed, or out of range."""
    return _exact(text, parse_speed, "speed")


def _exact(text: str, parse: Callable[[str, Callable[[str], Fraction]], Fraction], what: str) -> Fraction:
    try:
        return exact(parse(text, exact))
    except RotaError as fault:
        raise RotaError(f"{what}: {fault}") from fault
