"""The grid: every collective on every size, native and Rota pair by pair, one job for each row."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from rota.bench.collectives import Experiment, Outcome, measure
from rota.bench.names import COLLECTIVES, Series, series_of
from rota.bench.pairs import Pairs
from rota.bench.place import Place
from rota.errors import RotaError
from rota.files import STANDARD_OUTPUT, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rota.bench.place import Site
    from rota.library import Abi

GRID_SIZES_BYTES: Final = (*(8 * 4**power for power in range(11)), 16 << 20)
"""8 B to 8 MiB in powers of 4, and 16 MiB."""

# They are a reduce and an alltoall, which have rows of their own.
_ROWS_OF_OTHERS: Final = (("reduce_scatter", "degenerate"), ("alltoallv", "regular"))

GRID_SERIES: Final = tuple(
    Series(collective, shape)
    for collective in COLLECTIVES.values()
    for shape in collective.shapes
    if (collective.mpi_name, shape) not in _ROWS_OF_OTHERS
)

MUCH_SLOWER: Final = 1.05
"""The ratio of Rota's time to the native one above which Rota should not have been taken."""

# A median within a few per cent needs many pairs where single times spread by a fifth.
_PAIRS_UP_TO: Final = (
    (2 << 10, 500),
    (8 << 10, 250),
    (32 << 10, 100),
    (128 << 10, 30),
    (512 << 10, 10),
    (2 << 20, 5),
)
_PAIRS_OF_LARGE: Final = 3


@dataclass(frozen=True)
class GridSpec:
    """What the rows of a grid have in common."""

    place: Place
    abi: Abi
    pairs_of_size: dict[int, int]

    def as_json(self) -> dict[str, Any]:
        """Return the first line of a grid's file."""
        return {"mpi": self.abi, **self.place.as_json(), "sizes_bytes": list(self.pairs_of_size)}

    @classmethod
    def of_json(cls, line: Mapping[str, Any], pairs: int = 0) -> Self:
        """Return what `as_json` made a line of; it does not say how many pairs of each size there are."""
        return cls(Place.of_json(line), line["mpi"], dict.fromkeys(line["sizes_bytes"], pairs))

    def experiment(self, series: Series, settings: Mapping[str, str] | None = None) -> Experiment:
        """Return one row's experiment, under these settings of Rota."""
        return Experiment(self.abi, series, self.pairs_of_size, settings or {})


def grid_pairs(size_bytes: int) -> int:
    """Return how many pairs of a size the grid takes: the whole of it in minutes."""
    return next((pairs for limit, pairs in _PAIRS_UP_TO if size_bytes <= limit), _PAIRS_OF_LARGE)


@dataclass(frozen=True)
class Cell:
    """A collective on one size."""

    series: Series
    pairs: Pairs

    @property
    def is_much_slower(self) -> bool:
        """Whether Rota lost by more than noise and measure forgive."""
        return self.pairs.median_ratio > MUCH_SLOWER

    @property
    def is_native(self) -> bool:
        """Whether Rota left all its calls to the MPI library: then both sides are the same call."""
        return bool(self.pairs.served) and not any(served.blocks for served in self.pairs.served)

    def as_json(self) -> dict[str, Any]:
        """Return a line of a grid's file."""
        return {**self.series.as_json(), **self.pairs.as_json()}

    @classmethod
    def of_json(cls, line: Mapping[str, Any]) -> Self:
        """Return what `as_json` made a line of."""
        return cls(series_of(line["collective"], line["shape"]), Pairs.of_json(line))


def in_rows(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return them in the order that all grids' rows have, in whichever they were measured."""
    places = {series: place for place, series in enumerate(GRID_SERIES)}
    return tuple(sorted(cells, key=lambda cell: places.get(cell.series, len(places))))


def cells_of(outcome: Outcome) -> tuple[Cell, ...]:
    """Return a row's cells."""
    return tuple(Cell(outcome.experiment.series, pairs) for pairs in outcome.results)


def measured_rows(spec: GridSpec, rows: Iterable[Series], site: Site) -> Iterator[tuple[Cell, ...]]:
    """Measure row by row: each is there as soon as its job has ended."""
    return (cells_of(measure(spec.experiment(series), site)) for series in rows)


class GridFile:
    """A grid as JSON lines: what it is about, then a line for each cell, written as they come."""

    def __init__(self, path: Path, spec: GridSpec) -> None:
        self._path = path
        self._spec = spec

    def start(self, command: str) -> None:
        """Begin the file anew, which that command writes."""
        write_whole(self._path, json.dumps({"command": command, **self._spec.as_json()}) + "\n")

    def add(self, cells: Sequence[Cell]) -> None:
        """Append a row."""
        lines = "".join(json.dumps(cell.as_json()) + "\n" for cell in cells)
        if self._path == STANDARD_OUTPUT:
            write_whole(self._path, lines)
            return
        with self._path.open("a") as file:
            file.write(lines)

    def read(self) -> tuple[Cell, ...]:
        """Return the cells that are there; raise RotaError if the file is about another grid or no grid."""
        try:
            head, *lines = map(json.loads, self._path.read_text().splitlines())
            if self._is_of(head):
                return tuple(map(Cell.of_json, lines))
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise RotaError(
                f"--resume: {self._path} cannot be read as a grid ({fault}): measure it without --resume"
            ) from None
        raise RotaError(
            f"--resume: {self._path} was measured elsewhere, with another MPI or other sizes: ask for the"
            " same, or leave out --resume"
        )

    def _is_of(self, head: dict[str, Any]) -> bool:
        """Return whether a file's first line is this grid's; links may be measured anew."""
        own = {**self._spec.as_json(), "command": head["command"]}
        if not self._spec.place.is_shaped:
            own = {**own, "rates_bits_per_s": head["rates_bits_per_s"]}
        return own == head
