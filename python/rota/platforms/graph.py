"""Platforms as NetworkX graphs, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from rota.errors import RotaError
from rota.platforms.platform import Link, Node, Platform, Units, units_called

if TYPE_CHECKING:
    from typing import Any


def to_networkx(platform: Platform) -> nx.DiGraph[str]:
    """Return the platform as a directed graph: nodes with `task` where they compute, links with `cost`."""
    graph: nx.DiGraph[str] = nx.DiGraph(name=platform.name, measured_in=platform.measured_in.value)
    for node in platform.nodes:
        graph.add_node(node.name, **({} if node.task is None else {"task": node.task}))
    for link in platform.links:
        graph.add_edge(link.source, link.target, cost=link.cost)
    return graph


def from_networkx(graph: nx.Graph[Any]) -> Platform:
    """Return the platform that a graph is: `cost` of every edge, `task` of the nodes that compute.

    Links come in NetworkX's order, by source; the edges of an undirected graph lead both ways. Numbers are
    taken as they print. Raises RotaError for multigraphs, edges without cost and whatever makes no platform.
    """
    if graph.is_multigraph():
        raise RotaError("a multigraph: give a graph with one edge from a node to another")
    nodes = tuple(Node(str(name), data.get("task")) for name, data in graph.nodes(data=True))
    links: list[Link] = []
    for source, target, data in graph.edges(data=True):
        if "cost" not in data:
            raise RotaError(f"edge {source} -> {target}: no cost; give the time of a unit message")
        links.append(Link(str(source), str(target), data["cost"]))
        if not graph.is_directed():
            links.append(Link(str(target), str(source), data["cost"]))
    measured_in = units_called(str(graph.graph.get("measured_in", Units.UNITS.value)))
    return Platform(nodes, tuple(links), measured_in, str(graph.graph.get("name", "")))
