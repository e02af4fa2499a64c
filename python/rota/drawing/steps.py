"""Steps of any schedule as text: what is received, sent and combined, rank by rank and round by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota import OnReceive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rota import Block, Step
    from rota.hosts import Hosts


@dataclass(frozen=True)
class Names:
    """How blocks are named: by owner where there are several, by index where an owner has several."""

    owners: bool
    indices: bool

    def of(self, blocks: Iterable[Block]) -> str:
        """Return the names of a message's blocks: ``5``, ``0-3,7`` or, of blocks 2, ``0-3.2,7.2``."""
        if not self.owners:
            return ",".join(str(block.index) for block in blocks)
        return ",".join(self._run(first, last) for first, last in _runs(blocks))

    def _run(self, first: Block, last: Block) -> str:
        owners = str(first.owner) if first == last else f"{first.owner}-{last.owner}"
        return f"{owners}.{first.index}" if self.indices else owners

    @property
    def explained(self) -> str:
        """What the names say, in words."""
        if not self.owners:
            return "b←r: block b received from rank r; b→r: sent to rank r."
        block = "block b of owner o" if self.indices else "the block of owner o"
        name = "o.b" if self.indices else "o"
        return f"{name}←r: {block} received from rank r; {name}→r: sent to rank r."


def _runs(blocks: Iterable[Block]) -> list[tuple[Block, Block]]:
    """Return the ends of the runs of consecutive owners with blocks of the same index."""
    runs: list[tuple[Block, Block]] = []
    for block in sorted(blocks, key=lambda each: (each.index, each.owner)):
        if runs and (runs[-1][1].owner + 1, runs[-1][1].index) == (block.owner, block.index):
            runs[-1] = runs[-1][0], block
        else:
            runs.append((block, block))
    return runs


COMBINED = "+b: the rank's own combined with b, in this order; b+: b combined with the rank's own."
ALONE = "a+b: its blocks a and b combined, as b."
LINKS = "⇐ and ⇒: over a link; ← and →: within a host."


@dataclass(frozen=True)
class Arrows:
    """How a rank's messages are drawn: double over a link, where ranks share hosts, else single."""

    rank: int
    hosts: Hosts | None

    def from_(self, peer: int) -> str:
        """Return the arrow from another rank, and that rank."""
        return f"{'⇐' if self._is_double(peer) else '←'}{peer}"

    def to(self, peer: int) -> str:
        """Return the arrow to another rank, and that rank."""
        return f"{'⇒' if self._is_double(peer) else '→'}{peer}"

    def _is_double(self, peer: int) -> bool:
        return self.hosts is not None and not self.hosts.share(self.rank, peer)


@dataclass(frozen=True)
class Cell:
    """What a rank does in a round; empty words where it does nothing."""

    received: str
    sent: str
    combined: str

    @property
    def words(self) -> tuple[str, str, str]:
        """All three, in the order in which they are shown."""
        return self.received, self.sent, self.combined


def cell(step: Step, names: Names, arrows: Arrows) -> Cell:
    """Return a step in words."""
    received, sent = names.of(step.receive.blocks), names.of(step.send.blocks)
    left = "+" if step.on_receive == OnReceive.combine_right else ""
    right = "+" if step.on_receive == OnReceive.combine_left else ""
    return Cell(
        received=f"{left}{received}{right}{arrows.from_(step.receive.peer)}" if received else "",
        sent=f"{sent}{arrows.to(step.send.peer)}" if sent else "",
        combined=" ".join(f"{names.of([each.source])}+{names.of([each.into])}" for each in step.combinations),
    )


def table_of_ranks(rows: Sequence[Sequence[Cell]], hosts: Hosts | None, width: int | None = None) -> str:
    """Return a row for each rank and a column for each round, in bands that fit into `width` characters."""
    labels = _labels(len(rows), hosts)
    columns = [_column(f"round {i}", cells) for i, cells in enumerate(zip(*rows, strict=True))]
    bands = _bands(columns, None if width is None else width - len(labels[0]))
    return "\n\n".join(
        "\n".join(" │ ".join(line).rstrip() for line in zip(labels, *band, strict=True)) for band in bands
    )


def _labels(ranks: int, hosts: Hosts | None) -> list[str]:
    """Return the beginnings of the lines, header first: the ranks, and before a host's first one the host."""
    names = _right(["rank", *map(str, range(ranks))])
    if hosts is None:
        return names
    host_from = {run.first: str(run.host) for run in hosts.runs}
    before = _right(["host", *(host_from.get(rank, "") for rank in range(ranks))])
    return [f"{host}  {rank}" for host, rank in zip(before, names, strict=True)]


def table_of_rounds(cells: Sequence[Cell]) -> str:
    """Return a row for each round of one rank."""
    heads = ("receives", "sends", "combines")
    shown = [i for i in range(len(heads)) if any(each.words[i] for each in cells)]
    columns = [_flush([heads[i], *(each.words[i] for each in cells)]) for i in shown]
    rounds = _right(["round", *map(str, range(len(cells)))])
    return "\n".join("  ".join(line).rstrip() for line in zip(rounds, *columns, strict=True))


def _column(head: str, cells: Sequence[Cell]) -> list[str]:
    """Return the lines of a round, header first, all equally wide."""
    parts = [_flush(words) for words in zip(*(each.words for each in cells), strict=True) if any(words)]
    return _flush(
        [head, *("  ".join(words) for words in zip(*parts, strict=True))]
        if parts
        else [head] + [""] * len(cells)
    )


def _flush(words: Sequence[str]) -> list[str]:
    width = max(map(len, words))
    return [word.ljust(width) for word in words]


def _right(words: Sequence[str]) -> list[str]:
    width = max(map(len, words))
    return [word.rjust(width) for word in words]


def _bands(columns: Sequence[list[str]], width: int | None) -> Iterator[list[list[str]]]:
    """Generate as many columns at a time as fit; at least one."""
    band: list[list[str]] = []
    used = 0
    for column in columns:
        needs = len(column[0]) + len(" │ ")
        if band and width is not None and used + needs > width:
            yield band
            band, used = [], 0
        band.append(column)
        used += needs
    yield band
