"""Node-link JSON, NetworkX's: nodes with `task` or `speed`, links with `cost` or `bandwidth`.

    {"directed": true, "nodes": [{"id": "Ps"}], "links": [{"source": "Ps", "target": "Pa", "cost": "2/3"}]}

Links may be called edges. Numbers count as they are written, 0.1 as 1/10, and may be texts. Where "directed"
is false, as it is by default, a link leads both ways.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NoReturn

from rota.errors import RotaError
from rota.platforms.builder import Builder, at
from rota.platforms.numbers import shortened, written

if TYPE_CHECKING:
    from fractions import Fraction

    from rota.platforms.platform import Platform

_VALUES: Final = ("task", "speed", "cost", "bandwidth")


class _Number(str):
    """A number as it is written."""

    __slots__ = ()


def platform_in_node_link(text: str) -> Platform:
    """Return the platform that the JSON text describes; every RotaError begins with the place."""
    document = _parsed(text)
    if not isinstance(document, dict):
        raise RotaError('no platform: give {"directed": true, "nodes": [...], "links": [...]}')
    is_directed = _flag(document, "directed")
    if _flag(document, "multigraph"):
        raise RotaError("multigraph: give a graph with one link from a node to another")
    builder = _named(document)
    for number, node in enumerate(_records(document, "nodes")):
        with at(f"nodes[{number}]"):
            builder.add_node(_name(node, "id"), _attributes(node))
    key = "links" if "links" in document else "edges"
    for number, link in enumerate(_records(document, key)):
        with at(f"{key}[{number}]"):
            ends = _name(link, "source"), _name(link, "target")
            builder.add_link(*ends, _attributes(link), both_ways=not is_directed)
    return builder.platform()


def node_link_of(platform: Platform) -> str:
    """Return the platform as node-link JSON, a line for each node and link."""
    units = platform.measured_in

    def value(time: Fraction) -> int | str:
        number = units.number_of(time)
        return number.numerator if number.denominator == 1 else written(number)

    nodes = [
        {"id": node.name, **({} if node.task is None else {units.node_key: value(node.task)})}
        for node in platform.nodes
    ]
    links = [
        {"source": link.source, "target": link.target, units.link_key: value(link.cost)}
        for link in platform.links
    ]
    head = {"name": platform.name} if platform.name else {}
    return (
        '{"directed": true, "multigraph": false,\n'
        f' "graph": {_line(head | {"measured_in": units.value})},\n'
        f' "nodes": {_lines(nodes)},\n "links": {_lines(links)}}}\n'
    )


def _parsed(text: str) -> Any:  # noqa: ANN401 - what JSON can be
    try:
        return json.loads(
            text,
            parse_float=_Number,
            parse_int=_Number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_without_repetition,
        )
    except json.JSONDecodeError as fault:
        raise RotaError(f"line {fault.lineno}: no JSON: {fault.msg} in column {fault.colno}") from fault
    except RecursionError as fault:
        raise RotaError("no platform: nested too deep") from fault


def _refuse_constant(word: str) -> NoReturn:
    raise RotaError(f"{word} is no number: give a positive one")


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise RotaError(f"{shortened(twice)!r} is there twice in one object: leave one out")
    return found


def _flag(document: dict[str, Any], key: str) -> bool:
    value = document.get(key, False)
    if not isinstance(value, bool):
        raise RotaError(f"{key}: write true or false")
    return value


def _named(document: dict[str, Any]) -> Builder:
    graph = document.get("graph", {})
    # Old versions of NetworkX write a list of pairs.
    graph = graph if isinstance(graph, dict) else {}
    name, measured_in = graph.get("name", ""), graph.get("measured_in")
    builder = Builder(name if isinstance(name, str) else "")
    if measured_in is not None:
        with at("graph"):
            builder.measure_in(str(measured_in))
    return builder


def _records(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = document.get(key)
    if not isinstance(found, list):
        raise RotaError(f"no {key}: give a list of them")
    for number, record in enumerate(found):
        if not isinstance(record, dict):
            raise RotaError(f"{key}[{number}]: write an object in braces")
    return found


def _name(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise RotaError(f"no {key}; give a name")
    return str(value)


def _attributes(record: dict[str, Any]) -> dict[str, str]:
    found = {key: record[key] for key in _VALUES if record.get(key) is not None}
    for key, value in found.items():
        if not isinstance(value, str):
            raise RotaError(f'{key}: write a number or a text such as "2/3"')
    return found


def _line(value: Any) -> str:  # noqa: ANN401 - what JSON can be
    return json.dumps(value, ensure_ascii=False)


def _lines(records: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(f"  {_line(record)}" for record in records) + "]"
