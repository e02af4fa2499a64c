"""Platforms in TOML, to be written and read by people.

    name = "two hosts and a router"

    nodes = [
      { name = "a", task = 1 },
      { name = "b", task = "1/2" },
      { name = "r" },
    ]
    links = [
      { between = ["a", "r"], cost = "2/3" },
      { from = "r", to = "b", cost = 0.1 },
    ]

`task` is the time of a unit task; a node without one only forwards. `cost` is the time of a unit message;
`between` gives a link each way. A platform with `speed` and `bandwidth` (flops and bytes per second, or with
units: "1Gf", "125MBps") is measured in these. Numbers count as they are written, 0.1 as 1/10.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.platforms.builder import Builder, at
from rota.platforms.numbers import shortened, written
from rota.platforms.platform import paired

if TYPE_CHECKING:
    from fractions import Fraction

    from rota.platforms.platform import Platform

# tomllib takes the square of a dotted key's length.
_LINE_LETTERS: Final = 10_000
# And it takes seconds for so much.
_LETTERS: Final = 2**23

_DOCUMENT: Final = ("name", "measured-in", "nodes", "links")
_NODE: Final = ("name", "task", "speed")
_LINK: Final = ("from", "to", "between", "cost", "bandwidth")


def platform_in_toml(text: str) -> Platform:
    """Return the platform that the TOML text describes; every RotaError begins with the place."""
    document = parsed_toml(text)
    require_known(document, _DOCUMENT)
    builder = Builder(_text(document, "name") if "name" in document else "")
    if "measured-in" in document:
        builder.measure_in(_text(document, "measured-in"))
    for number, node in enumerate(records(document, "nodes"), 1):
        with at(f"node {number}"):
            require_known(node, _NODE)
            builder.add_node(_text(node, "name"), values_of(node, "task", "speed"))
    for number, link in enumerate(records(document, "links"), 1):
        with at(f"link {number}"):
            require_known(link, _LINK)
            values = values_of(link, "cost", "bandwidth")
            builder.add_link(*_ends(link), values, both_ways="between" in link)
    return builder.platform()


def toml_of(platform: Platform) -> str:
    """Return the platform as TOML, a line for each node and for each link or pair of opposite links."""
    units = platform.measured_in

    def value(key: str, time: Fraction) -> str:
        number = units.number_of(time)
        # An integer of TOML has 64 bits.
        is_plain = number.denominator == 1 and number < 2**63
        return f"{key} = {number}" if is_plain else f'{key} = "{written(number)}"'

    lines = [f"name = {_quoted(platform.name)}"] if platform.name else []
    lines += [f'measured-in = "{units.value}"', "", "nodes = ["]
    for node in platform.nodes:
        task = "" if node.task is None else f", {value(units.node_key, node.task)}"
        lines.append(f"  {{ name = {_quoted(node.name)}{task} }},")
    lines += ["]", "links = ["]
    for link, leads_back in paired(platform.links):
        source, target = _quoted(link.source), _quoted(link.target)
        ends = f"between = [{source}, {target}]" if leads_back else f"from = {source}, to = {target}"
        lines.append(f"  {{ {ends}, {value(units.link_key, link.cost)} }},")
    return "\n".join([*lines, "]", ""])


def parsed_toml(text: str) -> dict[str, Any]:
    """Return what the text says; RotaError, in one line, for what is no TOML or too much of it."""
    if len(text) > _LETTERS:
        raise RotaError(f"more than {_LETTERS >> 20} MiB of TOML: write node-link JSON, which is read faster")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LINE_LETTERS:
            raise RotaError(f"line {number}: more than {_LINE_LETTERS} letters; break it")
    try:
        return tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as fault:
        raise RotaError(f"no TOML: {fault}") from fault
    except (ValueError, RecursionError) as fault:  # numbers of thousands of digits; brackets in brackets
        raise RotaError("no platform: a number is too long, or brackets are nested too deep") from fault


def records(document: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the tables of a list, none without such a key; RotaError for what is no list of tables."""
    found = document.get(key, [])
    if not isinstance(found, list) or not all(isinstance(record, dict) for record in found):
        raise RotaError(f"{key}: give a list, {key} = [{{ ... }}, {{ ... }}]")
    return found


def require_known(table: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Raise RotaError for a key that is none of these."""
    for key in table:
        if key not in keys:
            raise RotaError(f"unknown key {shortened(key)!r}: write {', '.join(keys)}")


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise RotaError(f"{key}: give a text")
    return value


def _ends(link: dict[str, Any]) -> tuple[str, str]:
    if "between" not in link:
        return _text(link, "from"), _text(link, "to")
    ends = link["between"]
    is_pair = isinstance(ends, list) and len(ends) == 2 and all(isinstance(end, str) for end in ends)  # noqa: PLR2004
    if not is_pair or "from" in link or "to" in link:
        raise RotaError('write between = ["a", "b"], or from = "a", to = "b"')
    return ends[0], ends[1]


def values_of(table: dict[str, Any], *keys: str) -> dict[str, str]:
    """Return the numbers of these keys as they are written; RotaError for what is none."""
    found = {key: table[key] for key in keys if key in table}
    for key, value in found.items():
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise RotaError(f'{key}: write a number or a text such as "2/3"')
    return {key: _digits(value) for key, value in found.items()}


def _digits(value: str | int) -> str:
    try:
        return str(value)
    except ValueError as fault:  # of thousands of digits, written in hexadecimal
        raise RotaError("a number is too long") from fault


def _quoted(text: str) -> str:
    """Return the text as a basic string; names are printable, so only these two need a backslash."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
