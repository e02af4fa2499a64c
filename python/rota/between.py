"""Two lists of ranks of an mpi4py communicator as the two groups of an inter-communicator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mpi4py import MPI

__all__ = ["between"]

_TAG: Final = 0x526F


def between(comm: MPI.Intracomm, first: Sequence[int], second: Sequence[int]) -> MPI.Intercomm | None:
    """Return the inter-communicator of two disjoint lists of ranks of `comm`; None on ranks in neither.

    Collective over the ranks in the lists, which all give the same ones. Its Allgather, Allgatherv, Bcast,
    Reduce and Allreduce take Rota's schedules in a job that `rota run` started. The caller frees it.

    >>> between(MPI.COMM_WORLD, range(4), range(4, 16)).Allgather(mine, theirs)  # doctest: +SKIP

    Raises RotaError for a list without ranks, a rank that stands there twice, and what is no rank.
    """
    groups = tuple(first), tuple(second)
    everyone = sorted((*groups[0], *groups[1]))
    if not all(groups):
        raise RotaError("a group without ranks: name at least one in each list")
    if len(set(everyone)) < len(everyone):
        raise RotaError("a rank stands in the lists twice: name each once")
    if everyone[0] < 0 or everyone[-1] >= comm.size:
        raise RotaError(f"the lists name what is no rank: ranks are 0 to {comm.size - 1}")
    own = next((group for group in groups if comm.rank in group), None)
    if own is None:
        return None
    other = groups[1] if own is groups[0] else groups[0]
    all_ranks = comm.Get_group()
    members = all_ranks.Incl(list(own))
    side = comm.Create_group(members, _TAG)
    connected = side.Create_intercomm(0, comm, other[0], _TAG)
    side.Free()
    members.Free()
    all_ranks.Free()
    return connected
