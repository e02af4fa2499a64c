"""What is measured between two groups of ranks, by the words of the measuring program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rota.bench.names import Collective, Series, series_of
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ONE_WAY: Final = Collective("inter_allgather", "inter_allgather")
_BOTH_WAYS: Final = Collective("inter_allgather_both_ways", "inter_allgather")


@dataclass(frozen=True)
class GroupSeries(Series):
    """MPI_Allgather on an inter-communicator, the first group of so many ranks."""

    senders: int = 1
    receivers: int = 1

    @property
    def label(self) -> str:
        """The words that name it to people."""
        arrow = "<->" if self.collective == _BOTH_WAYS else "->"
        return f"inter-group {self.senders} {arrow} {self.receivers}"

    @property
    def title(self) -> str:
        """The same with MPI's function."""
        return f"MPI_Allgather, {self.label},"

    @property
    def word(self) -> str:
        """What the measuring program calls it."""
        return f"{self.collective.mpi_name}/{self.senders}"

    def as_json(self) -> dict[str, Any]:
        """Return what files say of it."""
        duplex = self.collective == _BOTH_WAYS
        return {
            **super().as_json(),
            "senders": self.senders,
            "receivers": self.receivers,
            "duplex": duplex,
        }


def group_series(senders: int, receivers: int, *, duplex: bool) -> GroupSeries:
    """Return the series; raise RotaError for a group without ranks."""
    for option, ranks in (("--senders", senders), ("--receivers", receivers)):
        if ranks < 1:
            raise RotaError(f"{option} {ranks} is out of range: each group needs at least 1 rank")
    return GroupSeries(_BOTH_WAYS if duplex else _ONE_WAY, "regular", senders, receivers)


def series_in(line: Mapping[str, Any]) -> Series:
    """Return the series, of one group of ranks or between two, that a line of a file is about."""
    if "senders" in line:
        return group_series(line["senders"], line["receivers"], duplex=line["duplex"])
    return series_of(line["collective"], line["shape"])
