"""SimGrid's lists of numbers: "0-9,12,20-22"."""

from __future__ import annotations

import re
from typing import Final

from rota.errors import RotaError
from rota.platforms.numbers import shortened

_PART: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


def radical_numbers(text: str, most: int) -> list[int]:
    """Return the numbers; RotaError for what is no such list, and for more than `most` numbers."""
    found: list[int] = []
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise RotaError(f"radical {shortened(text)!r}; write numbers and ranges such as 0-9,12")
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if last < first:
            raise RotaError(f"radical {shortened(text)!r}: {last} is before {first}; turn the range round")
        if len(found) + last - first + 1 > most:
            raise RotaError(f"radical {shortened(text)!r}: more than {most} hosts; give fewer")
        found += range(first, last + 1)
    return found
