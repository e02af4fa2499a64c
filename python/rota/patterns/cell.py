"""A number of bytes in a text."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Final

from rota.errors import RotaError

_MAX_DIGITS: Final = 24
_MAX_BYTES: Final = 2**62


def size_in(text: str, place: str) -> int:
    """Return the number of bytes that the text is, also as 3.0 or 3e6.

    Raises RotaError, which begins with `place`, for what is none: not a number, below 0, above 2^62.
    """
    text = text.strip()
    size = _whole(text)
    if size is None:
        raise RotaError(
            f"{place}: {text[:_MAX_DIGITS]!r} is no number of bytes: give whole numbers from 0 on"
        )
    if size < 0:
        raise RotaError(f"{place}: {text[:_MAX_DIGITS]} bytes: give whole numbers from 0 on")
    if size > _MAX_BYTES:
        raise RotaError(f"{place}: more than 2^62 bytes: give fewer")
    return size


def _whole(text: str) -> int | None:
    """Return the whole number that the text is; None if it is none."""
    if not text.isascii() or "_" in text:
        return None
    if text.lstrip("+-").isdigit() and len(text) <= _MAX_DIGITS:
        # "+-1" is made of digits and signs too.
        return int(text) if text.lstrip("+-") in (text, text[1:]) else None
    try:
        number = Decimal(text)  # exact, as a float above 2^53 is not
    except InvalidOperation:
        return None
    if not number.is_finite() or number != number.to_integral_value():
        return None
    # Not in full where the exponent is large: that would take much memory.
    return int(max(Decimal(-1), min(number, Decimal(_MAX_BYTES + 1))))
