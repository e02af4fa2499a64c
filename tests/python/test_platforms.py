"""Platforms: what makes one, its look-ups, units, NetworkX, shapes, Tiers-like ones, the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rota.cli import status_of
from rota.errors import RotaError
from rota.platforms import Link, Node, Platform, Units, from_networkx, read_platform, to_networkx
from rota.platforms.generate import KINDS, Request, generated
from rota.platforms.paper import FIGURE9_HOSTS, figure2, figure6, figure9
from rota.platforms.shapes import SHAPES, Times
from rota.platforms.tiers import Redundancy, tiers

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

ONE = Fraction(1)


def line(*names: str) -> Platform:
    links = tuple(Link(source, target, ONE) for source, target in pairwise(names))
    return Platform(tuple(Node(name) for name in names), links)


@pytest.mark.parametrize(
    ("written", "exactly"),
    [(0.1, "1/10"), ("0.1", "1/10"), ("2/3", "2/3"), (3, "3"), ("1e-6", "1/1000000"), ("+.5", "1/2")],
)
def test_numbers_are_taken_as_they_are_written(written: Any, exactly: str) -> None:
    assert Link("a", "b", written).cost == Fraction(exactly)
    assert Node("a", written).task == Fraction(exactly)


@pytest.mark.parametrize(
    "bad", ["0", "-1", "nan", "inf", "1e999999", "1e25", "1e-25", "1/0", "", "x", "1_0", 0.0]
)
def test_numbers_that_are_none(bad: Any) -> None:
    with pytest.raises(RotaError, match="cost"):
        Link("a", "b", bad)


@pytest.mark.parametrize(
    ("nodes", "links", "why"),
    [
        ((), (), "without nodes"),
        (("a", "a"), (), "node a: named twice"),
        (("a", "b"), (("a", "c"),), "no node c"),
        (("a", "b"), (("a", "b"), ("a", "b")), "a -> b: given twice"),
        (("a",), (("a", "a"),), "no link to itself"),
        (("",), (), "name"),
        (("a\nb",), (), "printable"),
        ((" a",), (), "space"),
    ],
)
def test_what_makes_no_platform(nodes: tuple[str, ...], links: tuple[tuple[str, str], ...], why: str) -> None:
    with pytest.raises(RotaError, match=why):
        Platform(tuple(map(Node, nodes)), tuple(Link(source, target, ONE) for source, target in links))


def test_look_ups() -> None:
    platform = figure2()
    assert [link.target for link in platform.out_links("Pb")] == ["P0", "P1"]
    assert [link.source for link in platform.in_links("P0")] == ["Pa", "Pb"]
    assert platform.link("Pa", "P0").cost == Fraction(2, 3)
    assert platform.reachable_from("Pa") == {"Pa", "P0"}
    platform.require_path("Ps", "P1")
    with pytest.raises(RotaError, match="no path from P0 to Ps"):
        platform.require_path("P0", "Ps")
    with pytest.raises(RotaError, match="no node Px: choose from Ps, Pa"):
        platform.node("Px")
    with pytest.raises(RotaError, match="no link from P0 to Ps"):
        platform.link("P0", "Ps")


def test_units() -> None:
    platform = Platform(
        (Node("a", Fraction(1, 10**9)), Node("b")), (Link("a", "b", Fraction(1, 10**6)),), Units.PHYSICAL, "p"
    )
    unit = platform.in_units(Fraction(10**7), Fraction(2 * 10**9))
    assert (unit.measured_in, unit.name) == (Units.UNITS, "p")
    assert (unit.node("a").task, unit.node("b").task, unit.link("a", "b").cost) == (2, None, 10)
    assert platform.in_units(Fraction(1)).node("a").task is None
    assert unit.in_units(None) is unit
    with pytest.raises(RotaError, match="how many bytes"):
        platform.in_units(None)
    with pytest.raises(RotaError, match="leave out"):
        unit.in_units(ONE)
    with pytest.raises(RotaError, match="bytes of a message"):
        platform.in_units(Fraction(-1))


def test_networkx_and_back() -> None:
    for platform in (figure2(), figure6(), figure9(), tiers(20, 8, 1)):
        graph = to_networkx(platform)
        assert nx.is_directed(graph)
        back = from_networkx(graph)
        assert (back.nodes, back.measured_in, back.name) == (
            platform.nodes,
            platform.measured_in,
            platform.name,
        )
        assert back.by_ends == platform.by_ends
    both_ways = from_networkx(nx.Graph([("a", "b", {"cost": 0.1})]))
    assert [link.cost for link in both_ways.links] == [Fraction(1, 10)] * 2
    for bad, why in ((nx.MultiDiGraph([("a", "b")]), "multigraph"), (nx.DiGraph([("a", "b")]), "no cost")):
        with pytest.raises(RotaError, match=why):
            from_networkx(bad)


GRAPHS = {
    "star": nx.star_graph(7),
    "chain": nx.path_graph(8),
    "ring": nx.cycle_graph(8),
    "tree": nx.full_rary_tree(2, 8),
    "complete": nx.complete_graph(8),
    "hypercube": nx.hypercube_graph(3),
    "grid": nx.grid_2d_graph(2, 4),
    "cluster": nx.star_graph(7),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_those_of_networkx(shape: str) -> None:
    platform = SHAPES[shape](8, Times(Fraction(2), Fraction(3)))
    graph = to_networkx(platform)
    assert graph.number_of_edges() == 2 * GRAPHS[shape].number_of_edges()
    assert nx.is_isomorphic(graph.to_undirected(reciprocal=True), GRAPHS[shape])
    assert {link.cost for link in platform.links} == {2}
    assert len(platform.processors) == (7 if shape == "cluster" else 8)
    assert {node.task for node in platform.processors} == {3}


@pytest.mark.parametrize(("shape", "nodes"), [("hypercube", 6), ("ring", 2), ("star", 0), ("complete", 5000)])
def test_shapes_that_there_are_not(shape: str, nodes: int) -> None:
    with pytest.raises(RotaError, match=f"{nodes} nodes"):
        SHAPES[shape](nodes, Times())


def test_paper() -> None:
    assert [str(link.cost) for link in figure2().links] == ["1", "1", "2/3", "4/3", "4/3"]
    assert [node.task for node in figure6().nodes] == [Fraction(1, 2), 1, 1]
    assert {link.cost for link in figure6().links} == {1}
    platform = figure9().in_units(Fraction(10**7), Fraction(10**7))
    assert sorted(node.name for node in platform.processors) == sorted(FIGURE9_HOSTS)
    assert len(platform.links) == 34
    # All that passes node 0, four ninths of a message each way over both of its links, fills its ports.
    through = [platform.link("0", other).cost + 0 for other in ("1", "5")]
    assert sum(Fraction(4, 9) * cost for cost in through) == 1


@given(st.integers(8, 120), st.floats(0.05, 0.75), st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_tiers(nodes: int, part: float, seed: int) -> None:
    hosts = max(2, int(part * nodes))
    platform = tiers(nodes, hosts, seed)
    assert (len(platform.nodes), len(platform.processors)) == (nodes, hosts)
    assert platform == tiers(nodes, hosts, seed)
    assert all(host.name.startswith("lan") for host in platform.processors)
    assert all(platform.by_ends[link.target, link.source].cost == link.cost for link in platform.links)
    assert len(platform.reachable_from(platform.nodes[0].name)) == nodes


def test_tiers_has_redundancy_where_asked() -> None:
    for seed in range(20):
        platform = to_networkx(tiers(30, 15, seed)).to_undirected()
        lans = [node for node in platform if node.startswith("lan") and node.endswith(".0")]
        assert len(lans) == 8
        for lan in lans:
            assert sum(other.startswith("man") for other in platform[lan]) == 2
        wan = platform.subgraph(node for node in platform if node.startswith("wan"))
        assert min(dict(wan.degree).values()) >= 3
        assert wan.number_of_nodes() == 4
        bare = tiers(30, 15, seed, Redundancy(wan=1, man=1, lan_to_man=1))
        assert nx.is_tree(to_networkx(bare).to_undirected())
    assert tiers(30, 15, 1) != tiers(30, 15, 2)


def test_tiers_stays_the_same() -> None:
    """What a seed gave once, it gives for ever: published results name seeds."""
    platform = tiers(14, 8, 0)
    assert [(link.source, link.target, int(1 / link.cost) // 10**6) for link in platform.links[:6:2]] == [
        ("wan0", "wan1", 12),
        ("man0.0", "man0.1", 166),
        ("man0.0", "wan0", 12),
    ]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (Request("tyers"), "unknown kind"),
        (Request("tiers"), "--nodes 30"),
        (Request("star", hosts=0.5, nodes=8), "--hosts"),
        (Request("tiers", nodes=30, hosts=1.5), "part of the nodes"),
        (Request("tiers", nodes=30, hosts=0.9), "27 hosts of 30"),
        (Request("tiers", nodes=7), "7 nodes"),
        (Request("figure9", nodes=7), "as the paper draws it"),
    ],
)
def test_requests_that_cannot_be_met(request_: Request, why: str) -> None:
    with pytest.raises(RotaError, match=why):
        generated(request_)


def test_every_kind_is_generated() -> None:
    for kind in KINDS:
        nodes = None if kind.startswith("figure") else 8
        assert generated(Request(kind, nodes)).nodes


def test_pictures() -> None:
    from rota.drawing.platform_layout import places_of  # noqa: PLC0415
    from rota.drawing.platform_picture import Flow, Flows, platform_figure  # noqa: PLC0415

    flows = {
        ("Ps", "Pa"): [Flow("m0", Fraction(3))],
        ("Pb", "P1"): [Flow("m1", Fraction(k)) for k in range(1, 9)],
    }
    texts = words_of(platform_figure(figure2(), Flows(flows, "messages in a period")))
    assert {"Ps", "Pa", "m0: 3", "m1: 8\nm1: 7\nm1: 6\nm1: 5\nm1: 4\nand 3 more"} <= texts
    assert {
        "What flows over figure 2",
        "a link",
        "on it, and the wider the more: messages in a period",
    } <= texts
    assert {"1", "2/3", "4/3"} <= words_of(platform_figure(figure2()))
    with pytest.raises(RotaError, match="cannot be told apart"):
        platform_figure(SHAPES["chain"](151, Times()))
    for platform in (
        figure9(),
        tiers(40, 20, 1),
        line("a"),
        line("a", "b"),
        Platform((Node("a"), Node("b")), ()),
    ):
        places = np.array(list(places_of(platform).values()))
        assert np.isfinite(places).all()
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 10 * np.eye(len(places))
        assert apart.min() > 0.2


def words_of(figure: Figure) -> set[str]:
    return {text.get_text() for text in figure.axes[0].texts}


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        (
            figure2(),
            {
                "Platform figure 2",
                "a node that does not compute",
                "a link one way; on it: the time of a message",
            },
        ),
        (
            generated(
                Request("star", 6, times=Times(Fraction(1, 10**9), Fraction(1, 10**6), Units.PHYSICAL))
            ),
            {
                "Platform star",
                "a processor; all: 1 Mflop/s",
                "a link, the same both ways; all: 1 GB/s",
            },
        ),
        (
            Platform(
                (Node("a", Fraction(1)), Node("b", Fraction(2))),
                (Link("a", "b", Fraction(1)), Link("b", "a", Fraction(2))),
            ),
            {
                "A platform",
                "a processor; below: the time of a task",
                "task 1",
                "task 2",
                "a link one way; on it: the time of a message",
            },
        ),
    ],
)
def test_a_picture_has_a_title_and_a_key(platform: Platform, words: set[str]) -> None:
    """What is the same everywhere is said in the key alone; what is nowhere, not at all."""
    from rota.drawing.platform_picture import platform_figure  # noqa: PLC0415

    names = {node.name for node in platform.nodes}
    labels = {"1", "2", "2/3", "4/3"}
    assert words_of(platform_figure(platform)) - names - labels == words


def test_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    """Neither formulas nor letters that no font has keep a platform from being drawn."""
    from rota.drawing.platform_picture import draw_platform  # noqa: PLC0415

    draw_platform(line("$x^{$", "\u4e2d\U0001f600", "_"), tmp_path / "p.svg")
    assert "svg" in (tmp_path / "p.svg").read_text()


def test_many_links_are_drawn(tmp_path: Path) -> None:
    from rota.drawing.platform_picture import draw_platform  # noqa: PLC0415

    complete = SHAPES["complete"](22, Times())
    links = tuple(
        Link(link.source, link.target, Fraction(place, 7)) for place, link in enumerate(complete.links, 1)
    )
    draw_platform(Platform(complete.nodes, links), tmp_path / "p.svg")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


class Command:
    """`rota platform ...`, in a folder of its own and in this process."""

    def __init__(
        self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(folder)
        self._capsys = capsys

    def __call__(self, words: str) -> Ended:
        status = status_of(["platform", *words.split()])
        printed = self._capsys.readouterr()
        return Ended(status, printed.out, printed.err)


@pytest.fixture
def rota(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(tmp_path, capsys, monkeypatch)


def test_commands(rota: Command, tmp_path: Path) -> None:
    made = rota("generate tiers --nodes 30 --hosts 0.5 --seed 3 --output p.xml")
    assert (made.status, made.err) == (0, "")
    assert "15 processors, 15 nodes that only forward, 80 links, in p.xml" in made.out
    assert rota("convert p.xml --output p.json").status == 0
    assert read_platform(tmp_path / "p.json") == tiers(30, 15, 3)
    shown = rota("show p.json --plot p.png")
    assert (shown.status, shown.err) == (0, "")
    assert "1 GB/s" in shown.out
    assert "Mflop/s" in shown.out
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert rota("generate ring --nodes 5 --bandwidth 1MBps --speed 1Gf --output r.toml").status == 0
    assert read_platform(tmp_path / "r.toml").measured_in is Units.PHYSICAL


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("generate tyers --nodes 30", "unknown kind of platform 'tyers'"),
        ("generate tiers --nodes 30 --bandwidth 1MBps", "leave out --bandwidth"),
        ("generate ring --nodes 5 --speed 1Gf", "give --bandwidth and --speed"),
        ("generate ring --nodes 5 --output p.yaml", "unknown kind of file"),
        ("show missing.xml", "cannot read missing.xml"),
        ("convert missing.xml --output p.json", "cannot read missing.xml"),
    ],
)
def test_mistakes_are_one_line(words: str, why: str, rota: Command) -> None:
    ended = rota(words)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("rota: ")
    assert ended.err.count("\n") == 1
    assert why in ended.err
