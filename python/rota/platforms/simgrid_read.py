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
from rota.platforms.routes import Channel, Route, graph_of
from rota.platforms.simgrid_radical import radical_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


@dataclass(frozen=True)
class _Pipe:
    """A link: its channel each way, the same one where it is not split."""

    up: Channel
    down: Channel


@dataclass(frozen=True)
class _Member:
    """A node of a star: what its messages cross on their way out of it, and into it."""

    name: str
    out: tuple[Channel, ...] = ()
    into: tuple[Channel, ...] = ()


@dataclass
class _Reading:
    """What has been read so far."""

    nodes: dict[str, Node] = field(default_factory=dict)
    pipes: dict[str, _Pipe] = field(default_factory=dict)
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
        reading.pipes[name] = _pipe(name, cost, element.attributes.get("sharing_policy", "SHARED"))


def _pipe(name: str, cost: Fraction, policy: str) -> _Pipe:
    match policy.upper():
        case "SHARED":
            channel = Channel(name, cost)
            return _Pipe(channel, channel)
        case "FATPIPE":
            channel = Channel(name, cost, is_shared=False)
            return _Pipe(channel, channel)
        case "SPLITDUPLEX" | "FULLDUPLEX":
            return _Pipe(Channel(f"{name}_UP", cost), Channel(f"{name}_DOWN", cost))
        case _:
            raise RotaError(f"sharing_policy {shortened(policy)!r}; SHARED, SPLITDUPLEX and FATPIPE are read")


def _add_cluster_hosts(element: Element, reading: _Reading) -> None:
    topology = element.attributes.get("topology", "FLAT")
    if topology != "FLAT":
        raise RotaError(
            f"{element.place}: a cluster that is a {shortened(topology)} is not read; give its links"
        )
    for name in _cluster_hosts(element):
        _add_host(element, name, reading)
    if element.tag == "cluster" and _cluster_router(element) in reading.gateways:
        _add_node(element, Node(_cluster_router(element)), reading)


def _cluster_hosts(element: Element) -> list[str]:
    prefix, suffix = (element.attributes.get(key, "") for key in ("prefix", "suffix"))
    with at(element.place):
        return [
            f"{prefix}{number}{suffix}" for number in radical_numbers(element.required("radical"), MAX_NODES)
        ]


def _cluster_router(element: Element) -> str:
    prefix, suffix = (element.attributes.get(key, "") for key in ("prefix", "suffix"))
    return element.attributes.get("router_id") or f"{prefix}{element.required('id')}_router{suffix}"


# Second pass: routes.


def _route(parent: Element, reading: _Reading) -> None:
    for element in parent.children:
        if element.tag in _ZONES:
            _require_routing(element)
            if element.attributes["routing"].lower() in _STARS:
                _add_star(element, _zone_members(element, reading), reading)
            _route(element, reading)
        elif element.tag == "cluster":
            _add_star(element, _cluster_members(element, reading), reading)
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
        _add_route(element, Route(*ends, _channels(element, reading)[0]), reading, replaces=True)


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
    there, back = _channels(element, reading)
    _add_route(element, Route(*ends, there), reading)
    if symmetrical == "YES":
        _add_route(element, Route(ends[1], ends[0], back), reading)


def _channels(element: Element, reading: _Reading) -> tuple[tuple[Channel, ...], tuple[Channel, ...]]:
    """Return the channels there, and those of the way back."""
    there: list[Channel] = []
    back: list[Channel] = []
    for part in element.named("link_ctn"):
        with at(part.place):
            pipe = _pipe_named(part.required("id"), reading)
            direction = part.attributes.get("direction", "NONE")
            if direction not in ("UP", "DOWN", "NONE"):
                raise RotaError(f"direction {shortened(direction)!r}; write UP or DOWN")
        there.append(pipe.down if direction == "DOWN" else pipe.up)
        back.append(pipe.up if direction == "DOWN" else pipe.down)
    return tuple(there), tuple(reversed(back))


def _pipe_named(name: str, reading: _Reading) -> _Pipe:
    """Return a link, or what the name of one direction of a split link stands for."""
    pipe = reading.pipes.get(name)
    if pipe is not None:
        return pipe
    stem, _, direction = name.rpartition("_")
    split = reading.pipes.get(stem)
    if split is None or direction not in ("UP", "DOWN") or split.up is split.down:
        raise RotaError(f"there is no link {shortened(name)}; name one that there is")
    return split if direction == "UP" else _Pipe(split.down, split.up)


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


def _add_star(element: Element, members: Sequence[_Member], reading: _Reading) -> None:
    """Add the routes between all members of a zone in which everybody's own links meet."""
    if len(members) ** 2 > _MOST_ROUTES:
        raise RotaError(f"{element.place}: {len(members)} hosts, each with routes to all; give fewer")
    for source in members:
        for target in members:
            channels = tuple(dict.fromkeys((*source.out, *target.into)))
            if source is not target and channels:
                _add_route(element, Route(source.name, target.name, channels), reading)


def _cluster_members(element: Element, reading: _Reading) -> list[_Member]:
    """Return the hosts of a <cluster>, and its router where a route leads there."""
    name = element.required("id")
    backbone = _cluster_backbone(element)
    with at(element.place):
        cost = 1 / bandwidth_bytes_per_s(element.required("bw"))
        policy = element.attributes.get("sharing_policy", "SPLITDUPLEX")
        limiter = _optional_cost(element, "limiter_link")
    members: list[_Member] = []
    for host in _cluster_hosts(element):
        pipe = _pipe(f"{name}:{host}", cost, policy)
        limits = () if limiter is None else (Channel(f"{name}:{host}:limiter", limiter),)
        members.append(_Member(host, (*limits, pipe.up, *backbone), (*backbone, pipe.down, *limits)))
    if _cluster_router(element) in reading.gateways:
        members.append(_Member(_cluster_router(element)))
    return members


def _cluster_backbone(element: Element) -> tuple[Channel, ...]:
    with at(element.place):
        cost = _optional_cost(element, "bb_bw")
        if cost is None:
            return ()
        policy = element.attributes.get("bb_sharing_policy", "SHARED")
        return (_pipe(f"{element.required('id')}_backbone", cost, policy).up,)


def _optional_cost(element: Element, key: str) -> Fraction | None:
    text = element.attributes.get(key, "")
    return 1 / bandwidth_bytes_per_s(text) if text.strip() not in ("", "0") else None


def _zone_members(zone: Element, reading: _Reading) -> list[_Member]:
    """Return the members of a zone whose hosts have links of their own (host_link, cabinet, peer)."""
    backbones = [element.required("id") for element in zone.named("backbone")]
    backbone = tuple(reading.pipes[name].up for name in backbones)
    members: list[_Member] = []
    for element in zone.children:
        if element.tag == "host_link":
            members.append(_linked_host(element, backbone, reading))
        elif element.tag == "cabinet":
            members += _cabinet_members(element, backbone)
        elif element.tag == "peer":
            members.append(_peer(element, backbone))
        elif element.tag == "router":
            members.append(_Member(element.required("id"), backbone, backbone))
    return members


def _linked_host(element: Element, backbone: tuple[Channel, ...], reading: _Reading) -> _Member:
    with at(element.place):
        name = element.required("id")
        if name not in reading.nodes:
            raise RotaError(f"there is no host {shortened(name)}; name one that there is")
        up, down = (_pipe_named(element.required(key), reading).up for key in ("up", "down"))
    return _Member(name, (up, *backbone), (*backbone, down))


def _cabinet_members(element: Element, backbone: tuple[Channel, ...]) -> Iterable[_Member]:
    with at(element.place):
        cost = 1 / bandwidth_bytes_per_s(element.required("bw"))
    for host in _cluster_hosts(element):
        pipe = _pipe(f"{element.required('id')}:{host}", cost, "SPLITDUPLEX")
        yield _Member(host, (pipe.up, *backbone), (*backbone, pipe.down))


def _peer(element: Element, backbone: tuple[Channel, ...]) -> _Member:
    name = element.required("id")
    with at(element.place):
        out = Channel(f"{name}:out", 1 / bandwidth_bytes_per_s(element.required("bw_out")))
        into = Channel(f"{name}:in", 1 / bandwidth_bytes_per_s(element.required("bw_in")))
    return _Member(name, (out, *backbone), (*backbone, into))
