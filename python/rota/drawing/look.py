"""How blocks look: their colours and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota import Collective
from rota.drawing.palette import block_colours, ramp

if TYPE_CHECKING:
    from rota import Block
    from rota.drawing.trace import Trace


@dataclass(frozen=True)
class Look:
    """Blocks have the colour and number of their owner, if an owner has just one, else of their index."""

    by_owner: bool
    colours: tuple[str, ...]
    has_slots: bool
    """Whether a cell has a slot for each owner; else it has room for one block."""

    def number(self, block: Block) -> int:
        """Return the number that tells a block from the others."""
        return block.owner if self.by_owner else block.index

    @property
    def names(self) -> tuple[str, str]:
        """What the first colour means, and the last."""
        what = "owner" if self.by_owner else "block"
        return f"{what} 0", f"{what} {len(self.colours) - 1}"

    def colour(self, block: Block) -> str:
        """Return the block's colour."""
        return self.colours[self.number(block)]


def look_of(trace: Trace) -> Look:
    """Return how the blocks of a schedule look."""
    by_owner = trace.owners > 1 and trace.blocks == 1
    # A scan's block is that of a prefix on its way through all ranks: whose prefix tells little.
    is_scan = trace.collective in (Collective.scan, Collective.exscan)
    return Look(
        by_owner=by_owner,
        colours=ramp(trace.ranks) if by_owner else block_colours(trace.blocks),
        has_slots=trace.has_several or (trace.owners > 1 and not by_owner and not is_scan),
    )
