"""SimGrid's platforms: routes, clusters and zones become links; what they are not is named in one line."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import platform_fuzz
import pytest
from platform_reading import read, refused

from rota.platforms import Platform, Units

if TYPE_CHECKING:
    from pathlib import Path


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
