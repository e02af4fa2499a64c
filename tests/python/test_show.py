"""``rota show``: the paper's tables digit for digit, their JSON, and what is refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from show_command import json_of, refusal, shown

from rota.drawing.table import Column, table

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


def printed(*arguments: object) -> str:
    return shown("circulant", *arguments)


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
    found = json_of("circulant", "--ranks", 2**31 - 1, "--rank", 2**31 - 2)
    assert len(found["skips"]) == 31
    assert [len(column["receive"]) for column in found["schedules"]] == [31]


def test_json_has_exactly_the_keys_that_are_promised() -> None:
    found = json_of("circulant", "--ranks", 9)
    assert list(found) == ["ranks", "skips", "schedules"]
    assert (found["ranks"], found["skips"]) == (9, [1, 2, 3, 5])
    assert found["schedules"][1] == {
        "rank": 1,
        "baseblock": 0,
        "receive": [0, -2, -3, -1],
        "send": [-4, -4, 0, 0],
    }


@pytest.mark.parametrize(
    ("ranks", "skips", "baseblocks"), [(1, [], [0]), (2, [1], [1, 0]), (3, [1, 2], [2, 0, 1])]
)
def test_the_smallest_numbers_of_ranks(ranks: int, skips: list[int], baseblocks: list[int]) -> None:
    found = json_of("circulant", "--ranks", ranks)
    assert found["skips"] == skips
    assert [column["baseblock"] for column in found["schedules"]] == baseblocks
    assert all(len(column["receive"]) == len(column["send"]) == len(skips) for column in found["schedules"])
    assert f"q = {len(skips)}" in printed("--ranks", ranks)


def test_one_rank_alone_needs_no_rounds() -> None:
    assert printed("--ranks", 1).endswith(
        "broadcast of n blocks: 0 rounds; the least possible with one block a message: 0\n"
    )


@given(st.data())
def test_a_root_renumbers_the_ranks(data: st.DataObject) -> None:
    ranks = data.draw(st.integers(2, 40))
    root = data.draw(st.integers(1, ranks - 1))
    plain, renumbered = (
        json_of("circulant", "--ranks", ranks),
        json_of("circulant", "--ranks", ranks, "--root", root),
    )
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


def test_a_file_gets_what_would_be_printed(tmp_path: Path) -> None:
    path, picture = tmp_path / "schedules.json", tmp_path / "picture.svg"
    assert printed("--ranks", 5, "--json", path, "--plot", picture) == ""
    assert json.loads(path.read_text()) == json_of("circulant", "--ranks", 5)
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chain", "--ranks", 4, "--collective", "gossip"), "unknown collective 'gossip': choose bcast, "),
        (("chain", "--ranks", 4, "--collective", "allgather"), "choose circulant, ring, hierarchical or"),
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
