"""GraphML: nodes with `task` or `speed`, edges with `cost` or `bandwidth`.

As NetworkX, yEd and others write it: <key> elements say what the keys of <data> are called. Values are taken
as they are written, whatever type their key declares. Nested graphs, hyperedges and ports are refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import quoteattr

from rota.errors import RotaError
from rota.platforms.builder import Builder, at
from rota.platforms.numbers import shortened, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota.platforms.platform import Platform
    from rota.platforms.xml_tree import Element

_HEAD: Final = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"""
_DIRECTIONS: Final = {"directed": False, "undirected": True}


def platform_in_graphml(root: Element) -> Platform:
    """Return the platform that a <graphml> element holds; every RotaError begins with the line."""
    graphs = list(root.named("graph"))
    if len(graphs) != 1:
        raise RotaError(f"{root.place}: {len(graphs)} graphs; give one")
    graph, builder, keys = graphs[0], Builder(), dict(_keys(root))
    attributes = _data(graph, keys)
    with at(graph.place):
        builder.name = attributes.get("name", "")
        if "measured_in" in attributes:
            builder.measure_in(attributes["measured_in"])
    for child in graph.children:
        if child.tag in ("hyperedge", "port") or next(child.named("graph", "port"), None):
            raise RotaError(
                f"{child.place}: nested graphs, hyperedges and ports are not read; leave them out"
            )
    for node in graph.named("node"):
        name, attributes = node.required("id"), _data(node, keys)
        with at(node.place):
            builder.add_node(name, attributes)
    undirected = _is_undirected(graph, "edgedefault", "directed")
    for edge in graph.named("edge"):
        both_ways = _is_undirected(edge, "directed", "false" if undirected else "true")
        ends, attributes = (edge.required("source"), edge.required("target")), _data(edge, keys)
        with at(edge.place):
            builder.add_link(*ends, attributes, both_ways=both_ways)
    return builder.platform()


def graphml_of(platform: Platform) -> str:
    """Return the platform as GraphML."""
    units = platform.measured_in
    keys = {"name": "graph", "measured_in": "graph", units.node_key: "node", units.link_key: "edge"}
    lines = [_HEAD]
    for key, of in keys.items():
        lines.append(f'  <key id="{key}" for="{of}" attr.name="{key}" attr.type="string"/>')
    lines.append('  <graph edgedefault="directed">')
    if platform.name:
        lines.append(f"    {_data_element('name', platform.name)}")
    lines.append(f"    {_data_element('measured_in', units.value)}")
    for node in platform.nodes:
        head = f"    <node id={quoteattr(node.name)}"
        if node.task is None:
            lines.append(f"{head}/>")
        else:
            value = written(units.number_of(node.task))
            lines.append(f"{head}>{_data_element(units.node_key, value)}</node>")
    for link in platform.links:
        ends = f"source={quoteattr(link.source)} target={quoteattr(link.target)}"
        value = written(units.number_of(link.cost))
        lines.append(f"    <edge {ends}>{_data_element(units.link_key, value)}</edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _keys(root: Element) -> Iterator[tuple[str, str]]:
    """Generate the keys of <data> and what they are called."""
    for key in root.named("key"):
        yield key.required("id"), key.attributes.get("attr.name", key.required("id"))


def _data(element: Element, keys: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for data in element.named("data"):
        key = data.required("key")
        name = keys.get(key)
        if name is None:
            raise RotaError(f"{data.place}: no <key> {shortened(key)}; declare it")
        if name in found:
            raise RotaError(f"{data.place}: a second {shortened(name)}; leave one out")
        found[name] = data.text.strip()
    return found


def _is_undirected(element: Element, attribute: str, default: str) -> bool:
    text = element.attributes.get(attribute, default)
    words = _DIRECTIONS if attribute == "edgedefault" else {"true": False, "false": True}
    if text not in words:
        raise RotaError(f"{element.place}: {attribute} {shortened(text)!r}; write {' or '.join(words)}")
    return words[text]


def _data_element(key: str, value: str) -> str:
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<data key="{key}">{escaped}</data>'
