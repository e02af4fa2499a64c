"""A schedule as MSCCL's XML: programs of thread blocks, for GPUs.

A rank has a thread block for each rank that it sends to, and one for each that it receives from; each does
its steps in the order of rounds. Nothing waits for a round: a step waits for those steps of other thread
blocks that its chunks come from, or that still read what it overwrites. A step can wait for one other; for
more there are steps that do nothing else.

Source: MSCCL's runtime and msccl-tools (its classes Op and Threadblock), as they read and write this.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from rota import OnReceive
from rota.collectives import ROOTED
from rota.errors import RotaError
from rota.formats.msccl_chunks import NAMES, Chunks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rota import Message, Schedule

_MOST_STEPS: Final = 256
"""MSCCL's, of a thread block."""
_MOST_CHUNKS: Final = 71
"""MSCCL's, of a step."""

_Place = tuple[int, int]
"""A step: its thread block's number and its own in it."""


@dataclass
class _Step:
    kind: str
    first: int
    count: int
    waits_for: _Place | None
    is_waited_for: bool = False


@dataclass
class _ThreadBlock:
    number: int
    send: int
    receive: int
    steps: list[_Step] = field(default_factory=list)


def msccl_of(schedule: Schedule, name: str) -> Iterator[str]:
    """Generate the XML, a line at a time.

    Raise RotaError for collectives that MSCCL has not, and for more steps in a thread block than it takes.
    All steps of all ranks are asked for: O(p rounds).
    """
    problem = schedule.problem
    if problem.collective not in NAMES:
        raise RotaError(f"MSCCL has no {problem.collective.name}: choose one of {', '.join(NAMES.values())}")
    is_rooted = problem.collective in ROOTED
    owners = (problem.root,) if is_rooted else tuple(problem.owners) or tuple(range(problem.ranks))
    chunks = Chunks(problem.collective, problem.ranks, problem.root, problem.blocks, owners)
    facts = {
        "name": name or "rota",
        "proto": "Simple",
        "nchannels": 1,
        "nchunksperloop": chunks.count,
        "ngpus": problem.ranks,
        "coll": NAMES[problem.collective],
        "inplace": 1,
        "outofplace": 0,
        "minBytes": 0,
        "maxBytes": 2**40,
        **({"root": problem.root} if is_rooted else {}),
    }
    yield f"<algo{_attributes(facts)}>\n"
    for rank in range(problem.ranks):
        yield from _rank(_Program(chunks, rank, schedule), chunks)
    yield "</algo>\n"


class _Program:
    """The thread blocks of one rank."""

    def __init__(self, chunks: Chunks, rank: int, schedule: Schedule) -> None:
        self.rank = rank
        self.blocks: list[_ThreadBlock] = []
        self._chunks = chunks
        self._of_peer: dict[tuple[str, int], _ThreadBlock] = {}
        self._written: dict[int, _Place] = {}
        self._read: dict[int, list[_Place]] = defaultdict(list)
        for step in schedule.steps(rank):
            if step.combinations:
                raise RotaError("MSCCL has no step that combines blocks of two names")
            self._send(step.send)
            self._receive(step.receive, "r" if step.on_receive == OnReceive.store else "rrc")

    def _send(self, message: Message) -> None:
        for run in _runs([self._chunks.number(block) for block in message.blocks]):
            waits_for = {self._written[chunk] for chunk in run if chunk in self._written}
            place = self._add(self._block("send", message.peer), "s", run, waits_for)
            for chunk in run:
                self._read[chunk].append(place)

    def _receive(self, message: Message, kind: str) -> None:
        for run in _runs([self._chunks.number(block) for block in message.blocks]):
            waits_for = {place for chunk in run for place in self._read.pop(chunk, ())}
            waits_for |= {self._written[chunk] for chunk in run if chunk in self._written}
            place = self._add(self._block("receive", message.peer), kind, run, waits_for)
            self._written.update(dict.fromkeys(run, place))

    def _block(self, what: str, peer: int) -> _ThreadBlock:
        key = what, peer
        if key not in self._of_peer:
            send, receive = (peer, -1) if what == "send" else (-1, peer)
            self._of_peer[key] = _ThreadBlock(len(self.blocks), send, receive)
            self.blocks.append(self._of_peer[key])
        return self._of_peer[key]

    def _add(self, block: _ThreadBlock, kind: str, run: range, waits_for: set[_Place]) -> _Place:
        """Append a step that waits for others, of each thread block for the last; return its place."""
        last: dict[int, int] = {}
        for number, step in waits_for:
            if number != block.number:
                last[number] = max(step, last.get(number, 0))
        places = sorted(last.items())
        for place in places[:-1]:
            block.steps.append(_Step("nop", -1, 0, place))
        block.steps.append(_Step(kind, run.start, len(run), places[-1] if places else None))
        for number, step in last.items():
            self.blocks[number].steps[step].is_waited_for = True
        if len(block.steps) > _MOST_STEPS:
            raise RotaError(
                f"more than {_MOST_STEPS} steps in a thread block, MSCCL's limit: choose fewer --blocks"
            )
        return block.number, len(block.steps) - 1


def _runs(chunks: list[int]) -> Iterator[range]:
    """Generate the chunks as runs of neighbours, none longer than a step may have."""
    start = 0
    for i in range(1, len(chunks) + 1):
        if i == len(chunks) or chunks[i] != chunks[i - 1] + 1 or i - start == _MOST_CHUNKS:
            yield range(chunks[start], chunks[i - 1] + 1)
            start = i


def _rank(program: _Program, chunks: Chunks) -> Iterator[str]:
    is_output = chunks.buffer == "o"
    counts = {"i_chunks": 0 if is_output else chunks.count, "o_chunks": chunks.count if is_output else 0}
    yield f"  <gpu{_attributes({'id': program.rank, **counts, 's_chunks': 0})}>\n"
    for block in program.blocks:
        facts = {"id": block.number, "send": block.send, "recv": block.receive, "chan": 0}
        yield f"    <tb{_attributes(facts)}>\n"
        for i, step in enumerate(block.steps):
            yield f"      <step{_attributes(_step_facts(i, step, chunks.buffer))}/>\n"
        yield "    </tb>\n"
    yield "  </gpu>\n"


def _step_facts(number: int, step: _Step, buffer: str) -> dict[str, object]:
    block, waited_for = step.waits_for or (-1, -1)
    return {
        "s": number,
        "type": step.kind,
        "srcbuf": buffer,
        "srcoff": step.first,
        "dstbuf": buffer,
        "dstoff": step.first,
        "cnt": step.count,
        "depid": block,
        "deps": waited_for,
        "hasdep": int(step.is_waited_for),
    }


def _attributes(facts: Mapping[str, object]) -> str:
    return "".join(f" {name}={quoteattr(str(value))}" for name, value in facts.items())
