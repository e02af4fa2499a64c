"""Sizes, rates and times as people write them, and back.

Sizes are bytes, rates are bits per second, times are seconds.
"""

import re
from math import inf
from typing import Final

from rota.errors import RotaError

_DECIMAL: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY: Final = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:((?:[kmgt]i?)?)b)?", re.IGNORECASE)
_RATE: Final = re.compile(r"(\d+(?:\.\d+)?)\s*((?:[kmgtKMGT]i?)?)(bit(?:/s)?|B/s)")


def parse_size(text: str) -> int:
    """Return the bytes that ``64``, ``1KiB``, ``1.5 MiB`` or ``1MB`` stand for."""
    found = _SIZE.fullmatch(text.strip())
    size_bytes = _scaled(found[1], found[2] or "") if found else None
    if size_bytes is None or not size_bytes.is_integer():
        raise RotaError(f"{text!r} is no size: write bytes as 64, 1KiB, 16MiB or 1MB")
    return int(size_bytes)


def parse_rate(text: str) -> int:
    """Return the bits per second that ``200mbit``, ``1gbit`` or ``25MB/s`` stand for.

    ``mbps`` and ``Mb/s`` mean bits to some tools and bytes to others: they are refused.
    """
    found = _RATE.fullmatch(text.strip())
    bits = 8 if found and found[3] == "B/s" else 1
    rate_bits_per_s = round(_scaled(found[1], found[2]) * bits) if found else 0
    if rate_bits_per_s < 1:
        raise RotaError(f"{text!r} is no rate: write it as 200mbit, 1gbit or 25MB/s")
    return rate_bits_per_s


def format_size(size_bytes: int) -> str:
    """Return bytes with three digits and a binary unit: ``1.5 MiB``."""
    scale, unit = next(
        (
            (scale, prefix.capitalize() + "B")
            for prefix, scale in reversed(_BINARY.items())
            if size_bytes >= scale
        ),
        (1, "B"),
    )
    return f"{_short(size_bytes / scale)} {unit}"


def format_rate(rate_bits_per_s: float) -> str:
    """Return bits per second with three digits and a decimal unit: ``200 Mbit/s``."""
    scale, prefix = next(
        (scale, prefix)
        for prefix, scale in reversed(_DECIMAL.items())
        if rate_bits_per_s >= scale or scale == 1
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


def _scaled(number: str, prefix: str) -> float:
    return float(number) * (_DECIMAL | _BINARY)[prefix.lower()]


def _short(value: float) -> str:
    """Return a value of at least 1 with three significant digits, but never fewer than its whole ones."""
    decimals = max(0, 3 - len(str(int(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text
