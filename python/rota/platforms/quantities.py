"""Bandwidths and speeds as SimGrid writes them: 125MBps, 1Gbps, 98.095Mf, 2gigaflops.

A bare number is bytes per second, flops per second. bps are bits; k, M, G, ... are powers of 1000, Ki, Mi,
Gi, ... of 1024.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from rota.errors import RotaError
from rota.platforms.numbers import exact, shortened

_SPLIT: Final = re.compile(r"(?P<number>[^a-zA-Z]*(?:[eE][+-]?\d+)?[^a-zA-Z]*)(?P<unit>[a-zA-Z]*)")
_LETTERS: Final = "kMGTPEZY"
_WORDS: Final = ("kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta")

_DECIMAL: Final = {letter: Fraction(1000**power) for power, letter in enumerate(_LETTERS, 1)}
_BINARY: Final = {f"{letter.upper()}i": Fraction(1024**power) for power, letter in enumerate(_LETTERS, 1)}
_SPELLED: Final = {word: Fraction(1000**power) for power, word in enumerate(_WORDS, 1)}

_BANDWIDTHS: Final = {
    "": Fraction(1),
    **{
        f"{prefix}{unit}": factor * scale
        for prefix, factor in ({"": Fraction(1)} | _DECIMAL | _BINARY).items()
        for unit, scale in (("Bps", Fraction(1)), ("bps", Fraction(1, 8)))
    },
}
_SPEEDS: Final = {
    "": Fraction(1),
    **{f"{prefix}f": factor for prefix, factor in ({"": Fraction(1)} | _DECIMAL).items()},
    **{f"{prefix}flops": factor for prefix, factor in ({"": Fraction(1)} | _SPELLED).items()},
}


def bandwidth_bytes_per_s(text: str) -> Fraction:
    """Return what "125MBps" is, in bytes per second; RotaError if it is no bandwidth."""
    return _scaled(text, _BANDWIDTHS, "bandwidth", "125MBps, 1Gbps or 1e6")


def speed_flops_per_s(text: str) -> Fraction:
    """Return what "98.095Mf" is, in flops per second; RotaError if it is no speed."""
    return _scaled(text, _SPEEDS, "speed", "1Gf, 98.095Mf or 1e9")


def _scaled(text: str, units: dict[str, Fraction], what: str, examples: str) -> Fraction:
    text = text.strip()
    found = _SPLIT.fullmatch(text)
    scale = units.get(found["unit"]) if found else None
    if found is None or scale is None:
        raise RotaError(f"{shortened(text)!r} is no {what}: write {examples}")
    try:
        return exact(exact(found["number"]) * scale)
    except RotaError as fault:
        raise RotaError(f"{what}: {fault}") from fault
