"""Any schedule, step by step, as text and JSON, beside the least rounds and blocks."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

from rota import Collective, OnReceive
from rota.collectives import ROOTED
from rota.drawing.steps import ALONE, COMBINED, LINKS, Arrows, Names, cell, table_of_ranks, table_of_rounds
from rota.drawing.tree_table import table_of_trees
from rota.errors import RotaError
from rota.show.words import OF_EACH_RANK, blocks_beside_bound, owners_of, rounds_beside_bound, title
from rota.two_trees import Trees, trees_of
from rota.vocabulary import mpi_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota import Block, Problem, Schedule, Step
    from rota.hosts import Hosts
    from rota.show.question import Question

MAX_TEXT: Final = 10**6
MAX_JSON: Final = 10**8
"""Steps and blocks in them: more take too long, and nobody reads them."""

_FEW_BLOCKS: Final = 4


@dataclass(frozen=True)
class Steps:
    """The steps that a question asks for: those of all ranks, or of one."""

    question: Question

    @cached_property
    def schedule(self) -> Schedule:
        """The schedule: of a few blocks, if the question leaves that open."""
        return self.question.schedule(1 if self.question.collective in OF_EACH_RANK else _FEW_BLOCKS)

    @property
    def ranks(self) -> range:
        """The ranks that are shown."""
        rank = self.question.rank
        return range(self.question.ranks) if rank is None else range(rank, rank + 1)

    @property
    def trees(self) -> Trees | None:
        """The trees that the blocks take, if they take two."""
        return trees_of(self.schedule.problem) if self.question.has_two_trees else None

    @property
    def port_blocks(self) -> int:
        """The blocks through the busiest port, or through that of the one rank that is shown."""
        if self.question.rank is None:
            return self.schedule.effort().port_blocks
        steps = self.schedule.steps(self.question.rank)
        return max(
            sum(len(step.send.blocks) for step in steps), sum(len(step.receive.blocks) for step in steps)
        )

    def text(self, width: int | None) -> Iterator[str]:
        """Generate what the schedule is, its trees, its steps, and its effort beside the least possible."""
        self._require_at_most(MAX_TEXT)
        yield title(self.question.algorithm, self.schedule.problem, self.question.hosts) + "\n\n"
        if self.trees:
            yield table_of_trees(self.trees, self.ranks) + "\n\n"
        if self.schedule.rounds:
            yield self._steps(width) + "\n\n"
        yield self._effort() + "\n"

    def json(self) -> Iterator[str]:
        """Generate the JSON step by step, a line each; steps in which a rank does nothing are left out."""
        self._require_at_most(MAX_JSON)
        yield json.dumps(self._facts()).removesuffix("}")
        if self.trees:
            yield ', "trees": ['
            yield from _lines({"rank": rank, **_tree_facts(self.trees, rank)} for rank in self.ranks)
        yield ', "steps": ['
        yield from _lines(
            {"rank": rank, "round": i, **doing}
            for rank in self.ranks
            for i, step in enumerate(self.schedule.steps(rank))
            if (doing := _doing(step))
        )
        yield "}\n"

    def _require_at_most(self, most: int) -> None:
        work = len(self.ranks) * (self.schedule.rounds + self.schedule.lower_bound().port_blocks)
        if work > most:
            remedy = "choose fewer --blocks" if len(self.ranks) == 1 else "use --rank R or fewer --blocks"
            raise RotaError(f"{work} steps and blocks are too many to show, {most} are the most: {remedy}")

    def _steps(self, width: int | None) -> str:
        owners = owners_of(self.schedule.problem)
        names = Names(owners=owners > 1, indices=owners > 1 and self.schedule.problem.blocks > 1)
        steps = [self.schedule.steps(rank) for rank in self.ranks]
        hosts = self.question.hosts
        cells = [
            [cell(step, names, Arrows(rank, hosts)) for step in row]
            for rank, row in zip(self.ranks, steps, strict=True)
        ]
        table = (
            table_of_ranks(cells, hosts, width) if self.question.rank is None else table_of_rounds(cells[0])
        )
        legend = [*_legend(names, chain.from_iterable(steps)), *([LINKS] if hosts else [])]
        return table + "\n\n" + "\n".join(legend)

    def _effort(self) -> str:
        port = "the busiest port" if self.question.rank is None else f"rank {self.question.rank}'s port"
        return (
            rounds_beside_bound(self.schedule)
            + "\n"
            + blocks_beside_bound(self.schedule, self.port_blocks, port)
        )

    def _facts(self) -> dict[str, Any]:
        problem, least = self.schedule.problem, self.schedule.lower_bound()
        return {
            "algorithm": self.question.algorithm,
            "collective": mpi_name(problem.collective.name),
            "ranks": problem.ranks,
            **_placement(self.question.hosts),
            "root": problem.root if problem.collective in ROOTED else None,
            **({"owners": _owners(problem)} if problem.collective == Collective.allreduce else {}),
            "blocks": problem.blocks,
            "rounds": self.schedule.rounds,
            "bound_rounds": least.rounds,
            "port_blocks": self.port_blocks,
            "bound_port_blocks": least.port_blocks,
        }


def _placement(hosts: Hosts | None) -> dict[str, Any]:
    if hosts is None:
        return {}
    return {"hosts": hosts.of_rank, **({"links": hosts.links} if hosts.links > 1 else {})}


def _owners(problem: Problem) -> list[int]:
    """Return the ranks into whose parts an allreduce's data is cut."""
    return list(problem.owners or range(problem.ranks))


def _legend(names: Names, steps: Iterator[Step]) -> Iterator[str]:
    yield names.explained
    combined, alone = False, False
    for step in steps:
        combined = combined or (bool(step.receive.blocks) and step.on_receive != OnReceive.store)
        alone = alone or bool(step.combinations)
    if combined:
        yield COMBINED
    if alone:
        yield ALONE


def _lines(things: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Generate a JSON list's inside and end, a line for each thing."""
    for separator, thing in zip(chain([""], repeat(",")), things, strict=False):
        yield f"{separator}\n {json.dumps(thing)}"
    yield "\n]"


def _tree_facts(trees: Trees, rank: int) -> dict[str, Any]:
    first, second = trees.places(rank)
    return {"first": asdict(first), "second": asdict(second)}


def _doing(step: Step) -> dict[str, Any]:
    doing: dict[str, Any] = {}
    if step.send.blocks:
        doing["send"] = {"to": step.send.peer, "blocks": [_block(each) for each in step.send.blocks]}
    if step.receive.blocks:
        blocks = [_block(each) for each in step.receive.blocks]
        doing["receive"] = {"from": step.receive.peer, "blocks": blocks, "on_receive": step.on_receive.name}
    if step.combinations:
        doing["combine"] = [
            {"from": _block(each.source), "into": _block(each.into)} for each in step.combinations
        ]
    return doing


def _block(block: Block) -> dict[str, int]:
    return {"owner": block.owner, "index": block.index}
