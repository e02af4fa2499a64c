"""SimGrid's platform files, versions 4 and 4.1: https://simgrid.org/doc/latest/Platform.html.

What is read: zones in zones (zone, AS) with routing Full, Floyd, Dijkstra, DijkstraCache, Cluster, Vivaldi or
None; host, router, link, route, zoneRoute (ASroute), bypassRoute, bypassZoneRoute (bypassASroute), cluster
(flat), cabinet, peer, backbone, host_link; include, of files beside or below the one that includes.

What it becomes: hosts are nodes whose task is the time of a flop, of one core, in the host's pstate; routers
are nodes that only forward; a route is a link from the node where it begins to that where it ends, as long as
its links are not shared with others (`rota.platforms.routes` says what they become then). Routes between
zones lead from gateway to gateway. Messages may thus be forwarded by nodes that SimGrid would pass by.

What has no counterpart is left out: latencies, profiles over time, loopbacks, disks, actors, properties.
Clusters that are a torus, a fat tree or a dragonfly, and WiFi, are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.builder import at
from rota.platforms.numbers import exact, shortened
from rota.platforms.platform import MAX_LINKS, MAX_NODES, Node, Platform, Units, units_called
from rota.platforms.quantities import bandwidth_bytes_per_s, speed_flops_per_s
from rota.platforms.routes import Route, graph_of
from rota.platforms.simgrid_links import channels_of, pipe_of
from rota.platforms.simgrid_stars import (
    cluster_hosts,
    cluster_members,
    cluster_router,
    star_routes,
    zone_members,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rota.platforms.simgrid_links import Pipe
    from rota.platforms.simgrid_stars import Member
    from rota.platforms.xml_tree import Element

PROPERTY: Final = "rota."
"""What the names of properties begin with that say exactly what SimGrid's decimals cannot."""

_ZONES: Final = ("zone", "AS")
_ROUTED: Final = ("full", "floyd", "dijkstra", "dijkstracache", "none", "empty")
_STARS: Final = ("cluster", "star", "vivaldi")
_BETWEEN_ZONES: Final = ("zoneRoute", "ASroute")
_BYPASSES: Final = ("bypassZoneRoute", "bypassASroute")
_MOST_ROUTES: Final = 250_000
_AGREES: Final = Fraction(1, 10**9)


@dataclass
class _Reading:
    """What has been read so far."""

    nodes: dict[str, Node] = field(default_factory=dict)
    pipes: dict[str, Pipe] = field(default_factory=dict)
    zones: set[str] = field(default_factory=set)
    routes: dict[tuple[str, str], Route] = field(default_factory=dict)
    gateways: frozenset[str] = frozenset()


def platform_in_simgrid(root: Element) -> Platform:
    """Return the platform that a <platform> element describes, with all includes in place.

    Every RotaError begins with the line.
    """
    _require_version(root)
    zones = [child for child in root.children if child.tag in (*_ZONES, "cluster")]
    if len(zones) != 1:
        raise RotaError(f"{root.place}: {len(zones)} zones at the top; give one with all others inside")
    reading = _Reading(gateways=_gateways(root))
    _collect(root, reading)
    _route(root, reading)
    graph = graph_of(list(reading.routes.values()), reading.nodes)
    nodes = (*reading.nodes.values(), *graph.routers)
    return Platform(nodes, graph.links, *_as_written(zones[0]))


def _require_version(root: Element) -> None:
    version = root.attributes.get("version", "")
    if version.partition(".")[0] != "4":
        raise RotaError(
            f"{root.place}: version {shortened(version)!r}; convert it to 4.1 with simgrid_update_xml"
        )


def _as_written(zone: Element) -> tuple[Units, str]:
    """Return how the platform is measured, and its name: what Rota noted, else SimGrid's."""
    noted = _noted(zone)
    with at(zone.place):
        measured_in = units_called(noted.get("measured-in", Units.PHYSICAL.value))
        return measured_in, noted.get("name", zone.attributes.get("id", ""))


def _noted(element: Element) -> dict[str, str]:
    """Return the properties that are Rota's."""
    return {
        prop.required("id").removeprefix(PROPERTY): prop.attributes.get("value", "")
        for prop in element.named("prop")
        if prop.required("id").startswith(PROPERTY)
    }


def _noted_time(element: Element, key: str, from_rate: Fraction) -> Fraction:
    """Return the exact time that the element notes, else that of the rate; they must agree."""
    noted = _noted(element).get(key)
    if noted is None:
        return from_rate
    with at(f"{element.place}: {PROPERTY}{key}"):
        time = exact(noted)
        if abs(time - from_rate) > _AGREES * time:
            raise RotaError("not what the element itself says; mend or remove one")
    return time


def _gateways(root: Element) -> frozenset[str]:
    found: set[str] = set()
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if element.tag in (*_BETWEEN_ZONES, *_BYPASSES):
            found |= {element.attributes.get(key, "") for key in ("gw_src", "gw_dst")}
        waiting += element.children
    return frozenset(found)


# First pass: nodes and links, wherever they stand.


def _collect(parent: Element, reading: _Reading) -> None:
    for element in parent.children:
        if element.tag in (*_ZONES, "cluster"):
            _add_zone(element, reading)
        if element.tag in _ZONES:
            _collect(element, reading)
        elif element.tag in ("host", "peer"):
            _add_host(element, element.required("id"), reading)
        elif element.tag == "router":
            _add_node(element, Node(element.required("id")), reading)
        elif element.tag in ("link", "backbone"):
            _add_link(element, reading)
        elif element.tag in ("cluster", "cabinet"):
            _add_cluster_hosts(element, reading)


def _add_zone(element: Element, reading: _Reading) -> None:
    name = element.required("id")
    if name in reading.zones:
        raise RotaError(f"{element.place}: a second zone {shortened(name)}; give it a name of its own")
    reading.zones.add(name)


def _add_host(element: Element, name: str, reading: _Reading) -> None:
    with at(element.place):
        node = Node(name, _noted_time(element, "task", _seconds_per_flop(element)))
    _add_node(element, node, reading)


def _seconds_per_flop(element: Element) -> Fraction:
    speeds = element.required("speed").split(",")
    pstate = element.attributes.get("pstate", "0")
    place = pstate.removesuffix(".0")
    if not place.isascii() or not place.isdigit() or len(place) > 3 or int(place) >= len(speeds):  # noqa: PLR2004
        raise RotaError(f"pstate {shortened(pstate)}; give one from 0 to {len(speeds) - 1}")
    return 1 / speed_flops_per_s(speeds[int(place)])


def _add_node(element: Element, node: Node, reading: _Reading) -> None:
    if node.name in reading.nodes:
        raise RotaError(f"{element.place}: a second {shortened(node.name)}; give it a name of its own")
    if len(reading.nodes) >= MAX_NODES:
        raise RotaError(f"{element.place}: more than {MAX_NODES} nodes; give fewer")
    reading.nodes[node.name] = node


def _add_link(element: Element, reading: _Reading) -> None:
    name = element.required("id")
    if name in reading.pipes:
        raise RotaError(f"{element.place}: a second link {shortened(name)}; give it a name of its own")
    with at(element.place):
        cost = _noted_time(element, "cost", 1 / bandwidth_bytes_per_s(element.required("bandwidth")))
        reading.pipes[name] = pipe_of(name, cost, element.attributes.get("sharing_policy", "SHARED"))


def _add_cluster_hosts(element: Element, reading: _Reading) -> None:
    for name in cluster_hosts(element):
        _add_host(element, name, reading)
    if element.tag == "cluster" and cluster_router(element) in reading.gateways:
        _add_node(element, Node(cluster_router(element)), reading)


# Second pass: routes.


def _route(parent: Element, reading: _Reading) -> None:
    for element in parent.children:
        if element.tag in _ZONES:
            _require_routing(element)
            if element.attributes["routing"].lower() in _STARS:
                _add_star(element, zone_members(element, reading.pipes, reading.nodes), reading)
            _route(element, reading)
        elif element.tag == "cluster":
            _add_star(element, cluster_members(element, reading.gateways), reading)
        elif element.tag == "route":
            _add_routes(element, (element.required("src"), element.required("dst")), reading)
        elif element.tag in _BETWEEN_ZONES:
            _add_routes(element, _between_zones(element, reading), reading)
    # Bypasses replace what is there, so they come last.
    for element in parent.named("bypassRoute", *_BYPASSES):
        between = element.tag in _BYPASSES
        ends = (
            _between_zones(element, reading)
            if between
            else (element.required("src"), element.required("dst"))
        )
        _add_route(element, Route(*ends, channels_of(element, reading.pipes)[0]), reading, replaces=True)


def _require_routing(zone: Element) -> None:
    routing = zone.required("routing")
    if routing.lower() not in (*_ROUTED, *_STARS):
        raise RotaError(
            f"{zone.place}: routing {shortened(routing)!r}; Full, Floyd, Dijkstra, Cluster are read"
        )


def _between_zones(element: Element, reading: _Reading) -> tuple[str, str]:
    """Return the gateways."""
    for key in ("src", "dst"):
        if element.required(key) not in reading.zones:
            raise RotaError(f"{element.place}: there is no zone {shortened(element.required(key))}; name one")
    return element.required("gw_src"), element.required("gw_dst")


def _add_routes(element: Element, ends: tuple[str, str], reading: _Reading) -> None:
    """Add a route, and the way back if it is symmetrical."""
    symmetrical = element.attributes.get("symmetrical", "YES").upper()
    if symmetrical not in ("YES", "NO"):
        raise RotaError(f"{element.place}: symmetrical {shortened(symmetrical)!r}; write YES or NO")
    there, back = channels_of(element, reading.pipes)
    _add_route(element, Route(*ends, there), reading)
    if symmetrical == "YES":
        _add_route(element, Route(ends[1], ends[0], back), reading)


def _add_route(element: Element, route: Route, reading: _Reading, *, replaces: bool = False) -> None:
    for end in (route.source, route.target):
        if end not in reading.nodes:
            raise RotaError(
                f"{element.place}: there is no host or router {shortened(end)}; name one that there is"
            )
    if route.source == route.target:
        return
    if not route.channels:
        raise RotaError(f"{element.place}: a route without links; give at least one")
    ends = route.source, route.target
    if not replaces and reading.routes.get(ends, route) != route:
        raise RotaError(f"{element.place}: a second route from {shortened(ends[0])} to {shortened(ends[1])}")
    if len(reading.routes) >= min(_MOST_ROUTES, MAX_LINKS):
        raise RotaError(f"{element.place}: more than {_MOST_ROUTES} routes; give fewer hosts")
    reading.routes[ends] = route


def _add_star(element: Element, members: Sequence[Member], reading: _Reading) -> None:
    """Add the routes between all members of a zone in which everybody's own links meet."""
    if len(members) ** 2 > _MOST_ROUTES:
        raise RotaError(f"{element.place}: {len(members)} hosts, each with routes to all; give fewer")
    for route in star_routes(members):
        _add_route(element, route, reading)
