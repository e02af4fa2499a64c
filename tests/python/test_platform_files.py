"""Platform files: what is written is read, what is wrong is named in one line, nothing breaks the readers."""

from __future__ import annotations

import json
import math
import os
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import platform_fuzz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog  # type: ignore[import-untyped]

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform, Units, read_platform, to_networkx, write_platform
from rota.platforms.paper import figure2, figure6, figure9
from rota.platforms.routes import Channel, Route, graph_of
from rota.platforms.tiers import tiers

SUFFIXES = (".xml", ".graphml", ".json", ".toml")


def read(text: str, tmp_path: Path, name: str) -> Platform:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return read_platform(file)


def refused(text: str, tmp_path: Path, name: str) -> str:
    with pytest.raises(RotaError) as fault:
        read(text, tmp_path, name)
    message = str(fault.value)
    assert message.startswith(str(tmp_path / name))
    assert "\n" not in message
    return message.removeprefix(str(tmp_path / name))


# Round trips.

names = (
    st.text(min_size=1, max_size=12)
    .filter(lambda text: text.isprintable() and text == text.strip())
    .filter(lambda text: not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text))
)
times = st.fractions(Fraction(1, 10**9), Fraction(10**9), max_denominator=10**12).filter(
    lambda time: time > 0
)


@st.composite
def platforms(draw: st.DrawFn) -> Platform:
    labels = draw(st.lists(names, min_size=1, max_size=7, unique=True))
    nodes = tuple(Node(label, draw(st.none() | times)) for label in labels)
    pairs = [(one, other) for one in labels for other in labels if one != other]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=20)) if pairs else []
    few = st.sampled_from([Fraction(1), Fraction(2, 3)])
    links = tuple(Link(*ends, draw(few | times)) for ends in chosen)
    name = draw(st.just("") | names)
    return Platform(nodes, links, draw(st.sampled_from(Units)), name)


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(platform=platforms())
@settings(deadline=None, max_examples=60)
def test_what_is_written_is_read(suffix: str, platform: Platform) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"p{suffix}"
        write_platform(platform, file)
        assert read_platform(file) == platform


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_real_platforms_survive_every_form(suffix: str, tmp_path: Path) -> None:
    for platform in (figure2(), figure6(), figure9(), tiers(60, 20, 4)):
        write_platform(platform, tmp_path / f"p{suffix}")
        assert read_platform(tmp_path / f"p{suffix}") == platform
        (tmp_path / "p.dat").write_bytes((tmp_path / f"p{suffix}").read_bytes())
        assert read_platform(tmp_path / "p.dat") == platform


def test_networkx_reads_what_is_written(tmp_path: Path) -> None:
    platform = figure2()
    write_platform(platform, tmp_path / "p.graphml")
    graph = nx.read_graphml(tmp_path / "p.graphml")
    assert {
        ends: Fraction(cost) for *ends, cost in map(list, graph.edges(data="cost")) for ends in [tuple(ends)]
    } == {ends: link.cost for ends, link in platform.by_ends.items()}
    write_platform(platform, tmp_path / "p.json")
    graph = nx.node_link_graph(json.loads((tmp_path / "p.json").read_text()), edges="links")
    assert set(graph.edges) == set(platform.by_ends)
    assert graph.is_directed()


def test_what_networkx_writes_is_read(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    graph.add_edge("a", "b", cost=0.1)
    graph.add_edge("b", "c", cost=3)
    graph.add_node("a", task=0.25)
    nx.write_graphml(graph, tmp_path / "p.graphml")
    (tmp_path / "links.json").write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    (tmp_path / "edges.json").write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    for name in ("p.graphml", "links.json", "edges.json"):
        platform = read_platform(tmp_path / name)
        assert [str(link.cost) for link in platform.links] == ["1/10", "3"], name
        assert [node.task for node in platform.nodes] == [Fraction(1, 4), None, None]
    nx.write_graphml(graph.to_undirected(), tmp_path / "p.graphml")
    assert [(link.source, link.target) for link in read_platform(tmp_path / "p.graphml").links] == [
        *(("a", "b"), ("b", "a")),
        *(("b", "c"), ("c", "b")),
    ]


# Node-link JSON.


def test_the_form_that_is_promised(tmp_path: Path) -> None:
    text = (
        '{"directed": true, "nodes": [{"id": "Ps"}, {"id": "Pa"}], '
        '"links": [{"source": "Ps", "target": "Pa", "cost": "2/3"}]}'
    )
    platform = read(text, tmp_path, "p.json")
    assert platform == Platform((Node("Ps"), Node("Pa")), (Link("Ps", "Pa", Fraction(2, 3)),))
    both_ways = read(text.replace('"links"', '"edges"').replace("true", "false"), tmp_path, "p.json")
    assert [(link.source, link.target) for link in both_ways.links] == [("Ps", "Pa"), ("Pa", "Ps")]


def node_link(link: str = '"cost": 1', node: str = "", head: str = '"directed": true') -> str:
    return (
        f'{{{head}, "nodes": [{{"id": "a"{node}}}, {{"id": 7}}],\n'
        f' "links": [{{"source": "a", "target": 7, {link}}}]}}'
    )


@pytest.mark.parametrize(
    ("written", "exactly"), [("0.1", "1/10"), ("1e-3", "1/1000"), ('"3/9"', "1/3"), ('"0.10"', "1/10")]
)
def test_json_numbers_are_exact(written: str, exactly: str, tmp_path: Path) -> None:
    platform = read(node_link(f'"cost": {written}', f', "task": {written}'), tmp_path, "p.json")
    assert platform.link("a", "7").cost == platform.node("a").task == Fraction(exactly)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", ", line 1: no JSON"),
        ("[]", "no platform"),
        ('{"nodes": 3}', "no nodes: give a list"),
        ('{"nodes": []}', "no edges"),
        ('{"nodes": [], "links": []}', "without nodes"),
        (node_link('"cost": NaN'), "NaN is no number"),
        (node_link('"cost": Infinity'), "Infinity is no number"),
        (node_link('"cost": -1'), ", links[0]: cost: -1 is not above 0"),
        (node_link('"cost": 1e999999'), ", links[0]: cost: '1e999999' is no number"),
        (node_link('"cost": 1e99'), "out of range"),
        (node_link(f'"cost": {"9" * 5000}'), "is no number"),
        (node_link('"cost": true'), "cost: write a number"),
        (node_link('"weight": 1'), "has no cost"),
        (node_link('"cost": 1, "bandwidth": "1MBps"'), "cost and bandwidth: give one"),
        (node_link('"bandwidth": "1MBps"', ', "task": 1'), "bandwidth here, task before"),
        (node_link('"bandwidth": "-1MBps"'), "-1 is not above 0"),
        (node_link('"bandwidth": "1Mb"'), "'1Mb' is no bandwidth"),
        (node_link(head='"directed": 1'), "directed: write true or false"),
        (node_link(head='"multigraph": true'), "multigraph"),
        (node_link().replace("7, ", '"c", '), "there is no node 'c'"),
        (node_link().replace('"id": 7', '"id": "a"'), ", nodes[1]: node a is there twice"),
        (node_link().replace('"id": 7', '"id": null'), "no id"),
        (node_link('"cost": 1, "cost": 2'), "'cost' is there twice"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_json_that_is_refused(text: str, why: str, tmp_path: Path) -> None:
    assert why in refused(text, tmp_path, "p.json")


# TOML.


def test_toml(tmp_path: Path) -> None:
    platform = read(platform_fuzz.TOML, tmp_path, "p.toml")
    assert [(link.source, link.target) for link in platform.links] == [("a", "r"), ("r", "a"), ("r", "b")]
    assert platform.link("a", "r").cost == Fraction(1, 125_000_000)
    assert [node.task for node in platform.nodes] == [Fraction(1, 10**9), Fraction(1, 2 * 10**9), None]
    assert (platform.measured_in, platform.name) == (Units.PHYSICAL, "two hosts")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nodes = [", "no TOML"),
        ("nodes = 3", "nodes: give a list"),
        ("", "without nodes"),
        ("hosts = []", "unknown key 'hosts'"),
        ("nodes = [{ name = 'a', sped = 3 }]", ", node 1: unknown key 'sped'"),
        ("nodes = [{ name = 'a', task = nan }]", ", node 1: task: 'nan' is no number"),
        ("nodes = [{ name = 'a', task = true }]", "task: write a number"),
        ("nodes = [{ name = 3 }]", ", node 1: name: give a text"),
        (
            "nodes = [{ name = 'a' }]\nlinks = [{ from = 'a', to = 'x', cost = 1 }]",
            ", link 1: there is no node 'x'",
        ),
        ("nodes = [{ name = 'a' }]\nlinks = [{ between = ['a'], cost = 1 }]", ", link 1: write between"),
        (f"nodes = [{{ name = 'a', task = 0x{'f' * 6000} }}]", "a number is too long"),
        (f"nodes = [{{ name = 'a', task = {'9' * 6000} }}]", "a number is too long"),
        ("a" + ".a" * 10_000 + " = 1", "line 1: more than 10000 letters"),
        ("measured-in = 'furlongs'", "write units or physical"),
    ],
)
def test_toml_that_is_refused(text: str, why: str, tmp_path: Path) -> None:
    assert why in refused(text, tmp_path, "p.toml")


# GraphML.


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("0.1", "-0.1", ", line 7, <edge>: cost: -0.1 is not above 0"),
        ("0.1", "NaN", "cost: 'NaN' is no number"),
        ('key="d0"', 'key="d7"', ", line 7, <data>: no <key> d7"),
        ('target="b"', 'target="z"', ", line 7, <edge>: there is no node 'z'"),
        ('id="b"', 'id="a"', ", line 6, <node>: node a is there twice"),
        ('"undirected"', '"sometimes"', "edgedefault 'sometimes'"),
        ("<node id", "<node iid", "no id; give one"),
        ("</graph>", "</graph><graph/>", "2 graphs"),
        ('<node id="b"/>', '<node id="b"><graph/></node>', "nested graphs"),
        ("graphml", "svg", "give SimGrid's <platform> or <graphml>"),
        ("</edge>\n    <edge", "\n    <edge", "no XML: mismatched tag"),
    ],
)
def test_graphml_that_is_refused(old: str, new: str, why: str, tmp_path: Path) -> None:
    assert why in refused(platform_fuzz.GRAPHML.replace(old, new), tmp_path, "p.graphml")


# XML that does more than a platform needs.

BOMB = """<!DOCTYPE platform [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><platform version="4.1">&c;</platform>"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOMB, "declarations in the document type"),
        (
            '<!DOCTYPE platform [<!ENTITY x SYSTEM "file:///etc/passwd">]><platform>&x;</platform>',
            "declarations",
        ),
        ('<!DOCTYPE platform [<!ATTLIST host speed CDATA "1Gf">]><platform/>', "declarations"),
        ('<!DOCTYPE platform SYSTEM "file:///etc/passwd"><platform version="4.1">&x;</platform>', "0 zones"),
        ("<platform version='4.1'>&x;</platform>", "line 1: no XML: undefined entity"),
        ("<a>" * 1000, "nested deeper than 64"),
        ("", "no XML"),
        ("<?xml version='1.0' encoding='rot13'?><platform/>", "no XML"),
    ],
)
def test_xml_that_does_more(text: str, why: str, tmp_path: Path) -> None:
    assert why in refused(text, tmp_path, "p.xml")


# SimGrid.


def simgrid(inside: str, routing: str = "Full") -> str:
    return (
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        f'<platform version="4.1">\n<zone id="z" routing="{routing}">\n{inside}\n</zone>\n</platform>\n'
    )


HOSTS = '<host id="a" speed="1Gf"/><host id="b" speed="2Gf"/>'
LINK = '<link id="l" bandwidth="1MBps" latency="1ms"/>'
ROUTE = '<route src="a" dst="b"><link_ctn id="l"/></route>'
MICRO = Fraction(1, 10**6)


def costs(platform: Platform) -> dict[tuple[str, str], Fraction]:
    """Return microseconds per byte."""
    return {ends: link.cost / MICRO for ends, link in platform.by_ends.items()}


def test_a_route_is_a_link_each_way(tmp_path: Path) -> None:
    platform = read(simgrid(HOSTS + LINK + ROUTE), tmp_path, "p.xml")
    assert costs(platform) == {("a", "b"): 1, ("b", "a"): 1}
    assert [node.task for node in platform.nodes] == [Fraction(1, 10**9), Fraction(1, 2 * 10**9)]
    assert (platform.measured_in, platform.name) == (Units.PHYSICAL, "z")
    one_way = ROUTE.replace("<route", '<route symmetrical="NO"')
    assert costs(read(simgrid(HOSTS + LINK + one_way), tmp_path, "p.xml")) == {("a", "b"): 1}


def test_a_route_is_as_slow_as_its_slowest_link(tmp_path: Path) -> None:
    links = (
        LINK + '<link id="m" bandwidth="8kbps"/><link id="n" bandwidth="1KiBps" sharing_policy="FATPIPE"/>'
    )
    route = '<route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/><link_ctn id="n"/></route>'
    assert costs(read(simgrid(HOSTS + links + route), tmp_path, "p.xml"))["a", "b"] == 1000


def test_pstates(tmp_path: Path) -> None:
    for pstate, task in (("", 1), (' pstate="1"', 2), (' pstate="2.0"', 4)):
        host = f'<host id="a" speed="4Mf, 2Mf ,1000kf"{pstate} core="8"/>'
        node = read(simgrid(host), tmp_path, "p.xml").nodes[0]
        assert node.task == Fraction(task, 4 * 10**6)


DOGBONE = simgrid(
    "".join(f'<host id="{name}" speed="1Gf"/><link id="l{name}" bandwidth="1MBps"/>' for name in "abcd")
    + '<link id="t" bandwidth="2MBps" sharing_policy="SPLITDUPLEX"/>'
    + "".join(
        f'<route src="{one}" dst="{other}"><link_ctn id="l{one}"/>'
        f'<link_ctn id="t" direction="UP"/><link_ctn id="l{other}"/></route>'
        for one in "ab"
        for other in "cd"
    )
)


def test_a_trunk_that_senders_can_fill_is_two_routers(tmp_path: Path) -> None:
    """Two hosts on either side send at 1 MB/s each: 2 MB/s between them is ample, less is not."""
    ample = read(DOGBONE, tmp_path, "p.xml")
    assert len(ample.nodes) == 4
    assert set(costs(ample).values()) == {1}
    narrow = read(DOGBONE.replace("2MBps", "1.25MBps"), tmp_path, "p.xml")
    assert costs(narrow)["t_UP.in", "t_UP.out"] == Fraction(4, 5)
    assert costs(narrow)["a", "a>t_UP"] == 1
    assert costs(narrow)["a>t_UP", "t_UP.in"] == Fraction(4, 5)
    assert costs(narrow)["t_DOWN>a", "a"] == 1
    assert ("t_DOWN.in", "t_DOWN.out") in costs(narrow)
    assert ("a", "c") not in costs(narrow)
    shared = read(DOGBONE.replace(' sharing_policy="SPLITDUPLEX"', ""), tmp_path, "p.xml")
    assert ("t.in", "t.out") in costs(shared)


def test_a_cluster_is_complete_where_nothing_is_shared(tmp_path: Path) -> None:
    cluster = '<cluster id="c" prefix="n" suffix=".x" radical="0-2,7" speed="1Gf" bw="1MBps" lat="0"/>'
    text = f'<platform version="4">{cluster}</platform>'
    platform = read(text, tmp_path, "p.xml")
    assert [node.name for node in platform.nodes] == ["n0.x", "n1.x", "n2.x", "n7.x"]
    assert len(platform.links) == 12
    assert set(costs(platform).values()) == {1}
    narrow = read(text.replace('lat="0"', 'lat="0" bb_bw="2MBps"'), tmp_path, "p.xml")
    assert costs(narrow)["c_backbone.in", "c_backbone.out"] == Fraction(1, 2)
    assert len(narrow.processors) == 4


def test_zones_meet_at_gateways(tmp_path: Path) -> None:
    platform = read(platform_fuzz.SIMGRID, tmp_path, "p.xml")
    assert costs(platform)["gate", "r"] == Fraction(1, 10)
    for source in ("a", "b", "n0.", "m2", "e"):
        platform.require_path(source, "n7.")
    assert len(platform.processors) == 2 + 5 + 2 + 1
    # The bypass from a to b and the routes to the gate share link l2.
    assert costs(platform)["a", "l2.in"] == costs(platform)["l2.out", "b"] == Fraction(8, 1000)


def test_include(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "links.xml").write_text(f'<platform version="4.1">{LINK}</platform>')
    text = simgrid(HOSTS + '<include file="parts/links.xml"/>' + ROUTE)
    assert costs(read(text, tmp_path, "p.xml"))["a", "b"] == 1
    (tmp_path / "parts" / "links.xml").write_text(
        '<platform version="4.1">\n<link id="l" bandwidth="-3"/></platform>'
    )
    assert ": parts/links.xml, line 2, <link>: bandwidth: -3" in refused(text, tmp_path, "p.xml")


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("p.xml", "includes itself"),
        ("a.xml", "includes itself"),
        ("./p.xml", "includes itself"),
        ("../p.xml", "is elsewhere"),
        ("/etc/passwd", "is elsewhere"),
        ("missing.xml", "cannot read missing.xml"),
        ("bad.xml", "bad.xml: line 1: no XML"),
        ("many.xml", "more than 100 included files"),
    ],
)
def test_include_that_is_refused(file: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text('<platform version="4.1"><include file="p.xml"/></platform>')
    (tmp_path / "bad.xml").write_text("root:x:0:0")
    (tmp_path / "leaf.xml").write_text("<platform/>")
    many = '<include file="leaf.xml"/>' * 200
    (tmp_path / "many.xml").write_text(f"<platform>{many}</platform>")
    assert why in refused(simgrid(f'<include file="{file}"/>'), tmp_path, "p.xml")


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (HOSTS + LINK + ROUTE.replace('"b"', '"x"'), ", line 5, <route>: there is no host or router x"),
        (HOSTS + LINK + ROUTE.replace('"l"', '"k"'), ", line 5, <link_ctn>: there is no link k"),
        (HOSTS + LINK.replace("1MBps", "-1MBps") + ROUTE, ", line 5, <link>: bandwidth: -1 is not above 0"),
        (HOSTS + LINK.replace("1MBps", "nan") + ROUTE, "'nan' is no bandwidth"),
        (HOSTS + LINK.replace("1MBps", "1e999999MBps") + ROUTE, "is no number"),
        (HOSTS + LINK.replace("1MBps", "0") + ROUTE, "0 is not above 0"),
        (HOSTS + LINK.replace("1MBps", "") + ROUTE, "no bandwidth; give one"),
        (HOSTS + LINK.replace("<link", '<link sharing_policy="WIFI"') + ROUTE, "sharing_policy 'WIFI'"),
        (HOSTS.replace("2Gf", "2Gflips"), "'2Gflips' is no speed"),
        (HOSTS.replace("<host", '<host pstate="1"'), "pstate 1; give one from 0 to 0"),
        (HOSTS + HOSTS, "a second a"),
        (LINK + LINK, "a second link l"),
        (HOSTS + LINK + '<route src="a" dst="b"/>', "a route without links"),
        (
            HOSTS + LINK + ROUTE + '<link id="m" bandwidth="1"/>' + ROUTE.replace('"l"', '"m"'),
            "a second route from a to b",
        ),
        (HOSTS + LINK + ROUTE.replace("<route", '<route symmetrical="MAYBE"'), "symmetrical 'MAYBE'"),
        (
            '<cluster id="c" prefix="" suffix="" radical="0-99999999" speed="1" bw="1" lat="0"/>',
            "more than 10000 hosts",
        ),
        (
            '<cluster id="c" prefix="" suffix="" radical="0-9000" speed="1" bw="1" lat="0"/>',
            "9001 hosts, each with routes",
        ),
        ('<cluster id="c" prefix="" suffix="" radical="5-1" speed="1" bw="1" lat="0"/>', "1 is before 5"),
        (
            '<cluster id="c" topology="TORUS" prefix="" suffix="" radical="1" speed="1" bw="1" lat="0"/>',
            "a TORUS is not read",
        ),
        ('<zone id="y" routing="Wifi"/>', "routing 'Wifi'"),
        ('<zone id="z" routing="Full"/>', "a second zone z"),
        ('<zoneRoute src="y" dst="z" gw_src="a" gw_dst="b"/>', "there is no zone y"),
        (
            '<host id="a" speed="1Gf"><prop id="rota.task" value="1/7"/></host>',
            "not what the element itself says",
        ),
        ('<host id="a" speed="1Gf"><prop id="rota.task" value="1/0"/></host>', "rota.task"),
    ],
)
def test_simgrid_that_is_refused(inside: str, why: str, tmp_path: Path) -> None:
    assert why in refused(simgrid(inside), tmp_path, "p.xml")


@pytest.mark.parametrize("letter", ["&#10;", "&#155;", "&#8238;"])
def test_what_is_quoted_is_printable(letter: str, tmp_path: Path) -> None:
    """A name may not break the line, nor tell the terminal anything."""
    named = simgrid(HOSTS + LINK + ROUTE.replace('"b"', f'"x{letter}y"'))
    assert "there is no host or router x?y;" in refused(named, tmp_path, "p.xml")


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = ", ".join(f'{{"id": {number}}}' for number in range(10_001))
    assert ", nodes[10000]: more than 10000 nodes" in refused(f'{{"nodes": [{nodes}]}}', tmp_path, "p.json")
    monkeypatch.setattr("rota.platforms.xml_tree.MAX_ELEMENTS", 3)
    assert "too many elements" in refused("<platform><a/><a/><a/></platform>", tmp_path, "p.xml")
    monkeypatch.setattr("rota.platforms.toml_form._LETTERS", 2**20)
    assert "more than 1 MiB of TOML" in refused("#\n" * 2**20, tmp_path, "p.toml")
    monkeypatch.setattr("rota.platforms.files.MAX_FILE_BYTES", 2**20)
    assert "more than 1 MiB" in refused(" " * (2**20 + 1), tmp_path, "p.json")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (simgrid(HOSTS).replace("4.1", "3"), ", line 3, <platform>: version '3'"),
        ('<platform version="4.1"/>', "0 zones at the top"),
        (simgrid(HOSTS, "Magic"), "routing 'Magic'"),
        (simgrid(""), "without nodes"),
    ],
)
def test_simgrid_as_a_whole(text: str, why: str, tmp_path: Path) -> None:
    assert why in refused(text, tmp_path, "p.xml")


# Shared links: rates that they allow are possible on the platform that they become.


@pytest.mark.parametrize("seed", range(25))
def test_rates_of_shared_links_are_possible(seed: int) -> None:
    random = np.random.default_rng(seed)
    hosts = [f"h{number}" for number in range(4)]
    channels = [
        Channel(f"c{number}", Fraction(1, int(random.integers(1, 6))), is_shared=bool(random.random() < 0.85))
        for number in range(5)
    ]
    routes = [
        Route(one, other, tuple(channels[place] for place in random.permutation(5)[: random.integers(1, 4)]))
        for one in hosts
        for other in hosts
        if one != other and random.random() < 0.6
    ]
    if not routes:
        return
    graph = graph_of(routes, hosts)
    on_platform = _greatest_rate_on_platform(hosts, routes, graph.links)
    shared = _greatest_rate_shared(hosts, routes)
    assert on_platform >= shared * (1 - 1e-9)


def test_rates_of_shared_links_are_not_exceeded() -> None:
    """Between two pairs of hosts, over one trunk, there is no other way: the greatest rates are equal."""
    for trunk in (Fraction(1, 3), Fraction(1), Fraction(2, 3), Fraction(1, 2), Fraction(5, 3)):
        ends = {name: Channel(f"l{name}", Fraction(1)) for name in "abcd"}
        shared = Channel("t", trunk)
        routes = [Route(one, other, (ends[one], shared, ends[other])) for one, other in ("ac", "bd")]
        links = graph_of(routes, "abcd").links
        rates = _greatest_rate_on_platform("abcd", routes, links), _greatest_rate_shared("abcd", routes)
        assert math.isclose(*rates, rel_tol=1e-9)
        assert math.isclose(rates[0], min(1.0, float(1 / trunk) / 2))


def _greatest_rate_shared(hosts: Any, routes: list[Route]) -> float:
    """Return the rate at which all routes carry at once, where channels share theirs and hosts have ports."""
    shared = {channel for route in routes for channel in route.channels if channel.is_shared}
    limits = [float(channel.cost) * sum(channel in route.channels for route in routes) for channel in shared]
    for host in hosts:
        for end in ("source", "target"):
            own = [route for route in routes if getattr(route, end) == host]
            limits.append(sum(float(max(channel.cost for channel in route.channels)) for route in own))
    return 1 / max(limits)


def _greatest_rate_on_platform(hosts: Any, routes: list[Route], links: tuple[Link, ...]) -> float:
    """Return the greatest rate of flows between the ends of all routes at once, by linear programming."""
    nodes = sorted({*hosts, *(end for link in links for end in (link.source, link.target))})
    width = len(routes) * len(links) + 1
    equal, ports = [], []
    for number, route in enumerate(routes):
        for node in nodes:
            if node == route.target:
                continue
            row = np.zeros(width)
            for place, link in enumerate(links):
                row[number * len(links) + place] = (link.source == node) - (link.target == node)
            row[-1] = -(node == route.source)
            equal.append(row)
    for node in nodes:
        for end in ("source", "target"):
            costs_there = [float(link.cost) * (getattr(link, end) == node) for link in links]
            ports.append(np.append(np.tile(costs_there, len(routes)), 0))
    goal = np.zeros(width)
    goal[-1] = -1
    found = linprog(
        goal, A_ub=np.array(ports), b_ub=np.ones(len(ports)), A_eq=np.array(equal), b_eq=np.zeros(len(equal))
    )
    assert found.success
    return -float(found.fun)


# Files as such.


def test_files_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(RotaError, match=r"cannot read .*nowhere\.xml: No such file"):
        read_platform(tmp_path / "nowhere.xml")
    with pytest.raises(RotaError, match="cannot read"):
        read_platform(tmp_path)
    with pytest.raises(RotaError, match=r"name one that ends in \.xml"):
        write_platform(figure2(), tmp_path / "p.yaml")
    with pytest.raises(RotaError, match="cannot write"):
        write_platform(figure2(), tmp_path / "no" / "p.xml")
    (tmp_path / "p.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RotaError, match="not a text"):
        read_platform(tmp_path / "p.json")


def test_fuzz(tmp_path: Path) -> None:
    """ROTA_FUZZ=1000000 for more."""
    count = int(os.environ.get("ROTA_FUZZ", "10000"))
    found = platform_fuzz.run(count, seed=1, folder=tmp_path)
    assert found["refused"] > count / 2
    assert found["platforms"] > count / 100


def test_graph_keeps_what_files_say(tmp_path: Path) -> None:
    platform = read(platform_fuzz.SIMGRID, tmp_path, "p.xml")
    graph = to_networkx(platform)
    assert nx.number_of_edges(graph) == len(platform.links)
