"""How Rota serves the calls of a check: every schedule of every collective gets its turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from typing import TYPE_CHECKING, Final

from rota._core import Collective, algorithms, all_to_many_algorithms
from rota.errors import RotaError
from rota.vocabulary import SERVED, SERVED_AS, joined, mpi_name, settings_name

if TYPE_CHECKING:
    from collections.abc import Mapping

# Small enough that most cases have several blocks.
_SMALL_BLOCK_BYTES: Final = 64

# One round at a time, and more than most cases have.
_ROUNDS_IN_FLIGHT: Final = (3, 1, 4, 2, 8)

# Jobs run on one host; schedules that mind hosts need more of them. (None: as MPI tells.)
_HOSTS: Final = (None, 2, 3)

# Beside them, so that every number of hosts meets every number of links.
_LANES: Final = (None, 2)


class SharedMemory(StrEnum):
    """Whether messages of blocking calls go through memory that ranks of a host share."""

    ON = "on"
    OFF = "off"


# As users have it, and by the MPI library: then messages within a host take the way of those over links.
_SHARED_MEMORY: Final = (None, SharedMemory.OFF)

_BY_NAME: Final = {mpi_name(each.name): each for each in Collective}

# By their names in Rota's settings.
_COLLECTIVES: Final[Mapping[str, Collective]] = {name: _BY_NAME[name] for name in SERVED}

# The others send messages as they are, or cut where their schedules say.
_CUT_INTO_BLOCKS: Final = frozenset(_COLLECTIVES) - {"alltoall"}

# Between two groups each call is a collective of its own.
_INTER: Final = "inter_"
_BETWEEN: Final = ("comm=from_one", "comm=uneven")

# Rota's variables, and the options that ask for them.
OPTIONS: Final[Mapping[str, str]] = {
    "ROTA_ALGORITHM": "--algorithm",
    "ROTA_BLOCK_BYTES": "--block-bytes",
    "ROTA_ROUNDS_IN_FLIGHT": "--rounds-in-flight",
    "ROTA_HOSTS": "--hosts",
    "ROTA_LANES": "--lanes",
    "ROTA_SHARED_MEMORY": "--shared-memory",
}


@dataclass(frozen=True)
class Asked:
    """What the user asks of settings, as the options have it; None: everything in turn."""

    algorithms: str | None = None
    block_bytes: int | None = None
    rounds_in_flight: int | None = None
    hosts: int | None = None
    lanes: int | None = None
    shared_memory: SharedMemory | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The variables that ask for it."""
        values = (
            self.algorithms,
            self.block_bytes,
            self.rounds_in_flight,
            self.hosts,
            self.lanes,
            self.shared_memory,
        )
        return {name: str(value) for name, value in zip(OPTIONS, values, strict=True) if value is not None}


_EVERYTHING: Final = Asked()


@dataclass(frozen=True)
class Setting:
    """The schedule of each collective, the size of blocks, and on how many hosts ranks are taken to be.

    None: Rota's choice, and as MPI tells; of links of each host, one; memory is shared.
    """

    algorithms: Mapping[str, str]
    block_bytes: int | None
    rounds_in_flight: int
    hosts: int | None
    lanes: int | None
    shared_memory: SharedMemory | None

    @property
    def environment(self) -> dict[str, str]:
        """The variables that ask for it."""
        chosen = ",".join(f"{collective}={name}" for collective, name in self.algorithms.items())
        return Asked(
            chosen, self.block_bytes, self.rounds_in_flight, self.hosts, self.lanes, self.shared_memory
        ).environment

    def options_for(self, case: str) -> tuple[str, ...]:
        """Return the options of the command that ask for what matters to one case."""
        collective = collective_of(case)
        asked = Asked(
            f"{collective}={self.algorithms[collective]}",
            self.block_bytes if collective in _CUT_INTO_BLOCKS else None,
            self.rounds_in_flight,
            self.hosts,
            self.lanes,
            self.shared_memory,
        )
        return options_of(asked.environment)


def options_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the options that ask for what these variables ask for; some have none."""
    return tuple(
        word for name, value in environment.items() if name in OPTIONS for word in (OPTIONS[name], value)
    )


def by_mpi_name(case: str) -> str:
    """Return a case as the checker itself names it: ``bcast,count=2`` for ``broadcast,count=2``."""
    word, comma, rest = case.partition(",")
    return f"{mpi_name(word)}{comma}{rest}"


def collective_of(case: str) -> str:
    """Return the collective that a case is about, as settings name it; raise RotaError if it names none."""
    call = mpi_name(case.partition(",")[0])
    collective = settings_name(call)
    known = [name for name in _COLLECTIVES if not name.startswith(_INTER)]
    if collective not in known:
        valid = ", ".join((*known, *SERVED_AS))
        raise RotaError(f"--case: {call!r} is no collective: begin with one of {valid}")
    is_between = any(word in case.split(",") for word in _BETWEEN)
    return f"{_INTER}{collective}" if is_between else collective


def settings_in_turn(asked: Asked = _EVERYTHING, case: str | None = None) -> list[Setting]:
    """Return settings in which everything that is not asked for takes all its values in turn.

    Enough that each schedule of every collective that matters has its turn, with every size of blocks if it
    cuts data into blocks; rounds in flight, hosts, their links and memory take turns beside them. Raise
    RotaError if algorithms are not asked for as ``collective=algorithm,...``.
    """
    fixed = _parsed(asked.algorithms) if asked.algorithms else {}
    matter = _COLLECTIVES if case is None else (collective_of(case),)
    sizes = (_SMALL_BLOCK_BYTES, None) if asked.block_bytes is None else (asked.block_bytes,)
    windows = _ROUNDS_IN_FLIGHT if asked.rounds_in_flight is None else (asked.rounds_in_flight,)
    places = _HOSTS if asked.hosts is None else (asked.hosts,)
    lanes = _LANES if asked.lanes is None else (asked.lanes,)
    sharing = _SHARED_MEMORY if asked.shared_memory is None else (asked.shared_memory,)
    turns = max((_turns(each, len(sizes)) for each in matter if each not in fixed), default=len(sizes))
    return [
        Setting(
            {**{each: _in_turn(each, turn, len(sizes)) for each in _COLLECTIVES}, **fixed},
            size,
            window,
            place,
            links,
            shared,
        )
        for turn, size, window, (place, links, shared) in zip(
            range(turns),
            cycle(sizes),
            cycle(windows),
            cycle([(place, links, shared) for shared in sharing for links in lanes for place in places]),
            strict=False,
        )
    ]


def _turns(collective: str, sizes: int) -> int:
    return len(_names(collective)) * (sizes if collective in _CUT_INTO_BLOCKS else 1)


def _in_turn(collective: str, turn: int, sizes: int) -> str:
    names = _names(collective)
    return names[(turn // sizes if collective in _CUT_INTO_BLOCKS else turn) % len(names)]


def _names(collective: str) -> list[str]:
    if collective == "alltoall":
        return all_to_many_algorithms()
    return algorithms(_COLLECTIVES[collective])


def _parsed(asked: str) -> dict[str, str]:
    chosen = {}
    for part in asked.split(","):
        word, equals, name = part.partition("=")
        if not equals:
            raise RotaError(f"--algorithm: {part!r} is not COLLECTIVE=ALGORITHM, such as allreduce=circulant")
        collective = mpi_name(word)
        if collective not in _COLLECTIVES:
            raise RotaError(f"--algorithm: {word!r} is no collective: use {', '.join(_COLLECTIVES)}")
        valid = (*_names(collective), "native")
        algorithm = joined(name)
        if algorithm not in valid:
            raise RotaError(f"--algorithm: {collective} has no {name!r}: choose one of {', '.join(valid)}")
        chosen[collective] = algorithm
    return chosen
