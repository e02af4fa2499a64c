"""SimGrid's stars: zones in which everybody's own links meet, so that their routes need not be listed.

A <cluster> is one, and so is a zone of host_links, cabinets and peers. From one member to another messages
cross what is the one's on the way out, then what is the other's on the way in; a backbone, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rota.errors import RotaError
from rota.platforms.builder import at
from rota.platforms.numbers import shortened
from rota.platforms.platform import MAX_NODES
from rota.platforms.quantities import bandwidth_bytes_per_s
from rota.platforms.routes import Channel, Route
from rota.platforms.simgrid_links import pipe_named, pipe_of
from rota.platforms.simgrid_radical import radical_numbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from rota.platforms.simgrid_links import Pipe
    from rota.platforms.xml_tree import Element


@dataclass(frozen=True)
class Member:
    """A node of a star: what its messages cross on their way out of it, and into it."""

    name: str
    out: tuple[Channel, ...] = ()
    into: tuple[Channel, ...] = ()


def star_routes(members: Sequence[Member]) -> Iterator[Route]:
    """Generate the routes between all members; there is none where nothing would be crossed."""
    for source in members:
        for target in members:
            channels = tuple(dict.fromkeys((*source.out, *target.into)))
            if source is not target and channels:
                yield Route(source.name, target.name, channels)


def cluster_hosts(element: Element) -> list[str]:
    """Return the names of the hosts of a <cluster> or <cabinet>; RotaError if it is no star."""
    topology = element.attributes.get("topology", "FLAT")
    if topology != "FLAT":
        raise RotaError(
            f"{element.place}: a cluster that is a {shortened(topology)} is not read; give its links"
        )
    prefix, suffix = (element.attributes.get(key, "") for key in ("prefix", "suffix"))
    with at(element.place):
        return [
            f"{prefix}{number}{suffix}" for number in radical_numbers(element.required("radical"), MAX_NODES)
        ]


def cluster_router(element: Element) -> str:
    """Return what the router of a <cluster> is called, which is there only if a route leads to it."""
    prefix, suffix = (element.attributes.get(key, "") for key in ("prefix", "suffix"))
    return element.attributes.get("router_id") or f"{prefix}{element.required('id')}_router{suffix}"


def cluster_members(element: Element, gateways: Collection[str]) -> list[Member]:
    """Return the hosts of a <cluster>, and its router where that is a gateway."""
    name = element.required("id")
    backbone = _cluster_backbone(element)
    with at(element.place):
        cost = 1 / bandwidth_bytes_per_s(element.required("bw"))
        policy = element.attributes.get("sharing_policy", "SPLITDUPLEX")
        limiter = _optional_cost(element, "limiter_link")
    members: list[Member] = []
    for host in cluster_hosts(element):
        pipe = pipe_of(f"{name}:{host}", cost, policy)
        limits = () if limiter is None else (Channel(f"{name}:{host}:limiter", limiter),)
        members.append(Member(host, (*limits, pipe.up, *backbone), (*backbone, pipe.down, *limits)))
    if cluster_router(element) in gateways:
        members.append(Member(cluster_router(element)))
    return members


def _cluster_backbone(element: Element) -> tuple[Channel, ...]:
    with at(element.place):
        cost = _optional_cost(element, "bb_bw")
        if cost is None:
            return ()
        policy = element.attributes.get("bb_sharing_policy", "SHARED")
        return (pipe_of(f"{element.required('id')}_backbone", cost, policy).up,)


def _optional_cost(element: Element, key: str) -> Fraction | None:
    text = element.attributes.get(key, "")
    return 1 / bandwidth_bytes_per_s(text) if text.strip() not in ("", "0") else None


def zone_members(zone: Element, pipes: Mapping[str, Pipe], nodes: Collection[str]) -> list[Member]:
    """Return the members of a zone whose hosts have links of their own (host_link, cabinet, peer)."""
    backbones = [element.required("id") for element in zone.named("backbone")]
    backbone = tuple(pipes[name].up for name in backbones)
    members: list[Member] = []
    for element in zone.children:
        if element.tag == "host_link":
            members.append(_linked_host(element, backbone, pipes, nodes))
        elif element.tag == "cabinet":
            members += _cabinet_members(element, backbone)
        elif element.tag == "peer":
            members.append(_peer(element, backbone))
        elif element.tag == "router":
            members.append(Member(element.required("id"), backbone, backbone))
    return members


def _linked_host(
    element: Element, backbone: tuple[Channel, ...], pipes: Mapping[str, Pipe], nodes: Collection[str]
) -> Member:
    with at(element.place):
        name = element.required("id")
        if name not in nodes:
            raise RotaError(f"there is no host {shortened(name)}; name one that there is")
        up, down = (pipe_named(element.required(key), pipes).up for key in ("up", "down"))
    return Member(name, (up, *backbone), (*backbone, down))


def _cabinet_members(element: Element, backbone: tuple[Channel, ...]) -> Iterable[Member]:
    with at(element.place):
        cost = 1 / bandwidth_bytes_per_s(element.required("bw"))
    for host in cluster_hosts(element):
        pipe = pipe_of(f"{element.required('id')}:{host}", cost, "SPLITDUPLEX")
        yield Member(host, (pipe.up, *backbone), (*backbone, pipe.down))


def _peer(element: Element, backbone: tuple[Channel, ...]) -> Member:
    name = element.required("id")
    with at(element.place):
        out = Channel(f"{name}:out", 1 / bandwidth_bytes_per_s(element.required("bw_out")))
        into = Channel(f"{name}:in", 1 / bandwidth_bytes_per_s(element.required("bw_in")))
    return Member(name, (out, *backbone), (*backbone, into))
