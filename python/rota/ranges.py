"""Ranges of numbers of ranks as people write them."""

import re
from typing import Final

from rota.errors import RotaError

LARGEST: Final = 2**31 - 1
_RANGE: Final = re.compile(r"\s*(\d+)(?:\.\.(\d+))?\s*", re.ASCII)


def parse_rank_range(text: str) -> range:
    """Return the numbers that ``2..4096``, both ends included, or ``17`` stand for."""
    found = _RANGE.fullmatch(text)
    if not found:
        raise RotaError(f"{text!r} is no range of numbers of ranks: write it as 17 or 2..4096")
    first = int(found[1])
    last = int(found[2] or first)
    if first < 1:
        raise RotaError(f"{text!r} begins below 1: give numbers of ranks from 1 on")
    if last < first:
        raise RotaError(f"{text!r} is the wrong way round: write {last}..{first}")
    if last > LARGEST:
        raise RotaError(
            f"{text!r} goes beyond {LARGEST}, the largest number of ranks: end it there or before"
        )
    return range(first, last + 1)
