"""Rota's JSON of a schedule, as ``rota show --json`` writes it, read back."""

from __future__ import annotations

from typing import Any, Final

from rota import Block, Combination, Message, OnReceive, Schedule, Step, schedule_of_steps
from rota.collectives import collective_called
from rota.errors import RotaError
from rota.vocabulary import counted

_MOST_RANKS: Final = 2**20
_MOST_INDEX: Final = 2**62
_MOST_ROUNDS: Final = 10**7


def is_schedule(told: object) -> bool:
    """Return whether this is JSON of a schedule, right or wrong."""
    return isinstance(told, dict) and "steps" in told


def schedule_of_json(told: object) -> tuple[str, Schedule]:
    """Return what the schedule is called, and the schedule; raise RotaError for what is wrong and where."""
    if not isinstance(told, dict) or "steps" not in told:
        raise RotaError(
            "it holds no steps: write it with"
            " rota show ALGORITHM --collective COLLECTIVE --ranks P --json FILE"
        )
    collective = collective_called(str(_of(told, "collective", "the schedule")))
    ranks = _number(told, "ranks", "the schedule")
    if not 1 <= ranks <= _MOST_RANKS:
        raise RotaError(f"it is for {ranks} ranks: there may be 1 to {_MOST_RANKS}")
    steps = _of(told, "steps", "the schedule")
    if not isinstance(steps, list):
        raise RotaError("its steps are no list")
    placed = [_placed(step, f"step {i}") for i, step in enumerate(steps)]
    of = {rank for rank, _, _ in placed}
    if ranks > 1 and len(of) == 1:
        raise RotaError(f"it holds the steps of rank {of.pop()} only: write it without --rank")
    rounds = _number(told, "rounds", "the schedule", most=_MOST_ROUNDS)
    used = 1 + max((number for _, number, _ in placed), default=-1)
    if used > rounds:
        raise RotaError(f"it is to have {counted(rounds, 'round')}, but its steps take {used}")
    if rounds > used > 0:  # nobody does anything in the last ones
        placed.append((0, rounds - 1, Step()))
    owners = _numbers(told, "owners")
    try:
        schedule = schedule_of_steps(
            collective,
            placed,
            ranks=ranks,
            root=_number(told, "root", "the schedule") if told.get("root") is not None else 0,
            blocks=_number(told, "blocks", "the schedule", most=_MOST_INDEX),
            owners=[] if owners == list(range(ranks)) else owners,
            hosts=_numbers(told, "hosts"),
            links=_number(told, "links", "the schedule") if "links" in told else 1,
        )
    except (ValueError, TypeError) as fault:
        raise RotaError(" ".join(str(fault).split())) from None
    return str(told.get("algorithm", "")), schedule


def _placed(step: Any, where: str) -> tuple[int, int, Step]:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(step, dict):
        raise RotaError(f"{where} is no object")
    send, receive = step.get("send"), step.get("receive")
    facts: dict[str, Any] = {}
    if send is not None:
        facts["send"] = _message(send, "to", f"{where}, send")
    if receive is not None:
        facts["receive"] = _message(receive, "from", f"{where}, receive")
        facts["on_receive"] = _on_receive(_of(receive, "on_receive", f"{where}, receive"), where)
    facts["combinations"] = [_combination(each, where) for each in _list(step.get("combine", []), where)]
    return _number(step, "rank", where), _number(step, "round", where), Step(**facts)


def _message(told: Any, peer: str, where: str) -> Message:  # noqa: ANN401 - whatever JSON holds
    blocks = [_block(each, where) for each in _list(_of(told, "blocks", where), where)]
    return Message(_number(told, peer, where), blocks)


def _combination(told: Any, where: str) -> Combination:  # noqa: ANN401 - whatever JSON holds
    where = f"{where}, combine"
    return Combination(_block(_of(told, "from", where), where), _block(_of(told, "into", where), where))


def _on_receive(word: object, where: str) -> OnReceive:
    found = next((each for each in OnReceive if each.name == word), None)
    if found is None:
        names = ", ".join(each.name for each in OnReceive)
        raise RotaError(f"{where}: on_receive is {word!r}: it may be {names}")
    return found


def _block(told: Any, where: str) -> Block:  # noqa: ANN401 - whatever JSON holds
    return Block(_number(told, "owner", where), _number(told, "index", where, most=_MOST_INDEX))


def _of(told: Any, name: str, where: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(told, dict) or name not in told:
        raise RotaError(f"{where} has no {name!r}")
    return told[name]


def _list(told: object, where: str) -> list[Any]:
    if not isinstance(told, list):
        raise RotaError(f"{where} has no list where one should be")
    return told


def _number(told: Any, name: str, where: str, most: int = 2**31 - 1) -> int:  # noqa: ANN401 - as JSON has it
    value = _of(told, name, where)
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= most:
        raise RotaError(f"{where}: {name} is {value!r}: it must be a whole number from 0 to {most}")
    return value


def _numbers(told: dict[str, Any], name: str) -> list[int]:
    values = _list(told.get(name, []), f"the schedule's {name}")
    return [_number({name: value}, name, "the schedule") for value in values]
