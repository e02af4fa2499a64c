"""Sizes, rates, times and speeds as people write them, and back: one grammar, a number, a prefix and a unit.

    64  1M  1MB  1MiB          bytes
    10gbit  10Gbps  1e10       bits per second; 25MB/s  25MBps   bytes per second
    3us  1.5 ms  3e-6          seconds
    10Mflop  1Gf  2gigaflops   flops, or flops per second

Prefixes are powers of 1000 (k, M, G, ... in either case, kilo, mega, ...) and of 1024 (Ki, Mi, Gi, ...). B is
bytes and b bits; Mb/s, which is bits to some tools and bytes to others, is refused, as Mb of a size is, and
so is a rate of 10G.
Sizes and rates in Rota's environment variables go by the same grammar (mpi/rota_mpi/settings/quantities.cpp).
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SPLIT: Final = re.compile(r"([^a-zA-Z]*(?:[eE][+-]?\d+)?[^a-zA-Z]*)([a-zA-Z/]*)")
_DECIMAL: Final = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_LONGEST: Final = 240
"""Characters: longer numbers are nobody's."""
_SHOWN: Final = 24
_BLANKS: Final = " \t\n\v\f\r"

TOO_MANY: Final = 2**53
"""Sizes and rates stay below it: floating-point numbers count them exactly."""

_LETTERS: Final = "kmgtpezy"
_WORDS: Final = ("kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta")
_POWERS_OF_1000: Final = {
    "": Fraction(1),
    **{name: Fraction(1000**power) for names in (_LETTERS, _WORDS) for power, name in enumerate(names, 1)},
}
_POWERS_OF_1024: Final = {f"{letter}i": Fraction(1024**power) for power, letter in enumerate(_LETTERS, 1)}
_PREFIXES: Final = _POWERS_OF_1000 | _POWERS_OF_1024

_WRITTEN_1000: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_WRITTEN_1024: Final = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}

_IN_BITS: Final = re.compile(r"(?<![iI])b$")
"""So bits are written; nobody counts them by prefixes of 1024."""
_SIZES: Final = {"": Fraction(1), "B": Fraction(1), "b": Fraction(1)}
_RATES: Final = {
    **dict.fromkeys(("bit", "bit/s", "bps", "Bit", "Bit/s"), Fraction(1, 8)),
    **dict.fromkeys(("B/s", "Bps"), Fraction(1)),
}
_BITS: Final = {"": Fraction(1, 8)}
_FLOPS: Final = dict.fromkeys(("f", "flop", "flops", "flop/s"), Fraction(1))
_BARE: Final = {"": Fraction(1)}
"""A number alone, or a unit without prefix."""
_TIMES: Final = {
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
}


def _decimal(text: str) -> Fraction | None:
    text = text.strip(_BLANKS)
    is_number = len(text) <= _LONGEST and _DECIMAL.fullmatch(text)
    return Fraction(Decimal(text)) if is_number else None


def parse_size(text: str) -> int:
    """Return the bytes that ``64``, ``1KiB``, ``1.5 MiB`` or ``1M`` stand for."""
    size_bytes = _quantity(text, _SIZES)
    if size_bytes is not None and _IN_BITS.search(text.rstrip(_BLANKS)):
        raise RotaError(f"{_shown(text)} may be bits: write bytes as 64, 1KiB, 16MiB or 1MB")
    if size_bytes is None or size_bytes.denominator != 1:
        raise RotaError(f"{_shown(text)} is no size: write bytes as 64, 1KiB, 16MiB or 1MB")
    if size_bytes >= TOO_MANY:
        raise RotaError(f"{_shown(text)} is too large: stay below {format_size(TOO_MANY)}")
    return int(size_bytes)


def parse_rate(text: str) -> int:
    """Return the bits per second that ``200mbit``, ``10Gbps``, ``25MB/s`` or ``1e9`` stand for."""
    bytes_per_s = _quantity(text, _RATES) or _quantity(text, _BITS, _BARE)
    rate_bits_per_s = round(8 * bytes_per_s) if bytes_per_s else 0
    if rate_bits_per_s < 1:
        raise RotaError(f"{_shown(text)} is no rate: write it as 200mbit, 10Gbps, 25MB/s or 1e9")
    if rate_bits_per_s >= TOO_MANY:
        raise RotaError(f"{_shown(text)} is too large: stay below {format_rate(TOO_MANY)}")
    return rate_bits_per_s


def parse_seconds(text: str) -> float:
    """Return the seconds that ``3us``, ``1.5 ms`` or ``3e-6`` stand for."""
    time_s = _quantity(text.replace("µ", "u"), _TIMES | _BARE, _BARE)
    if time_s is None:
        raise RotaError(f"{_shown(text)} is no time: write it as 3us, 1.5ms or 3e-6")
    return float(time_s)


def parse_bandwidth(text: str, number: Callable[[str], Fraction | None] = _decimal) -> Fraction:
    """Return the bytes per second that ``125MBps``, ``1Gbps`` or, as in SimGrid's files, ``1e6`` stand for.

    `number` reads the number: None, if it is none.
    """
    bytes_per_s = _quantity(text, _RATES | _BARE, number=number)
    if bytes_per_s is None:
        raise RotaError(f"{_shown(text)} is no bandwidth: write 125MBps, 1Gbps or 1e6")
    return bytes_per_s


def parse_speed(text: str, number: Callable[[str], Fraction | None] = _decimal) -> Fraction:
    """Return the flops per second that ``1Gf``, ``98.095Mf`` or ``1e9`` stand for; `number` as above."""
    flops_per_s = _quantity(text, _FLOPS | _BARE, number=number)
    if flops_per_s is None:
        raise RotaError(f"{_shown(text)} is no speed: write 1Gf, 98.095Mf or 1e9")
    return flops_per_s


def parse_flops(text: str) -> Fraction:
    """Return the flops that ``10Mflop`` or ``1e6`` stand for."""
    flops = _quantity(text, _FLOPS | _BARE)
    if flops is None:
        raise RotaError(f"{_shown(text)} is no amount of computing: write it as 10Mflop or 1e6")
    return flops


def format_size(size_bytes: int) -> str:
    """Return bytes with three digits and a binary unit: ``1.5 MiB``."""
    scale, unit = next(
        (
            (scale, prefix.capitalize() + "B")
            for prefix, scale in reversed(_WRITTEN_1024.items())
            if size_bytes >= scale
        ),
        (1, "B"),
    )
    return f"{_short(size_bytes / scale)} {unit}"


_ROUNDED_UP: Final = 0.9995
"""From here on three digits are 1.00."""


def format_rate(rate_bits_per_s: float) -> str:
    """Return bits per second with three digits and a decimal unit: ``200 Mbit/s``."""
    scale, prefix = next(
        (scale, prefix)
        for prefix, scale in reversed(_WRITTEN_1000.items())
        if rate_bits_per_s >= _ROUNDED_UP * scale or scale == 1
    )
    unit = prefix if prefix == "k" else prefix.upper()
    return f"{_short(rate_bits_per_s / scale)} {unit}bit/s"


def format_seconds(time_s: float) -> str:
    """Return seconds with three digits and the unit that suits them: ``12.3 ms``; without end: ``never``."""
    if time_s == inf:
        return "never"
    units = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
    scale, unit = next(((scale, unit) for scale, unit in units if time_s >= scale), (1e-9, "ns"))
    return f"{_short(time_s / scale)} {unit}"


def _quantity(
    text: str,
    units: Mapping[str, Fraction],
    prefixes: Mapping[str, Fraction] = _PREFIXES,
    number: Callable[[str], Fraction | None] = _decimal,
) -> Fraction | None:
    """Return a quantity in the units' own unit; None if the text is none."""
    found = _SPLIT.fullmatch(text.strip(_BLANKS))
    if found is None:
        return None
    word = found[2]
    scales = (
        prefixes[word.removesuffix(unit).lower()] * scale
        for unit, scale in units.items()
        if word.endswith(unit) and word.removesuffix(unit).lower() in prefixes
    )
    scale = next(scales, None)
    count = None if scale is None else number(found[1])
    return None if scale is None or count is None else count * scale


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _short(value: float) -> str:
    """Return a value of at least 1 with three significant digits, but never fewer than its whole ones."""
    decimals = max(0, 3 - len(str(int(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text
