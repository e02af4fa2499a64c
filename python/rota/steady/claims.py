"""A plan's file, read: what it claims, in the one form in which plans are written.

Only the text is looked at here. An object has exactly the keys that it should have, each once. Numbers are
exact, from 0 up, and strings: "3", "2/3" in lowest terms. Nodes are printable names; messages and tasks are
lists of integers from 0 up. What is of another form is no plan, and is not guessed at. Whether what is
claimed is true is another room's question: `rota.steady.certificate`.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, TypeVar

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform
from rota.platforms.numbers import shortened
from rota.steady.series import Computation, Kind, Task, Transfer, reached

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from rota.steady.series import Activity, Message

PARTS: Final = ("send", "receive", "compute")
"""What of a node has a price."""

_KEYS: Final = (
    *("throughput", "bound", "period", "fixed", "operations_per_period", "series", "platform"),
    *("flows", "tasks", "trees", "dual", "matchings", "seal"),
)
_SERIES_KEYS: Final = {
    Kind.SCATTER: ("kind", "hosts", "root", "sizes"),
    Kind.ALL_TO_ALL: ("kind", "hosts", "sizes"),
    Kind.REDUCE: ("kind", "hosts", "root", "sizes", "works", "times"),
    Kind.BROADCAST: ("kind", "hosts", "root"),
}
_NUMBER: Final = re.compile(r"([0-9]{1,4000})(?:/([0-9]{1,4000}))?")
_MOST_LETTERS: Final = 200
"""Of a node's name, as on platforms."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Refused(RotaError):  # noqa: N818 - what happened to the plan
    """The plan is not what it claims to be."""


def require(truth: object, fault: str) -> None:
    """Raise Refused, for this fault, unless it is true."""
    if not truth:
        raise Refused(f"refused: {fault}")


class Amount(NamedTuple):
    """So much of an activity."""

    activity: Activity
    amount: Fraction


class Tree(NamedTuple):
    """So many operations of a period are carried out by these activities."""

    weight: Fraction
    way: tuple[Activity, ...]


class PaidSet(NamedTuple):
    """Each broadcast pays so much for entering these nodes."""

    nodes: tuple[str, ...]
    weight: Fraction


class Together(NamedTuple):
    """A matching: for so long, these transfers share no port."""

    length: Fraction
    pieces: tuple[Amount, ...]


@dataclass(frozen=True, repr=False)
class Claims:
    """What a plan claims, as it is written.

    `amounts`: of each flow and task in a time unit. `operations`: in a period. `prices`: by part and node.
    A broadcast's dual has `paid_sets`, the others' `potentials`. Without `matchings` no schedule is claimed.
    A reduce's `sizes` and `works`, of unit tasks, are 1 where none are said; `times` are those of some nodes.
    """

    platform: Platform
    kind: Kind
    hosts: tuple[str, ...]
    root: str
    sizes: Mapping[Message, Fraction]
    works: Mapping[Task, Fraction]
    times: Mapping[Computation, Fraction]
    throughput: Fraction
    bound: Fraction
    period: Fraction
    is_fixed: bool
    operations: Fraction
    amounts: tuple[Amount, ...]
    trees: tuple[Tree, ...]
    prices: Mapping[tuple[str, str], Fraction]
    potentials: Mapping[Message, Mapping[str, Fraction]]
    paid_sets: tuple[PaidSet, ...]
    matchings: tuple[Together, ...] | None

    def __repr__(self) -> str:
        return f"<Claims: {reached(self.kind, self.throughput, self.bound, self.period)}>"


def document_in(text: str) -> dict[str, Any]:
    """Return the JSON object in a text; RotaError if there is none, or a key is there twice."""
    try:
        document = json.loads(
            text, object_pairs_hook=_each_once, parse_float=_no_decimal, parse_constant=_no_decimal
        )
    except (ValueError, RecursionError) as fault:
        _no_plan(" ".join(str(fault).split()))
    if not isinstance(document, dict) or "throughput" not in document:
        raise RotaError("no plan: write one with rota plan ... --json")
    return document


def seal_of(document: Mapping[str, Any]) -> str:
    """Return the checksum of all of a plan but its seal."""
    rest = {key: value for key, value in document.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def claims_of(document: object) -> Claims:
    """Return what the document claims; RotaError for any other form, Refused where its platform is none."""
    plan = _object(document, "the plan", _KEYS)
    kind = _kind(plan["series"])
    series = _object(plan["series"], "the series", _SERIES_KEYS[kind])
    proof = "cuts" if kind is Kind.BROADCAST else "potentials"
    dual = _object(plan["dual"], "the dual", (*PARTS, proof))
    matchings = plan["matchings"]
    return Claims(
        platform=_platform(plan["platform"]),
        kind=kind,
        hosts=tuple(_name(host) for host in _list(series["hosts"], "the hosts")),
        root=_name(series["root"]) if "root" in series else "",
        sizes=_once(_sizes(kind, series), "a message"),
        works=_once(_works(series.get("works", [])), "a task"),
        times=_once(_times(series.get("times", [])), "a task of a node"),
        throughput=_number(plan["throughput"]),
        bound=_number(plan["bound"]),
        period=_number(plan["period"]),
        is_fixed=_truth(plan["fixed"], "fixed"),
        operations=_number(plan["operations_per_period"]),
        amounts=(*_flows(plan["flows"]), *_tasks(plan["tasks"])),
        trees=tuple(_tree(tree) for tree in _list(plan["trees"], "the trees")),
        prices=_once(_prices(dual), "a price"),
        potentials=_once(_potentials(dual.get("potentials", [])), "a message's potentials"),
        paid_sets=tuple(_paid_set(cut) for cut in _list(dual.get("cuts", []), "the cuts")),
        matchings=None
        if matchings is None
        else tuple(_together(each) for each in _list(matchings, "the matchings")),
    )


# What is claimed of what.


def _platform(value: object) -> Platform:
    platform = _object(value, "the platform", ("directed", "name", "nodes", "links"))
    if not _truth(platform["directed"], "directed"):
        _no_plan("its platform is not directed")
    nodes = tuple(_node(node) for node in _list(platform["nodes"], "the nodes"))
    links = tuple(_link(link) for link in _list(platform["links"], "the links"))
    try:
        return Platform(
            tuple(Node(*node) for node in nodes),
            tuple(Link(*link) for link in links),
            name=_string(platform["name"]),
        )
    except RotaError as fault:
        raise Refused(f"refused: {fault}") from fault


def _node(value: object) -> tuple[str, Fraction | None]:
    computes = isinstance(value, dict) and "task" in value
    node = _object(value, "a node", ("id", "task") if computes else ("id",))
    return _name(node["id"]), _number(node["task"]) if computes else None


def _link(value: object) -> tuple[str, str, Fraction]:
    link = _object(value, "a link", ("source", "target", "cost"))
    return _name(link["source"]), _name(link["target"]), _number(link["cost"])


def _kind(series: object) -> Kind:
    kind = series.get("kind") if isinstance(series, dict) else None
    if kind not in [known.value for known in Kind]:
        _no_plan(f"a series of {shortened(repr(kind))} is unknown")
    return Kind(kind)


def _sizes(kind: Kind, series: Mapping[str, object]) -> Iterator[tuple[Message, Fraction]]:
    sizes = _list(series.get("sizes", []), "the sizes")
    if kind is Kind.SCATTER:
        yield from (((target,), _number(size)) for target, size in enumerate(sizes))
        return
    for each in sizes:
        *pair, size = _list(each, "a size", 3)
        yield _integers(pair, "a pair"), _number(size)


def _works(value: object) -> Iterator[tuple[Task, Fraction]]:
    for each in _list(value, "the works"):
        *task, work = _list(each, "a work", 4)
        yield Task(*_integers(task, "a task")), _number(work)


def _times(value: object) -> Iterator[tuple[Computation, Fraction]]:
    for each in _list(value, "the times"):
        node, *task, time = _list(each, "a time", 5)
        yield _computation(node, task), _number(time)


def _flows(value: object) -> Iterator[Amount]:
    for each in _list(value, "the flows"):
        flow = _object(each, "a flow", ("source", "target", "message", "rate"))
        yield Amount(_transfer(flow["source"], flow["target"], flow["message"]), _number(flow["rate"]))


def _tasks(value: object) -> Iterator[Amount]:
    for each in _list(value, "the tasks"):
        task = _object(each, "a task", ("node", "task", "rate"))
        yield Amount(_computation(task["node"], task["task"]), _number(task["rate"]))


def _tree(value: object) -> Tree:
    tree = _object(value, "a tree", ("weight", "transfers", "tasks"))
    transfers, tasks = _list(tree["transfers"], "a tree's transfers"), _list(tree["tasks"], "a tree's tasks")
    way: list[Activity] = [_transfer(*_list(each, "a tree's transfer", 3)) for each in transfers]
    way += [_computation(*_list(each, "a tree's task", 2)) for each in tasks]
    return Tree(_number(tree["weight"]), tuple(way))


def _prices(dual: Mapping[str, object]) -> Iterator[tuple[tuple[str, str], Fraction]]:
    for part in PARTS:
        for node, price in _by_name(dual[part], "the prices"):
            yield (part, node), price


def _potentials(value: object) -> Iterator[tuple[Message, dict[str, Fraction]]]:
    for each in _list(value, "the potentials"):
        message, costs = _list(each, "a message's potentials", 2)
        yield _integers(message, "a message"), dict(_by_name(costs, "potentials"))


def _paid_set(value: object) -> PaidSet:
    cut = _object(value, "a cut", ("nodes", "weight"))
    return PaidSet(
        tuple(_name(node) for node in _list(cut["nodes"], "a cut's nodes")), _number(cut["weight"])
    )


def _together(value: object) -> Together:
    matching = _object(value, "a matching", ("length", "transfers"))
    pieces = (_list(each, "a transfer", 4) for each in _list(matching["transfers"], "a matching's transfers"))
    return Together(
        _number(matching["length"]),
        tuple(Amount(_transfer(*sent), _number(amount)) for *sent, amount in pieces),
    )


def _transfer(source: object, target: object, message: object) -> Transfer:
    return Transfer(_name(source), _name(target), _integers(message, "a message"))


def _computation(node: object, task: object) -> Computation:
    return Computation(_name(node), Task(*_integers(_list(task, "a task", 3), "a task")))


# Forms.


def _no_plan(fault: str) -> NoReturn:
    raise RotaError(f"no plan: {fault}; write it anew with rota plan")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _once(pairs, "a key")


def _once(pairs: Iterable[tuple[_Key, _Value]], what: str) -> dict[_Key, _Value]:
    """Return the pairs as a dictionary; RotaError if a key is there twice."""
    found: dict[_Key, _Value] = {}
    for key, value in pairs:
        if key in found:
            _no_plan(f"{what} is there twice: {shortened(repr(key))}")
        found[key] = value
    return found


def _no_decimal(text: str) -> NoReturn:
    _no_plan(f'{shortened(text)} is not exact: numbers are strings like "2/3"')


def _object(value: object, what: str, keys: Collection[str]) -> dict[str, Any]:
    """Return an object that has these keys and no others."""
    if not isinstance(value, dict):
        _no_plan(f"{what} is no object")
    for key in keys:
        if key not in value:
            _no_plan(f'{what} has no "{key}"')
    if len(value) > len(keys):
        unknown = next(key for key in value if key not in keys)
        _no_plan(f"{what} has {shortened(repr(unknown))}, which is unknown")
    return value


def _list(value: object, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list):
        _no_plan(f"{what}: no list")
    if length is not None and len(value) != length:
        _no_plan(f"{what}: a list of {len(value)}, not of {length}")
    return value


def _by_name(value: object, what: str) -> Iterator[tuple[str, Fraction]]:
    if not isinstance(value, dict):
        _no_plan(f"{what}: no object")
    return ((_name(node), _number(number)) for node, number in value.items())


def _number(value: object) -> Fraction:
    """Return a number from 0 up, written in the only way there is."""
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        _no_plan(f'{shortened(repr(value))} is no exact number from 0 up, as "3" or "2/3"')
    numerator, denominator = int(found[1]), int(found[2] or 1)
    if denominator == 0:
        _no_plan(f"{shortened(found[0])} divides by 0")
    number = Fraction(numerator, denominator)
    if str(number) != value:
        _no_plan(f"{shortened(found[0])} is not in lowest terms")
    return number


def _integers(value: object, what: str) -> tuple[int, ...]:
    numbers = tuple(_list(value, what))
    for number in numbers:
        if type(number) is not int or number < 0:  # True is no index
            _no_plan(f"{what}: {shortened(repr(number))} is no integer from 0 up")
    return numbers


def _truth(value: object, what: str) -> bool:
    if not isinstance(value, bool):
        _no_plan(f"{what}: {shortened(repr(value))} is neither true nor false")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        _no_plan(f"{shortened(repr(value))} is no name")
    return value


def _name(value: object) -> str:
    """Return a node's name, which is printed as it is."""
    name = _string(value)
    if not name.isprintable() or len(name) > _MOST_LETTERS:
        _no_plan(f"{shortened(repr(name))} is no name of at most {_MOST_LETTERS} printable letters")
    return name
