"""Platform files: what is written is read, what is wrong is named in one line, nothing breaks the readers."""

from __future__ import annotations

import json
import os
import tempfile
from fractions import Fraction
from pathlib import Path

import networkx as nx
import platform_fuzz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from platform_reading import read, refused

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform, Units, read_platform, to_networkx, write_platform
from rota.platforms.paper import figure2, figure6, figure9
from rota.platforms.tiers import tiers

SUFFIXES = (".xml", ".graphml", ".json", ".toml")


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


# Files as such.


def test_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = ", ".join(f'{{"id": {number}}}' for number in range(10_001))
    assert ", nodes[10000]: more than 10000 nodes" in refused(f'{{"nodes": [{nodes}]}}', tmp_path, "p.json")
    monkeypatch.setattr("rota.platforms.xml_tree.MAX_ELEMENTS", 3)
    assert "too many elements" in refused("<platform><a/><a/><a/></platform>", tmp_path, "p.xml")
    monkeypatch.setattr("rota.platforms.toml_form._LETTERS", 2**20)
    assert "more than 1 MiB of TOML" in refused("#\n" * 2**20, tmp_path, "p.toml")
    monkeypatch.setattr("rota.platforms.files.MAX_FILE_BYTES", 2**20)
    assert "more than 1 MiB" in refused(" " * (2**20 + 1), tmp_path, "p.json")


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
