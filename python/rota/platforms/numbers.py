"""Exact numbers from what files and people write: 3, 0.1, 1e-6, "2/3"."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import log10
from typing import Final

from rota.errors import RotaError

MOST: Final = 10**24
"""Numbers lie between its inverse and itself: from less than a flop's time to more than anybody waits."""

_DIGITS: Final = 120
"""Of a numerator or denominator."""

_SHOWN: Final = 24
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
_QUOTIENT: Final = re.compile(r"[+-]?\d+\s*/\s*\d+")


def exact(value: str | float | Decimal | Fraction) -> Fraction:
    """Return a positive number, exactly.

    Texts are decimals or quotients: "0.1" is 1/10. A float is what it prints: 0.1 is 1/10 too. Raises
    RotaError for what is no number, not above 0 or out of range.
    """
    if isinstance(value, Fraction):
        return _in_range(value, "a fraction")
    text = str(value).strip()
    return _in_range(_parsed(text), text)


def _in_range(value: Fraction, text: str) -> Fraction:
    """Return the number; RotaError if it is not above 0, too large, too small or too long."""
    if value <= 0:
        raise RotaError(f"{shortened(text)} is not above 0: give a positive number")
    if not Fraction(1, MOST) <= value <= MOST:
        raise RotaError(f"{_rough(value)} is out of range: give a number from 1e-24 to 1e24")
    if max(value.numerator, value.denominator) >= 10**_DIGITS:
        raise RotaError(f"a fraction of more than {_DIGITS} digits: give a shorter one")
    return value


def written(value: Fraction) -> str:
    """Return the number as `exact` reads it: "3", "2/3"."""
    return str(value)


def terminating(value: Fraction) -> str | None:
    """Return the number as a decimal, "0.125"; None if it has none of at most 40 digits."""
    scaled = value * 10**20
    if scaled.denominator != 1:
        return None
    whole, rest = divmod(scaled.numerator, 10**20)
    return f"{whole}.{rest:020d}".rstrip("0").rstrip(".")


def shortened(text: str) -> str:
    """Return a text that fits into a message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _parsed(text: str) -> Fraction:
    is_number = text.isascii() and (_DECIMAL.fullmatch(text) or _QUOTIENT.fullmatch(text))
    if not is_number or len(text) > 2 * _DIGITS:
        raise RotaError(f'{shortened(text)!r} is no number: write 3, 0.1, 1e-6 or "2/3"')
    if "/" not in text:
        return Fraction(Decimal(text))
    numerator, denominator = (int(part) for part in text.split("/"))
    if denominator == 0:
        raise RotaError(f"{shortened(text)!r} divides by 0")
    return Fraction(numerator, denominator)


def _rough(value: Fraction) -> str:
    """Return about how large a number is, which may be longer than Python prints."""
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    return f"a number of about 1e{round(bits * log10(2))}"
