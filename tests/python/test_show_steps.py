"""``rota show``, step by step: tables and JSON of any schedule, its trees, and ranks that share hosts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from show_command import PAIRS, json_of, refusal, shown

from rota import Collective, algorithms, schedule
from rota.collectives import needs_hosts
from rota.two_trees import trees_of
from rota.vocabulary import mpi_name


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
        "4 blocks, 1.333 m bytes, through the busiest port; in any schedule at least 3, m",
    ]


def test_a_table_of_blocks_of_all_owners() -> None:
    lines = shown("circulant", "--collective", "allgather", "--ranks", 7).splitlines()
    assert lines[3] == "   0 │ 6←6  0→1 │ 4-5←5  0,6→2 │ 1-3←3    0,5-6→4"
    assert lines[-2:] == [
        "3 rounds; the least possible: 3",
        "6 blocks, 0.8571 m bytes, through the busiest port; in any schedule at least 6, 0.8571 m",
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
    shown_rank = json_of("two_tree", "--ranks", 10**6, "--rank", 77_777)
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
    found = json_of(algorithm, "--collective", collective.name, "--ranks", 6, "--blocks", count, *placed)
    assert found.get("hosts", []) == list(hosts)
    effort, least = expected.effort(), expected.lower_bound()
    assert (found["algorithm"], found["collective"], found["ranks"]) == (
        algorithm,
        mpi_name(collective.name),
        6,
    )
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
    found = json_of(algorithm, "--collective", "allreduce", "--ranks", 6, *placed)
    received = (step.get("receive", {"blocks": []}) for step in found["steps"])
    assert found["owners"] == sorted({each["owner"] for message in received for each in message["blocks"]})
    assert "owners" not in json_of("chain", "--ranks", 6)


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
        "5 blocks, 2.5 m bytes, through the busiest port; in any schedule at least 2, m",
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
    flat, placed = (json_of("chain", "--ranks", 7, *more) for more in ((), ("--per-host", 3)))
    assert placed.pop("hosts") == [0, 0, 0, 1, 1, 1, 2]
    assert placed == flat
    one = shown("chain", "--ranks", 7, "--per-host", 3, "--rank", 3, "--blocks", 1).splitlines()
    assert one[2:7] == ["round  receives  sends", "    0", "    1", "    2  0⇐2", "    3            0→4"]


def test_circulant_on_hosts_is_shown_step_by_step() -> None:
    on_hosts = ("--ranks", 9, "--per-host", 2)
    assert json_of("circulant", *on_hosts) == json_of("circulant", *on_hosts, "--collective", "bcast")
    assert " on 5 hosts\n" in shown("circulant", *on_hosts)
