"""A curve of a picture: what a schedule takes over sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """Seconds over bytes."""

    name: str
    points: tuple[tuple[int, float], ...]

    @property
    def sizes(self) -> list[int]:
        """The bytes."""
        return [size for size, _ in self.points]

    @property
    def seconds(self) -> list[float]:
        """The seconds."""
        return [seconds for _, seconds in self.points]

    def over(self, other: Curve) -> Curve:
        """Return this one in multiples of another, where that has more than 0."""
        of = dict(other.points)
        ratios = tuple((size, seconds / of[size]) for size, seconds in self.points if of.get(size))
        return Curve(self.name, ratios)
