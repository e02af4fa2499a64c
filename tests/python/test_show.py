"""``rota show``: the paper's tables digit for digit, the JSON, the pictures, and what it refuses."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Arc, FancyArrowPatch
from typer.testing import CliRunner

from rota import Collective, algorithms, schedule
from rota.cli import status_of
from rota.collectives import needs_hosts
from rota.commands import show as command
from rota.drawing.palette import ACCENT
from rota.drawing.schedule import schedule_figure
from rota.drawing.table import Column, table
from rota.drawing.trace import trace
from rota.errors import RotaError
from rota.hosts import in_a_row
from rota.two_trees import trees_of

TABLE_1 = """\
r 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
b 5 0 1 2 0 3 0 1 2 4 0 1 2 0 3 0 1
recvblock[0] -4 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5
recvblock[1] -5 -4 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2
recvblock[2] -2 -2 -2 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3
recvblock[3] -1 -3 -3 -2 -2 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1
recvblock[4] -3 -1 -1 -1 -1 -1 -1 -1 -1 4 0 1 2 0 3 0 1
sendblock[0] 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4
sendblock[1] 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5 -4
sendblock[2] 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2 -2 -2
sendblock[3] 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1 -3 -3 -2 -2
sendblock[4] 4 0 1 2 0 3 0 1 -3 -1 -1 -1 -1 -1 -1 -1 -1
"""

TABLE_2 = """\
r 0 1 2 3 4 5 6 7 8
b 4 0 1 2 0 3 0 1 2
recvblock[0] -2 0 -4 -3 -2 -4 -1 -4 -3
recvblock[1] -3 -2 1 -4 -3 -2 -2 -1 -4
recvblock[2] -1 -3 -2 2 0 -3 -3 -2 -1
recvblock[3] -4 -1 -1 -1 -1 3 0 1 2
sendblock[0] 0 -4 -3 -2 -4 -1 -4 -3 -2
sendblock[1] 1 -4 -3 -2 -2 -1 -4 -3 -2
sendblock[2] 2 0 -3 -3 -2 -1 -1 -3 -2
sendblock[3] 3 0 1 2 -4 -1 -1 -1 -1
"""

TABLE_3 = """\
r 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
b 5 0 1 2 0 3 0 1 2 4 0 1 2 0 3 0 1 2
recvblock[0] -3 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4
recvblock[1] -4 -3 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5
recvblock[2] -2 -4 -3 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2
recvblock[3] -5 -2 -2 -2 -2 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1
recvblock[4] -1 -1 -1 -1 -1 -1 -1 -1 -1 4 0 1 2 0 3 0 1 2
sendblock[0] 0 -5 -4 -3 -5 -2 -5 -4 -3 -1 -5 -4 -3 -5 -2 -5 -4 -3
sendblock[1] 1 -5 -4 -3 -3 -2 -5 -4 -3 -1 -5 -4 -3 -3 -2 -5 -4 -3
sendblock[2] 2 0 -4 -4 -3 -2 -2 -4 -3 -1 -1 -4 -4 -3 -2 -2 -4 -3
sendblock[3] 3 0 1 2 -5 -2 -2 -2 -2 -1 -1 -1 -1 -5 -2 -2 -2 -2
sendblock[4] 4 0 1 2 0 3 0 1 2 -1 -1 -1 -1 -1 -1 -1 -1 -1
"""

app = typer.Typer()
app.command()(command.show)


def printed(*arguments: object) -> str:
    return shown("circulant", *arguments)


def shown(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*arguments: object) -> str:
    fault = CliRunner().invoke(app, [*map(str, arguments)]).exception
    assert isinstance(fault, RotaError)
    return str(fault)


def json_of(*arguments: object) -> Any:
    return json.loads(printed(*arguments, "--json", "-"))


def rows(text: str) -> list[list[str]]:
    return [line.replace(":", "").split() for line in text.splitlines()]


@pytest.mark.parametrize(("ranks", "paper"), [(17, TABLE_1), (9, TABLE_2), (18, TABLE_3)])
def test_the_tables_of_the_paper(ranks: int, paper: str) -> None:
    lines = printed("--ranks", ranks).splitlines()
    assert [line.replace(":", "").split() for line in lines[2:-2]] == rows(paper)
    assert len({len(line) for line in lines[2:-2]}) == 1


def test_what_stands_around_the_table() -> None:
    lines = printed("--ranks", 17).splitlines()
    assert lines[0] == "p = 17, q = 5, skips 1 2 3 5 9"
    assert lines[-1] == (
        "broadcast of n blocks: n - 1 + 5 rounds; the least possible with one block a message: n - 1 + 5"
    )
    counted = printed("--ranks", 17, "--blocks", 40).splitlines()[-1]
    assert counted == "broadcast of 40 blocks: 44 rounds; the least possible with one block a message: 44"


def test_one_rank_is_one_column_of_the_table() -> None:
    column = rows(printed("--ranks", 17, "--rank", 8))[2:-2]
    assert column == [[row[0], row[9]] for row in rows(TABLE_1)]


def test_one_rank_of_the_most_there_can_be() -> None:
    shown = json_of("--ranks", 2**31 - 1, "--rank", 2**31 - 2)
    assert len(shown["skips"]) == 31
    assert [len(column["receive"]) for column in shown["schedules"]] == [31]


def test_json_has_exactly_the_keys_that_are_promised() -> None:
    shown = json_of("--ranks", 9)
    assert list(shown) == ["ranks", "skips", "schedules"]
    assert (shown["ranks"], shown["skips"]) == (9, [1, 2, 3, 5])
    assert shown["schedules"][1] == {
        "rank": 1,
        "baseblock": 0,
        "receive": [0, -2, -3, -1],
        "send": [-4, -4, 0, 0],
    }


@pytest.mark.parametrize(
    ("ranks", "skips", "baseblocks"), [(1, [], [0]), (2, [1], [1, 0]), (3, [1, 2], [2, 0, 1])]
)
def test_the_smallest_numbers_of_ranks(ranks: int, skips: list[int], baseblocks: list[int]) -> None:
    shown = json_of("--ranks", ranks)
    assert shown["skips"] == skips
    assert [column["baseblock"] for column in shown["schedules"]] == baseblocks
    assert all(len(column["receive"]) == len(column["send"]) == len(skips) for column in shown["schedules"])
    assert f"q = {len(skips)}" in printed("--ranks", ranks)


def test_one_rank_alone_needs_no_rounds() -> None:
    assert printed("--ranks", 1).endswith(
        "broadcast of n blocks: 0 rounds; the least possible with one block a message: 0\n"
    )


@given(st.data())
def test_a_root_renumbers_the_ranks(data: st.DataObject) -> None:
    ranks = data.draw(st.integers(2, 40))
    root = data.draw(st.integers(1, ranks - 1))
    plain, renumbered = json_of("--ranks", ranks), json_of("--ranks", ranks, "--root", root)
    assert renumbered["root"] == root
    for column in renumbered["schedules"]:
        seen = plain["schedules"][(column["rank"] - root) % ranks]
        assert column == {**seen, "rank": column["rank"]}


def test_a_narrow_terminal_gets_bands_of_ranks() -> None:
    columns = [Column(rank, 0, (-1,), (10,)) for rank in range(5)]
    bands = table(columns, width=13 + 2 * 3).split("\n\n")
    assert [len(band.splitlines()[0].split()) - 1 for band in bands] == [2, 2, 1]
    assert all(band.splitlines()[2].startswith("recvblock[0]:") for band in bands)
    assert len(table(columns, width=1).split("\n\n")) == 5
    assert "\n\n" not in table(columns)


@given(st.integers(2, 40), st.integers(1, 20), st.data())
def test_a_trace_brings_every_block_to_every_rank_once(ranks: int, blocks: int, data: st.DataObject) -> None:
    root = data.draw(st.integers(0, ranks - 1))
    played = trace(schedule(Collective.broadcast, "circulant", ranks=ranks, root=root, blocks=blocks))
    arrivals = [arrival for round_ in played.arrivals for arrival in round_]
    assert sorted((arrival.to, block.index) for arrival in arrivals for block in arrival.blocks) == [
        (rank, block) for rank in range(ranks) if rank != root for block in range(blocks)
    ]
    assert all(len(played.distances(round_)) == 1 for round_ in range(played.rounds))


@pytest.mark.parametrize("arguments", [(2,), (8,), (17, "--root", 3), (17, "--blocks", 1), (128,)])
def test_pictures(arguments: tuple[object, ...], tmp_path: Path) -> None:
    svg, png = tmp_path / "picture.svg", tmp_path / "picture.png"
    for path in (svg, png):
        assert printed("--ranks", *arguments, "--plot", path) == ""
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


def test_a_picture_of_hosts_has_what_must_pass_their_links(tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    hosts = ("--ranks", 12, "--per-host", 3, "--blocks", 9, "--plot", picture)
    assert shown("hierarchical", *hosts) == ""
    assert "10 blocks through the busiest host's link; the least possible: 9." in picture.read_text()
    assert shown("ring", "--ranks", 4, "--per-host", 2, "--plot", picture) == ""
    assert "through the busiest host's link; the least possible: 2." in picture.read_text()


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_picture_has_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{number}.{suffix}" for number in range(2)]
    for path in paths:
        assert printed("--ranks", 5, "--plot", path) == ""
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_file_gets_what_would_be_printed(tmp_path: Path) -> None:
    path, picture = tmp_path / "schedules.json", tmp_path / "picture.svg"
    assert printed("--ranks", 5, "--json", path, "--plot", picture) == ""
    assert json.loads(path.read_text()) == json_of("--ranks", 5)
    assert picture.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--ranks", 0), "--ranks 0 is out of range: choose from 1"),
        (("--ranks", -3), "--ranks -3"),
        (("--ranks", 2**31), "--ranks 2147483648"),
        (("--ranks", 17, "--rank", 17), "--rank 17 is out of range: choose from 0 to 16"),
        (("--ranks", 17, "--rank", -1), "--rank -1"),
        (("--ranks", 17, "--root", 17), "--root 17 is out of range: choose from 0 to 16"),
        (("--ranks", 17, "--blocks", 0), "--blocks 0 is out of range: choose from 1"),
        (("--ranks", 17, "--plot", "x.gif"), "unknown picture format 'x.gif'"),
        (("--ranks", 17, "--plot", "-"), "unknown picture format '-'"),
        (("--ranks", 1025), "use --rank R or --json"),
        (("--ranks", 129, "--plot", "x.svg"), "use --rank R or --json"),
        (("--ranks", 17, "--blocks", 200, "--plot", "x.svg"), "choose --blocks up to 124"),
        (("--ranks", 17, "--rank", 3, "--plot", "x.svg"), "leave out --rank"),
        (("--ranks", 1, "--plot", "x.png"), "choose --ranks from 2"),
        (("--ranks", 4, "--plot", "/nowhere/at/all.svg"), "there is no folder /nowhere/at"),
        (("--ranks", 4, "--json", "/nowhere/at/all.json"), "there is no folder /nowhere/at"),
    ],
)
def test_refusals_are_one_line_with_the_remedy(arguments: tuple[object, ...], says: str) -> None:
    message = refusal("circulant", *arguments)
    assert says in message
    assert "\n" not in message


def test_an_unknown_algorithm_names_the_valid_ones() -> None:
    message = refusal("hypercube", "--ranks", 8)
    assert message.startswith("unknown algorithm 'hypercube': choose circulant, chain, ")
    assert "two_tree" in message


PAIRS = [
    (algorithm, collective)
    for collective in (
        Collective.broadcast,
        Collective.reduce,
        Collective.allgather,
        Collective.reduce_scatter,
        Collective.allreduce,
        Collective.scan,
        Collective.exscan,
    )
    for algorithm in algorithms(collective)
]


def json_of_any(*arguments: object) -> Any:
    return json.loads(shown(*arguments, "--json", "-"))


def test_a_table_of_two_trees() -> None:
    assert shown("two_tree", "--ranks", 4, "--blocks", 3).splitlines() == [
        "two_tree broadcast of 3 blocks over 4 ranks",
        "",
        "     │ first tree, even blocks  │ second tree, odd blocks",
        "rank │ parent  colour  children │ parent  colour  children",
        "   0 │      -       -         2 │      -       -         1",
        "   1 │      2       0         - │      0       1         3",
        "   2 │      0       0       1 3 │      3       1         -",
        "   3 │      2       1         - │      1       0         2",
        "",
        "colour: of the edge into the rank. Edges of one colour work in the same rounds, every second one.",
        "",
        "rank │ round 0  │ round 1  │ round 2  │ round 3  │ round 4",
        "   0 │      0→2 │      1→1 │      2→2 │          │",
        "   1 │          │ 1←0      │ 0←2  1→3 │          │ 2←2",
        "   2 │ 0←0      │      0→3 │ 2←0  0→1 │ 1←3  2→3 │      2→1",
        "   3 │          │ 0←2      │ 1←1      │ 2←2  1→2 │",
        "",
        "b←r: block b received from rank r; b→r: sent to rank r.",
        "",
        "5 rounds; the least possible with one block a message: 4",
        "4 blocks, 1.333 m bytes, through the busiest port; the least possible: 3, m",
    ]


def test_a_table_of_blocks_of_all_owners() -> None:
    lines = shown("circulant", "--collective", "allgather", "--ranks", 7).splitlines()
    assert lines[3] == "   0 │ 6←6  0→1 │ 4-5←5  0,6→2 │ 1-3←3    0,5-6→4"
    assert lines[-2:] == [
        "3 rounds; the least possible: 3",
        "6 blocks, 0.8571 m bytes, through the busiest port; the least possible: 6, 0.8571 m",
    ]
    assert "3.0,1-2.1+←0" in shown("circulant", "--collective", "reduce-scatter", "--ranks", 5, "--blocks", 2)


def test_the_bound_says_what_a_message_may_carry() -> None:
    """Two ranks could gather five blocks each in one round, by messages of five; one block they cannot."""
    words = ("circulant", "--collective", "allgather", "--ranks", 2)
    assert shown(*words, "--blocks", 5).splitlines()[-2] == (
        "5 rounds; the least possible with one block of each owner a message: 5"
    )
    assert shown(*words, "--blocks", 1).splitlines()[-2] == "1 round; the least possible: 1"


def test_blocks_are_not_ignored() -> None:
    words = ("recursive_doubling", "--collective", "allreduce", "--ranks", 6)
    assert refusal(*words, "--blocks", 5) == (
        "'recursive_doubling' sends each owner's data whole: leave out --blocks"
    )
    assert shown(*words, "--blocks", 1) == shown(*words)


def test_a_table_of_one_rank_of_a_scan() -> None:
    lines = shown("chain", "--collective", "scan", "--ranks", 3, "--blocks", 2, "--rank", 1).splitlines()
    assert lines[2:6] == [
        "round  receives  sends  combines",
        "    0  0.0←0            0.0+1.0",
        "    1  0.1←0     1.0→2  0.1+1.1",
        "    2            1.1→2",
    ]
    assert "through rank 1's port" in lines[-1]


def test_one_rank_of_a_million_is_shown_at_once() -> None:
    shown_rank = json_of_any("two_tree", "--ranks", 10**6, "--rank", 77_777)
    (place,) = shown_rank["trees"]
    assert place["first"] == {"parent": 77_778, "children": [], "color": 0}
    assert place["second"] == {"parent": 77_793, "children": [77_769, 77_785], "color": 1}
    assert sum("receive" in step for step in shown_rank["steps"]) == 4


@pytest.mark.parametrize(("algorithm", "collective"), PAIRS)
def test_json_is_the_schedule(algorithm: str, collective: Collective) -> None:
    hosts = (0, 0, 0, 0, 1, 1) if needs_hosts(algorithm, collective) else ()
    placed = ("--per-host", 4) if hosts else ()
    expected = schedule(collective, algorithm, ranks=6, blocks=3, hosts=hosts)
    count = expected.problem.blocks  # some send data whole
    found = json_of_any(algorithm, "--collective", collective.name, "--ranks", 6, "--blocks", count, *placed)
    assert found.get("hosts", []) == list(hosts)
    effort, least = expected.effort(), expected.lower_bound()
    assert (found["algorithm"], found["collective"], found["ranks"]) == (algorithm, collective.name, 6)
    assert (found["rounds"], found["port_blocks"]) == (effort.rounds, effort.port_blocks)
    assert (found["bound_rounds"], found["bound_port_blocks"]) == (least.rounds, least.port_blocks)
    steps = {(step["rank"], step["round"]): step for step in found["steps"]}
    for rank in range(6):
        for round_, step in enumerate(expected.steps(rank)):
            shown_step = steps.pop((rank, round_), {})
            blocks = [(each.owner, each.index) for each in step.receive.blocks]
            received = shown_step.get("receive", {"blocks": []})
            assert [(each["owner"], each["index"]) for each in received["blocks"]] == blocks
            assert not blocks or received["from"] == step.receive.peer
            assert not blocks or received["on_receive"] == step.on_receive.name
            assert len(shown_step.get("send", {"blocks": []})["blocks"]) == len(step.send.blocks)
            assert len(shown_step.get("combine", [])) == len(step.combinations)
    assert not steps


@pytest.mark.parametrize("algorithm", algorithms(Collective.allreduce))
def test_the_json_of_an_allreduce_names_its_owners(algorithm: str) -> None:
    placed = ("--per-host", 4) if needs_hosts(algorithm, Collective.allreduce) else ()
    found = json_of_any(algorithm, "--collective", "allreduce", "--ranks", 6, *placed)
    received = (step.get("receive", {"blocks": []}) for step in found["steps"])
    assert found["owners"] == sorted({each["owner"] for message in received for each in message["blocks"]})
    assert "owners" not in json_of_any("chain", "--ranks", 6)


@given(st.integers(2, 70), st.integers(0, 69), st.integers(1, 6))
def test_trees_are_those_that_the_blocks_take(ranks: int, root: int, blocks: int) -> None:
    root %= ranks
    sent = schedule(Collective.broadcast, "two_tree", ranks=ranks, root=root, blocks=blocks)
    trees = trees_of(sent.problem)
    assert trees is not None
    for rank in range(ranks):
        for round_, step in enumerate(sent.steps(rank)):
            for block in step.receive.blocks:
                place = trees.places(rank)[block.index % 2]
                assert (place.parent, place.color) == (step.receive.peer, round_ % 2)
            for block in step.send.blocks:
                assert step.send.peer in trees.places(rank)[block.index % 2].children


@given(st.integers(2, 40))
def test_trees_of_scans_stand_over_all_ranks(ranks: int) -> None:
    sent = schedule(Collective.scan, "two_tree", ranks=ranks, blocks=2)
    trees = trees_of(sent.problem)
    assert (trees is None) == (ranks <= 3)
    for rank in range(ranks if trees else 0):
        for step in sent.steps(rank):
            for block in step.receive.blocks:
                place = trees.places(rank)[block.index % 2] if trees else None
                assert place
                assert step.receive.peer in (place.parent, *place.children)


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
        ("hierarchical", "--ranks", 128, "--per-host", 7, "--collective", "allgather"),
    ],
)
def test_pictures_of_others(arguments: tuple[object, ...], tmp_path: Path) -> None:
    svg = tmp_path / "picture.svg"
    assert shown(*arguments, "--plot", svg) == ""
    assert ET.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert svg.stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chain", "--ranks", 4, "--collective", "gossip"), "unknown collective 'gossip': choose bcast, "),
        (("chain", "--ranks", 4, "--collective", "allgather"), "choose circulant, ring or hierarchical"),
        (("ring", "--ranks", 4, "--root", 1), "allgather has no root: leave out --root"),
        (("ring", "--ranks", 2**20 + 1), "--ranks 1048577 is out of range: choose from 1 to 1048576"),
        (("hierarchical", "--ranks", 4), "'hierarchical' is for ranks that share hosts: give --per-host N"),
        (("hierarchical", "--ranks", 4, "--per-host", 0), "--per-host 0 is out of range: choose from 1 to 4"),
        (("hierarchical", "--ranks", 4, "--per-host", 2, "--lanes", 0), "--lanes 0 is out of range: choose"),
        (("chain", "--ranks", 4, "--lanes", 2), "--lanes are of hosts that ranks share: give --per-host N"),
        (("chain", "--ranks", 4, "--per-host", 5), "--per-host 5 is out of range: choose from 1 to 4"),
        (("chain", "--ranks", 2**20 + 1, "--per-host", 2), "--ranks 1048577 is out of range"),
        (("chain", "--ranks", 10**6), "use --rank R or fewer --blocks"),
        (("chain", "--ranks", 2, "--rank", 0, "--blocks", 10**9), "choose fewer --blocks"),
        (("chain", "--ranks", 100, "--plot", "x.svg", "--blocks", 99), "choose --blocks up to 30"),
        (("ring", "--ranks", 128, "--collective", "allreduce", "--plot", "x.svg"), "choose fewer --ranks"),
    ],
)
def test_refusals_of_others_are_one_line_too(arguments: tuple[object, ...], says: str) -> None:
    message = refusal(*arguments)
    assert says in message
    assert "\n" not in message


def test_words_of_both_kinds_name_a_collective() -> None:
    for words in (("bcast", "broadcast"), ("reduce-scatter", "reduce_scatter")):
        one, other = (shown("circulant", "--ranks", 5, "--collective", word) for word in words)
        assert one == other


def test_a_table_of_ranks_that_share_hosts() -> None:
    assert shown("hierarchical", "--ranks", 5, "--per-host", 2, "--blocks", 2).splitlines() == [
        "hierarchical broadcast of 2 blocks over 5 ranks on 3 hosts",
        "",
        "host  rank │ round 0  │ round 1  │ round 2  │ round 3  │ round 4",
        "   0     0 │      0⇒4 │      1⇒2 │      1⇒4 │      0→1 │      1→1",
        "         1 │          │          │          │ 0←0      │ 1←0",
        "   1     2 │          │ 1⇐0      │ 0⇐4      │      0→3 │      1→3",
        "         3 │          │          │          │ 0←2      │ 1←2",
        "   2     4 │ 0⇐0      │          │ 1⇐0  0⇒2 │          │",
        "",
        "b←r: block b received from rank r; b→r: sent to rank r.",
        "⇐ and ⇒: over a link; ← and →: within a host.",
        "",
        "5 rounds; the least possible with one block a message, if each rank had a host to itself: 4",
        "5 blocks, 2.5 m bytes, through the busiest port; the least possible: 2, m",
    ]


def test_an_allreduce_among_hosts_has_blocks_of_each_host() -> None:
    found = shown("hierarchical", "--collective", "allreduce", "--ranks", 7, "--per-host", 3)
    assert found.startswith("hierarchical allreduce of 4 blocks of each host over 7 ranks on 3 hosts\n")


def test_hosts_of_two_links_have_two_leaders() -> None:
    asked = ("--ranks", 9, "--per-host", 3, "--lanes", 2, "--blocks", 4)
    found = shown("hierarchical", *asked)
    assert found.startswith("hierarchical broadcast of 4 blocks over 9 ranks on 3 hosts of 2 links\n")
    told = json.loads(shown("hierarchical", *asked, "--json", "-"))
    assert told["links"] == 2
    over_links = [
        (step["rank"] % 3, block)
        for step in told["steps"]
        if "send" in step and step["send"]["to"] // 3 != step["rank"] // 3
        for block in [block["index"] for block in step["send"]["blocks"]]
    ]
    assert set(over_links) == {(0, 0), (0, 2), (1, 1), (1, 3)}


def test_a_flat_schedule_on_hosts_is_the_same_with_its_links_marked() -> None:
    flat, placed = (json_of_any("chain", "--ranks", 7, *more) for more in ((), ("--per-host", 3)))
    assert placed.pop("hosts") == [0, 0, 0, 1, 1, 1, 2]
    assert placed == flat
    one = shown("chain", "--ranks", 7, "--per-host", 3, "--rank", 3, "--blocks", 1).splitlines()
    assert one[2:7] == ["round  receives  sends", "    0", "    1", "    2  0⇐2", "    3            0→4"]


def test_circulant_on_hosts_is_shown_step_by_step() -> None:
    on_hosts = ("--ranks", 9, "--per-host", 2)
    assert json_of(*on_hosts) == json_of(*on_hosts, "--collective", "bcast")
    assert " on 5 hosts\n" in printed(*on_hosts)


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
