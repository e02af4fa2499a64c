"""``rota show --plot``: what is in its pictures, of which schedules there are any, and their bytes."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Arc, FancyArrowPatch
from show_command import PAIRS, shown

from rota import Collective, schedule
from rota.cli import status_of
from rota.collectives import needs_hosts
from rota.drawing.look import look_of
from rota.drawing.palette import ACCENT
from rota.drawing.schedule import schedule_figure
from rota.drawing.trace import trace
from rota.hosts import in_a_row
from rota.two_trees import trees_of


@given(st.integers(2, 40), st.integers(1, 20), st.data())
def test_a_trace_brings_every_block_to_every_rank_once(ranks: int, blocks: int, data: st.DataObject) -> None:
    root = data.draw(st.integers(0, ranks - 1))
    played = trace(schedule(Collective.broadcast, "circulant", ranks=ranks, root=root, blocks=blocks))
    arrivals = [arrival for round_ in played.arrivals for arrival in round_]
    assert sorted((arrival.to, block.index) for arrival in arrivals for block in arrival.blocks) == [
        (rank, block) for rank in range(ranks) if rank != root for block in range(blocks)
    ]
    assert all(len(played.distances(round_)) == 1 for round_ in range(played.rounds))


@pytest.mark.parametrize(
    "arguments",
    [(2,), (8,), (17, "--root", 3), (17, "--blocks", 1), pytest.param((128,), marks=pytest.mark.long)],
)
def test_pictures(arguments: tuple[object, ...], tmp_path: Path) -> None:
    svg, png = tmp_path / "picture.svg", tmp_path / "picture.png"
    for path in (svg, png):
        assert shown("circulant", "--ranks", *arguments, "--plot", path) == ""
    assert ET.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert png.read_bytes().startswith(b"\x89PNG\r\n")
    assert svg.stat().st_size < 2_000_000


def test_a_picture_says_which_command_draws_it(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    beside = tmp_path / "beside.json"
    words = ["show", "circulant", "--ranks", "5", "--plot", str(picture), "--json", str(beside)]
    assert status_of(words) == 0
    drawn = picture.read_text().replace("- -", "--")  # as a comment may not have it
    assert "rota show circulant --ranks 5 --plot FILE" in drawn


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_picture_has_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{number}.{suffix}" for number in range(2)]
    for path in paths:
        assert shown("circulant", "--ranks", 5, "--plot", path) == ""
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(("algorithm", "collective"), PAIRS)
def test_every_schedule_has_a_picture(algorithm: str, collective: Collective) -> None:
    for ranks, blocks in ((2, 1), (5, 3)):
        hosts = in_a_row(ranks, 2) if needs_hosts(algorithm, collective) else None
        of_rank = hosts.of_rank if hosts else ()
        found = schedule(collective, algorithm, ranks=ranks, blocks=blocks, hosts=of_rank)
        trees = trees_of(found.problem) if algorithm == "two_tree" else None
        figure = schedule_figure(trace(found, hosts), "title", ("remark",), trees)
        below = 1 if trees else (ranks - 1).bit_length()
        assert len(figure.axes) == 1 + min(below, found.rounds)


@pytest.mark.parametrize(
    "arguments",
    [
        ("two_tree", "--ranks", 9),
        ("two_tree", "--ranks", 8, "--collective", "scan"),
        ("circulant", "--ranks", 128, "--collective", "allgather"),
        ("two_tree", "--ranks", 9, "--per-host", 2, "--root", 3),
        ("circulant", "--ranks", 8, "--per-host", 1),
        ("hierarchical", "--ranks", 8, "--per-host", 8),
        pytest.param(
            ("hierarchical", "--ranks", 128, "--per-host", 7, "--collective", "allgather"),
            marks=pytest.mark.long,
        ),
    ],
)
def test_pictures_of_others(arguments: tuple[object, ...], tmp_path: Path) -> None:
    svg = tmp_path / "picture.svg"
    assert shown(*arguments, "--plot", svg) == ""
    assert ET.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert svg.stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("collective", "ranks", "blocks", "names"),
    [
        (Collective.allgather, 9, 2, ("block 0", "block 1")),
        (Collective.reduce_scatter, 5, 1, ("owner 0", "owner 4")),
        (Collective.broadcast, 128, 15, ("block 0", "block 14")),
        (Collective.broadcast, 17, 11, ()),
    ],
)
def test_what_has_no_numbers_in_its_cells_has_a_key(
    collective: Collective, ranks: int, blocks: int, names: tuple[str, ...]
) -> None:
    """Slots of owners have none, nor have cells too small for them; where there are numbers, they say it."""
    played = trace(schedule(collective, "circulant", ranks=ranks, blocks=blocks))
    timeline = schedule_figure(played, "title", (), None).axes[0]
    found = [text.get_text() for text in timeline.texts]
    assert tuple(text for text in found if text.startswith(("block", "owner"))) == names
    colours = tuple(to_hex(each.get_facecolor()) for each in timeline.patches)
    assert colours == (look_of(played).colours if names else ())
    assert all(0 > each.get_y() > timeline.get_ylim()[1] for each in timeline.patches)  # above the cells


def test_a_picture_of_hosts_has_what_must_pass_their_links(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    hosts = ("--ranks", 12, "--per-host", 3, "--blocks", 9, "--plot", picture)
    assert shown("hierarchical", *hosts) == ""
    assert "10 blocks through the busiest host's link; in any schedule at least 9." in picture.read_text()
    assert shown("ring", "--ranks", 4, "--per-host", 2, "--plot", picture) == ""
    assert "through the busiest host's link; in any schedule at least 2." in picture.read_text()


@pytest.mark.parametrize(
    ("root", "frames", "hosts"),
    [(0, 4 + 3, ["host 0", "host 1", "2"]), (3, 4 + 3, ["1", "2", "host 0", "1"])],
)
def test_a_picture_tells_hosts_apart_and_links_from_within(root: int, frames: int, hosts: list[str]) -> None:
    """The root's row also has frames: for what it sends over its link."""
    placed = in_a_row(5, 2)
    sent = schedule(Collective.broadcast, "hierarchical", ranks=5, root=root, blocks=2, hosts=placed.of_rank)
    timeline, *rings = schedule_figure(trace(sent, placed), "title", (), None).axes
    *_, lines, framed = timeline.collections
    assert len(lines.get_paths()) == len(hosts) - 1
    assert len(framed.get_paths()) == frames
    assert [text.get_text() for text in timeline.texts[-len(hosts) :]] == hosts
    arcs = [[each for each in ring.patches if isinstance(each, Arc)] for ring in rings]
    assert [len(each) for each in arcs] == [3] * 3
    assert [_coloured_arrows(ring) for ring in rings] == [1, 1, 2]


def _coloured_arrows(ring: Axes) -> int:
    arrows = [each for each in ring.patches if isinstance(each, FancyArrowPatch)]
    return [to_hex(arrow.get_edgecolor()) for arrow in arrows].count(ACCENT)


def test_a_flat_picture_knows_no_hosts() -> None:
    sent = schedule(Collective.broadcast, "circulant", ranks=5, blocks=2)
    _, *rings = schedule_figure(trace(sent), "title", (), None).axes
    assert not any(isinstance(each, Arc) for ring in rings for each in ring.patches)
    assert not any(map(_coloured_arrows, rings))
