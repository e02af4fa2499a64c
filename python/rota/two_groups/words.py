"""A schedule between two groups as text and JSON, beside the least rounds and blocks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from rota.drawing.steps import Arrows, Names, cell, table_of_ranks
from rota.two_groups.question import RING
from rota.vocabulary import counted, mpi_name

if TYPE_CHECKING:
    from rota import Schedule, Step
    from rota.two_groups.question import Question

_LEGEND: Final = (
    "→m: m comes from the previous rank; ←m: from the next one. Left of the line the senders, right of it"
    " the receivers;\nthe last receiver is the first sender's neighbour."
)


def text(question: Question, algorithm: str, schedule: Schedule, width: int | None) -> str:
    """Return the steps of all ranks, and the effort beside the least possible."""
    steps = [schedule.steps(rank) for rank in range(schedule.problem.ranks)]
    shown = _on_ring(question, steps) if question.topology == RING else _table(schedule, steps, width)
    title = question.title(algorithm, schedule.problem.blocks)
    return "\n\n".join((title, shown, effort(question, schedule))) + "\n"


def effort(question: Question, schedule: Schedule) -> str:
    """Return rounds and blocks beside the least possible."""
    least, found = question.least_rounds(schedule), most_received(schedule)
    return (
        f"{counted(schedule.rounds, 'round')}; {question.least_possible}: {least}\n"
        f"{counted(found, 'block')} to a rank of the receiving group at most;"
        f" in any schedule at least {schedule.lower_bound().port_blocks}"
    )


def most_received(schedule: Schedule) -> int:
    """Return the blocks that the busiest port of a group receives for which there are data."""
    problem = schedule.problem
    has_data = sum(problem.shares[: problem.first_group]) > 0, sum(problem.shares[problem.first_group :]) > 0
    groups = (range(problem.first_group, problem.ranks), range(problem.first_group))
    receivers = [rank for group, data in zip(groups, has_data, strict=True) if data for rank in group]
    return max((_received(schedule, rank) for rank in receivers), default=0)


def as_json(question: Question, algorithm: str, schedule: Schedule) -> str:
    """Return the steps and the effort."""
    facts = {
        "algorithm": algorithm,
        "collective": mpi_name(schedule.problem.collective.name),
        "senders": question.senders,
        "receivers": question.receivers,
        "topology": question.topology,
        "duplex": question.duplex,
        **({"hosts": question.hosts} if question.hosts else {}),
        "blocks": schedule.problem.blocks,
        "rounds": schedule.rounds,
        "bound_rounds": question.least_rounds(schedule),
        "received_blocks": most_received(schedule),
        "bound_received_blocks": schedule.lower_bound().port_blocks,
        "messages": list(_messages(schedule)),
    }
    return json.dumps(facts, indent=1) + "\n"


def _received(schedule: Schedule, rank: int) -> int:
    return sum(len(step.receive.blocks) for step in schedule.steps(rank))


def _messages(schedule: Schedule) -> list[dict[str, Any]]:
    return [
        {
            "round": i,
            "from": step.receive.peer,
            "to": rank,
            "blocks": [{"owner": each.owner, "index": each.index} for each in step.receive.blocks],
        }
        for rank in range(schedule.problem.ranks)
        for i, step in enumerate(schedule.steps(rank))
        if step.receive.blocks
    ]


def _table(schedule: Schedule, steps: list[list[Step]], width: int | None) -> str:
    names = Names(owners=True, indices=schedule.problem.blocks > 1)
    cells = [[cell(step, names, Arrows(rank, None)) for step in row] for rank, row in enumerate(steps)]
    if not schedule.rounds:
        return "nothing to do"
    return table_of_ranks(cells, None, width) + "\n\n" + names.explained


def _on_ring(question: Question, steps: list[list[Step]]) -> str:
    """Return a row for each round: whose data comes to which rank, and from which side."""
    ranks = len(steps)
    rows = [[_arrival(steps[rank][i], rank, ranks) for rank in range(ranks)] for i in range(len(steps[0]))]
    width = 1 + max(len(word) for row in (*rows, [str(ranks - 1)]) for word in row)
    labels = ["rank", *(f"round {i}" for i in range(len(rows)))]
    lines = [[str(rank) for rank in range(ranks)], *rows]
    label_width = max(map(len, labels))
    shown = [
        label.ljust(label_width) + _line(line, width, question.senders).rstrip()
        for label, line in zip(labels, lines, strict=True)
    ]
    return "\n".join((*shown, "", _LEGEND))


def _line(words: list[str], width: int, senders: int) -> str:
    padded = [word.rjust(width) for word in words]
    return "".join(padded[:senders]) + " │" + "".join(padded[senders:])


def _arrival(step: Step, rank: int, ranks: int) -> str:
    if not step.receive.blocks:
        return "·"
    arrow = "→" if (step.receive.peer + 1) % ranks == rank else "←"
    return f"{arrow}{step.receive.blocks[0].owner}"
