"""The collectives that are measured, and their names in the places that name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from rota.errors import RotaError
from rota.vocabulary import option_word

Shape = Literal["regular", "irregular", "degenerate", "sparse4", "sparse8", "skewed"]
"""Shares all alike; of rank i in proportion to i mod 3; everything on rank 0. Messages from everyone to
everyone; from everyone to 4 or 8 others at random, and as many to it; to 8, sizes over four orders."""

SHAPES_OF_SHARES: Final[tuple[Shape, ...]] = ("regular", "irregular", "degenerate")
SHAPES_OF_MESSAGES: Final[tuple[Shape, ...]] = ("regular", "sparse4", "sparse8", "skewed")


@dataclass(frozen=True)
class Collective:
    """A collective: MPI's name in small letters, and what reports call the schedules that serve it."""

    mpi_name: str
    reported_as: str
    shapes: tuple[Shape, ...] = ("regular",)

    @property
    def command(self) -> str:
        """The word on Rota's command line."""
        return self.mpi_name.replace("_", "-")

    @property
    def function(self) -> str:
        """The name of MPI's function."""
        return f"MPI_{self.mpi_name.capitalize()}"


_ALL: Final = (
    Collective("bcast", "bcast"),
    Collective("reduce", "reduce"),
    Collective("allreduce", "allreduce"),
    Collective("scan", "scan"),
    Collective("exscan", "exscan"),
    Collective("allgather", "allgather"),
    Collective("allgatherv", "allgather", SHAPES_OF_SHARES),
    Collective("reduce_scatter", "reduce_scatter", SHAPES_OF_SHARES),
    Collective("reduce_scatter_block", "reduce_scatter"),
    Collective("alltoall", "alltoall"),
    Collective("alltoallv", "alltoall", SHAPES_OF_MESSAGES),
)

COLLECTIVES: Final = {collective.command: collective for collective in _ALL}
"""The collectives by their words on the command line."""


@dataclass(frozen=True)
class Series:
    """A collective on shares of one shape: what a line of a plot and a row of the grid are about."""

    collective: Collective
    shape: Shape = "regular"

    @property
    def label(self) -> str:
        """The words that name it to people and on the command line: ``allgatherv/irregular``."""
        return self.collective.command + (f"/{self.shape}" if len(self.collective.shapes) > 1 else "")

    @property
    def title(self) -> str:
        """MPI's function, and the shape where there are several."""
        return self.collective.function + (f", {self.shape}" if len(self.collective.shapes) > 1 else "")

    @property
    def word(self) -> str:
        """What the measuring program calls it."""
        return self.collective.mpi_name + (f"/{self.shape}" if len(self.collective.shapes) > 1 else "")

    def as_json(self) -> dict[str, Any]:
        """Return what files say of it; `inter_group.series_in` reads it."""
        return {"collective": self.collective.mpi_name, "shape": self.shape}


def series_of(collective: str, shape: str | None = None) -> Series:
    """Return the series of a command's words; raise RotaError if there is none."""
    found = COLLECTIVES.get(option_word(collective))
    if found is None:
        raise RotaError(f"{collective!r} is no collective: choose from {', '.join(COLLECTIVES)}")
    known = next((known for known in found.shapes if known == (shape or "regular")), None)
    if known is not None:
        return Series(found, known)
    if len(found.shapes) > 1:
        raise RotaError(f"{shape!r} is no shape of {collective}: choose from {', '.join(found.shapes)}")
    shaped = ", ".join(each.command for each in _ALL if len(each.shapes) > 1)
    raise RotaError(
        f"{collective} has no shapes, all its shares are alike: leave the shape out, or use {shaped}"
    )


def parse_series(text: str) -> tuple[Series, ...]:
    """Return what ``allgatherv/irregular,bcast`` names; a collective without a shape means each."""
    chosen = [series for word in text.split(",") for series in _series_of_word(word.strip())]
    twice = next((series for i, series in enumerate(chosen) if series in chosen[:i]), None)
    if twice is not None:
        raise RotaError(f"--collectives names {twice.label} twice: name each once")
    return tuple(chosen)


def _series_of_word(word: str) -> tuple[Series, ...]:
    collective, slash, shape = word.partition("/")
    if slash:
        return (series_of(collective, shape),)
    return tuple(
        Series(found, each) for found in (series_of(collective).collective,) for each in found.shapes
    )
