"""Platforms as SimGrid's files: one zone in which messages find their way over the platform's own links.

SimGrid's numbers are doubles: where a rate has no short decimal, a property beside it notes the exact time,
which `rota.platforms.simgrid_read` takes. A platform in units is written with one byte for a unit message and
one flop for a unit task, and with a property that says so. SimGrid's routers have no ports: there, as many
messages as there are links go through at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from rota.platforms.numbers import terminating, written
from rota.platforms.platform import paired
from rota.platforms.simgrid_read import PROPERTY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rota.platforms.platform import Link, Node, Platform

_HEAD: Final = """<?xml version='1.0' encoding='utf-8'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="platform" routing="Floyd">"""


def simgrid_of(platform: Platform) -> str:
    """Return the platform as SimGrid's XML, version 4.1."""
    lines = [_HEAD, f"    {_property('name', platform.name)}"]
    lines.append(f"    {_property('measured-in', platform.measured_in.value)}")
    lines += [_node(node) for node in platform.nodes]
    links = list(paired(platform.links))
    lines += [_link(number, link, is_split=back) for number, (link, back) in enumerate(links)]
    for number, (link, back) in enumerate(links):
        lines += _route(number, link, is_symmetrical=back)
    return "\n".join([*lines, "  </zone>", "</platform>", ""])


def _node(node: Node) -> str:
    if node.task is None:
        return f"    <router id={quoteattr(node.name)}/>"
    rate, exactly = _rate(node.task, "task")
    return _element(f"host id={quoteattr(node.name)} speed={quoteattr(rate + 'f')}", "host", exactly)


def _link(number: int, link: Link, *, is_split: bool) -> str:
    rate, exactly = _rate(link.cost, "cost")
    policy = ' sharing_policy="SPLITDUPLEX"' if is_split else ""
    return _element(f'link id="l{number}" bandwidth="{rate}Bps" latency="0s"{policy}', "link", exactly)


def _route(number: int, link: Link, *, is_symmetrical: bool) -> Iterator[str]:
    ends = f"src={quoteattr(link.source)} dst={quoteattr(link.target)}"
    direction = ' direction="UP"' if is_symmetrical else ""
    yield f'    <route {ends} symmetrical="{"YES" if is_symmetrical else "NO"}">'
    yield f'      <link_ctn id="l{number}"{direction}/>'
    yield "    </route>"


def _element(head: str, tag: str, inside: str) -> str:
    return f"    <{head}>{inside}</{tag}>" if inside else f"    <{head}/>"


def _rate(time: Fraction, key: str) -> tuple[str, str]:
    """Return units per second as a decimal, and the property that gives the exact time if that is needed."""
    decimal = terminating(1 / time)
    if decimal is not None:
        return decimal, ""
    return f"{float(1 / time):.17g}", _property(key, written(time))


def _property(key: str, value: str) -> str:
    return f"<prop id={quoteattr(PROPERTY + key)} value={quoteattr(value)}/>"
