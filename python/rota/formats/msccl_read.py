"""MSCCL's XML as a schedule of rounds.

The program of all thread blocks is carried out as a GPU might do it: each does its steps in order, waits
for the step that it names, and receives what was sent first. That gives the messages an order; each then
gets the first round in which the ports of both ranks are free, and in which its chunks are there. So a
program that sends to many ranks at once takes more rounds here than steps there: in Rota's model a port is
busy with one message.

What comes into scratch memory is taken for the block that it is a part of. It is stored, or combined, when
it comes: where that would not be what the program means, because the rank's own part is still sent after
that, the file is refused. That steps wait for all that they need is not checked: one order is played, and
not all.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from rota import Message, OnReceive, Step, schedule_of_steps
from rota.collectives import ROOTED
from rota.errors import RotaError
from rota.formats.msccl_chunks import NAMES, REDUCING, Chunks, chunks_of

if TYPE_CHECKING:
    from rota import Block, Schedule

_SENDING: Final = ("s", "rcs", "rrs", "rrcs")
_RECEIVING: Final = ("r", "rcs", "rrc", "rrs", "rrcs")
_REDUCING: Final = ("rrc", "rrs", "rrcs")
_LOCAL: Final = ("cpy", "re", "nop")
_MOST_STEPS: Final = 10**7

_Cell = tuple[str, int]


@dataclass(frozen=True)
class _Step:
    kind: str
    source: _Cell
    target: _Cell
    count: int
    waits_for: tuple[int, int] | None

    def sources(self) -> list[_Cell]:
        return [(self.source[0], self.source[1] + i) for i in range(self.count)]

    def targets(self) -> list[_Cell]:
        return [(self.target[0], self.target[1] + i) for i in range(self.count)]


@dataclass
class _ThreadBlock:
    rank: int
    number: int
    send: int
    receive: int
    channel: int
    steps: list[_Step]
    done: int = 0

    @property
    def where(self) -> str:
        return f"rank {self.rank}, thread block {self.number}, step {self.done}"


@dataclass
class _Sent:
    """A message on its way: its blocks, and of each the first round in which it is there."""

    blocks: list[Block]
    first_rounds: list[int]


@dataclass
class _Memory:
    """What a rank's scratch cells hold, and when its blocks were written and read."""

    scratch: dict[int, Block] = field(default_factory=dict)
    written: dict[Block, int] = field(default_factory=lambda: defaultdict(int))
    """The first round in which the block may be read."""
    read: dict[Block, int] = field(default_factory=lambda: defaultdict(int))
    """The first round in which it may be written."""
    waiting: dict[Block, int] = field(default_factory=lambda: defaultdict(int))
    """How many parts lie in scratch memory that the program has not combined with it yet."""


@dataclass
class _Rounds:
    """The messages, each in its round; which rounds a port has used."""

    sends: dict[tuple[int, int], Message] = field(default_factory=dict)
    receives: dict[tuple[int, int], tuple[Message, OnReceive]] = field(default_factory=dict)

    def place(
        self, sender: int, receiver: int, first: int, blocks: list[Block], on_receive: OnReceive
    ) -> int:
        """Put a message into the first round from `first` on in which both ports are free; return it."""
        number = first
        while (sender, number) in self.sends or (receiver, number) in self.receives:
            number += 1
        self.sends[sender, number] = Message(receiver, blocks)
        self.receives[receiver, number] = Message(sender, blocks), on_receive
        return number

    def steps(self) -> list[tuple[int, int, Step]]:
        """Return what each rank does in each round."""
        steps = []
        for rank, number in sorted({*self.sends, *self.receives}):
            doing: dict[str, Any] = {}
            if (rank, number) in self.sends:
                doing["send"] = self.sends[rank, number]
            if (rank, number) in self.receives:
                doing["receive"], doing["on_receive"] = self.receives[rank, number]
            steps.append((rank, number, Step(**doing)))
        return steps


def schedule_of_msccl(text: str) -> tuple[str, Schedule]:
    """Return what the program is called, and the schedule; raise RotaError for what is wrong and where."""
    root = _parsed(text)
    word = root.get("coll", "")
    collective = next((each for each, name in NAMES.items() if name == word), None)
    if collective is None:
        raise RotaError(f"its collective is {word!r}: those that are read are {', '.join(NAMES.values())}")
    ranks = _number(root, "ngpus", "the program", least=1)
    from_root = (
        _number(root, "root", "the program") if collective in ROOTED and root.get("root") is not None else 0
    )
    chunks = chunks_of(collective, ranks, from_root, _number(root, "nchunksperloop", "the program", least=1))
    rounds = _Machine(chunks, _thread_blocks(root, ranks)).rounds()
    try:
        schedule = schedule_of_steps(
            collective,
            rounds.steps(),
            ranks=ranks,
            root=from_root,
            blocks=chunks.blocks,
            owners=[] if collective in ROOTED or len(chunks.owners) == ranks else list(chunks.owners),
        )
    except ValueError as fault:
        raise RotaError(str(fault)) from None
    return root.get("name", ""), schedule


class _Machine:
    """Carries a program out, receiving as soon as something has come."""

    def __init__(self, chunks: Chunks, blocks: list[_ThreadBlock]) -> None:
        self._chunks = chunks
        self._blocks = blocks
        self._by_place = {(block.rank, block.number): block for block in blocks}
        self._memory = [_Memory() for _ in range(chunks.ranks)]
        self._on_way: dict[tuple[int, int, int], deque[_Sent]] = defaultdict(deque)
        self._rounds = _Rounds()
        self._reduces = chunks.collective in REDUCING

    def rounds(self) -> _Rounds:
        """Carry all of it out."""
        ready = deque(self._blocks)
        idle = 0
        while ready and idle < len(ready):
            block = ready.popleft()
            idle = 0 if self._advance(block) else idle + 1
            if block.done < len(block.steps):
                ready.append(block)
        if ready:
            raise RotaError(
                f"{ready[0].where} waits forever: for a message that nobody sends, or in a circle"
            )
        return self._rounds

    def _advance(self, block: _ThreadBlock) -> bool:
        """Do the thread block's steps as far as that goes; say whether it did any."""
        before = block.done
        while block.done < len(block.steps) and self._can_do(block):
            self._do(block, block.steps[block.done])
            block.done += 1
        return block.done > before

    def _can_do(self, block: _ThreadBlock) -> bool:
        step = block.steps[block.done]
        if step.waits_for is not None:
            number, waited_for = step.waits_for
            other = self._by_place.get((block.rank, number))
            if other is None or waited_for >= len(other.steps):
                raise RotaError(
                    f"{block.where} waits for thread block {number}, step {waited_for}: there is none"
                )
            if other.done <= waited_for:
                return False
        return step.kind not in _RECEIVING or bool(self._on_way[block.receive, block.rank, block.channel])

    def _do(self, block: _ThreadBlock, step: _Step) -> None:
        if step.kind in _RECEIVING:
            self._receive(block, step)
        if step.kind in _SENDING:
            # What was received and is passed on lies where it was put.
            cells = step.sources() if step.kind == "s" else step.targets()
            self._send(block, cells)
        if step.kind in ("cpy", "re"):
            for source, target in zip(step.sources(), step.targets(), strict=True):
                self._move(block, source, target, is_combined=step.kind == "re")

    def _send(self, block: _ThreadBlock, cells: list[_Cell]) -> None:
        memory = self._memory[block.rank]
        blocks = [self._block_in(block, cell) for cell in cells]
        if late := next((each for each in blocks if memory.waiting[each]), None):
            raise RotaError(
                f"{block.where} sends block {late.index} of owner {late.owner} while another part of it waits"
                " in scratch memory: such programs are not read"
            )
        first_rounds = [memory.written[each] for each in blocks]
        self._on_way[block.rank, block.send, block.channel].append(_Sent(blocks, first_rounds))

    def _receive(self, block: _ThreadBlock, step: _Step) -> None:
        sent = self._on_way[block.receive, block.rank, block.channel].popleft()
        if len(sent.blocks) != step.count:
            raise RotaError(f"{block.where} receives {step.count} chunks of a message of {len(sent.blocks)}")
        memory = self._memory[block.rank]
        for cell, each in zip(step.targets(), sent.blocks, strict=True):
            self._put(block, memory, cell, each)
        is_combined = step.kind in _REDUCING or (self._reduces and step.target[0] == "s")
        free = (max(memory.written[each], memory.read[each]) - 1 for each in sent.blocks)
        first = max(*sent.first_rounds, *free, 0)
        side = OnReceive.combine_right if block.receive > block.rank else OnReceive.combine_left
        number = self._rounds.place(
            block.receive,
            block.rank,
            first,
            sorted(sent.blocks, key=_place_of),
            side if is_combined else OnReceive.store,
        )
        self._sent_in(block, sent, number)
        for each in sent.blocks:
            memory.written[each] = max(memory.written[each], number + 1)

    def _sent_in(self, block: _ThreadBlock, sent: _Sent, number: int) -> None:
        """Note the round at the sender, whose blocks may not have become others before."""
        memory = self._memory[block.receive]
        for each, then in zip(sent.blocks, sent.first_rounds, strict=True):
            if memory.written[each] > then and number >= memory.written[each]:
                raise RotaError(
                    f"{block.where} receives what its sender has overwritten meanwhile:"
                    " such programs are not read"
                )
            memory.read[each] = max(memory.read[each], number + 1)

    def _put(self, block: _ThreadBlock, memory: _Memory, cell: _Cell, received: Block) -> None:
        buffer, number = cell
        if buffer == "s":
            memory.scratch[number] = received
            memory.waiting[received] += int(self._reduces)
        elif self._chunks.block(block.rank, buffer, number) != received:
            raise RotaError(f"{block.where} receives a chunk as another one: such programs are not read")

    def _move(self, block: _ThreadBlock, source: _Cell, target: _Cell, *, is_combined: bool) -> None:
        """Copy or combine a chunk within a rank: done already if it has come from scratch memory."""
        memory = self._memory[block.rank]
        moved = self._block_in(block, source)
        if target[0] == "s":
            memory.scratch[target[1]] = moved
        elif self._chunks.block(block.rank, *target) != moved:
            raise RotaError(f"{block.where} makes one chunk another: such programs are not read")
        if is_combined and source[0] == "s" and target[0] != "s":
            memory.waiting[moved] -= 1
        elif is_combined:
            raise RotaError(
                f"{block.where} combines what is not in scratch memory: such programs are not read"
            )

    def _block_in(self, block: _ThreadBlock, cell: _Cell) -> Block:
        buffer, number = cell
        if buffer != "s":
            return self._chunks.block(block.rank, buffer, number)
        found = self._memory[block.rank].scratch.get(number)
        if found is None:
            raise RotaError(f"{block.where} reads scratch memory that nothing was put into")
        return found


def _place_of(block: Block) -> tuple[int, int]:
    return block.owner, block.index


def _parsed(text: str) -> ET.Element:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise RotaError("it declares a document type, which no such program needs")
    try:
        root = ET.fromstring(text)  # noqa: S314 - nothing can be declared in it
    except ET.ParseError as fault:
        raise RotaError(f"it is no XML: {fault}") from None
    if root.tag != "algo":
        raise RotaError(f"it begins with <{root.tag}>: a program of MSCCL's begins with <algo>")
    return root


def _thread_blocks(root: ET.Element, ranks: int) -> list[_ThreadBlock]:
    found: dict[tuple[int, int], _ThreadBlock] = {}
    for gpu in root.iter("gpu"):
        rank = _number(gpu, "id", "a gpu", most=ranks - 1)
        for tb in gpu.iter("tb"):
            block = _thread_block(tb, rank, ranks)
            if (rank, block.number) in found:
                raise RotaError(f"rank {rank} has two thread blocks {block.number}")
            found[rank, block.number] = block
    if sum(len(block.steps) for block in found.values()) > _MOST_STEPS:
        raise RotaError(f"it has more than {_MOST_STEPS} steps, which take too long to play")
    return list(found.values())


def _thread_block(tb: ET.Element, rank: int, ranks: int) -> _ThreadBlock:
    number = _number(tb, "id", f"a thread block of rank {rank}")
    where = f"rank {rank}, thread block {number}"
    send, receive = (_number(tb, name, where, least=-1, most=ranks - 1) for name in ("send", "recv"))
    steps = [_step(step, f"{where}, step {i}") for i, step in enumerate(tb.iter("step"))]
    for i, step in enumerate(steps):
        for kinds, peer in ((_SENDING, send), (_RECEIVING, receive)):
            if step.kind in kinds and peer in (-1, rank):
                raise RotaError(f"{where}, step {i}: {step.kind!r} needs another rank as its peer")
    return _ThreadBlock(rank, number, send, receive, _number(tb, "chan", where), steps)


def _step(step: ET.Element, where: str) -> _Step:
    kind = step.get("type", "")
    if kind not in (*_SENDING, *_RECEIVING, *_LOCAL):
        raise RotaError(f"{where}: unknown type {kind!r}")
    other, waited_for = (_number(step, name, where, least=-1) for name in ("depid", "deps"))
    waits_for = None if other == -1 else (other, waited_for)
    if kind == "nop":
        return _Step(kind, ("i", 0), ("i", 0), 0, waits_for)
    source, target = (
        (_buffer(step, f"{end}buf", where), _number(step, f"{end}off", where)) for end in ("src", "dst")
    )
    return _Step(kind, source, target, _number(step, "cnt", where, least=1, most=2**20), waits_for)


def _buffer(step: ET.Element, name: str, where: str) -> str:
    word = step.get(name, "")
    if word not in ("i", "o", "s"):
        raise RotaError(f"{where}: {name} is {word!r}: it may be i, o or s")
    return word


def _number(element: ET.Element, name: str, where: str, least: int = 0, most: int = 2**31 - 1) -> int:
    text = element.get(name, "")
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise RotaError(f"{where}: {name} is {text!r}: it must be a whole number from {least} to {most}")
    return value
