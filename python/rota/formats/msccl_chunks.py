"""How MSCCL numbers the chunks of a collective's buffers, and which blocks of Rota's these are.

A rank has an input, an output and scratch memory, ``i``, ``o`` and ``s``, each cut into chunks. With p ranks
and n blocks of each owner, in place:

    allreduce                     i: p n chunks, those of owner 0 first; o is the same
    allgather                     o: p n chunks; a rank's i is its own n of them
    reduce_scatter                i: p n chunks; a rank's o is its own n of them
    broadcast, reduce             i: n chunks; o is the same
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rota import Block, Collective
from rota.collectives import ROOTED
from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES: Final = {
    Collective.allreduce: "allreduce",
    Collective.allgather: "allgather",
    Collective.reduce_scatter: "reduce_scatter",
    Collective.broadcast: "broadcast",
    Collective.reduce: "reduce",
}
"""The collectives that both have, as MSCCL calls them."""

REDUCING: Final = (Collective.allreduce, Collective.reduce_scatter, Collective.reduce)


@dataclass(frozen=True)
class Chunks:
    """The chunks of a collective over `ranks` ranks, `blocks` of each owner; the owners in order."""

    collective: Collective
    ranks: int
    root: int
    blocks: int
    owners: Sequence[int]

    @property
    def count(self) -> int:
        """How many chunks the larger buffer has."""
        return self.blocks * len(self.owners)

    @property
    def buffer(self) -> str:
        """The buffer that has them all."""
        return "o" if self.collective == Collective.allgather else "i"

    def number(self, block: Block) -> int:
        """Return which chunk of that buffer a block is."""
        return self.owners.index(block.owner) * self.blocks + block.index

    def block(self, rank: int, buffer: str, number: int) -> Block:
        """Return the block that a chunk of a rank's input or output is."""
        is_part = buffer != self.buffer and self.collective in (
            Collective.allgather,
            Collective.reduce_scatter,
        )
        chunk = rank * self.blocks + number if is_part else number
        if not 0 <= chunk < self.count or (is_part and number >= self.blocks):
            raise RotaError(f"rank {rank} has no chunk {number} in buffer {buffer}")
        owner, index = divmod(chunk, self.blocks)
        return Block(self.owners[owner], index)


def chunks_of(collective: Collective, ranks: int, root: int, count: int) -> Chunks:
    """Return how so many chunks are blocks: of all ranks' data; of one owner's if they come out uneven."""
    if collective in ROOTED:
        return Chunks(collective, ranks, root, count, (root,))
    if count % ranks == 0:
        return Chunks(collective, ranks, 0, count // ranks, tuple(range(ranks)))
    if collective != Collective.allreduce:
        raise RotaError(f"{count} chunks are not as many for each of {ranks} ranks")
    return Chunks(collective, ranks, 0, count, (0,))
