"""Bandwidths and speeds in files and of shapes, in the range of exact numbers; and as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.units import parse_bandwidth, parse_speed

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

_PREFIXES: Final = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


def bandwidth_bytes_per_s(text: str) -> Fraction:
    """Return what "125MBps" is, in bytes per second; RotaError if it is no bandwidth, or out of range."""
    return _exact(text, parse_bandwidth, "bandwidth")


def speed_flops_per_s(text: str) -> Fraction:
    """Return what "98.095Mf" is, in flops per second; RotaError if it is no speed, or out of range."""
    return _exact(text, parse_speed, "speed")


def rate_text(per_s: Fraction, unit: str, digits: int) -> str:
    """Return a rate of so many units per second with so many digits: ``1.25 GB/s``, where the unit is B/s."""
    scale, prefix = next(((scale, prefix) for scale, prefix in _PREFIXES if per_s >= scale), (1, ""))
    return f"{float(per_s / scale):.{digits}g} {prefix}{unit}"


def _exact(text: str, parse: Callable[[str, Callable[[str], Fraction]], Fraction], what: str) -> Fraction:
    try:
        return exact(parse(text, exact))
    except RotaError as fault:
        raise RotaError(f"{what}: {fault}") from fault
