"""Allgathers between two groups from Python and on the command line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota import Collective, Network, inter_allgather, inter_group, simulate, verify, verify_on_ring
from rota.cli import app, status_of
from rota.reproduce.inter_group import PANELS, benchmark_s, point
from rota.two_groups.question import Question
from rota.two_groups.simulated import simulated

if TYPE_CHECKING:
    from pathlib import Path

RUNNER = CliRunner()


def printed(*words: str) -> str:
    result = RUNNER.invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert status_of(words) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("rota: ")
    assert errors.count("\n") == 1
    return errors


def test_schedules_as_objects() -> None:
    """Whole messages to few receivers take 1 + ceil(log2 p) rounds; both directions fit into one schedule."""
    to_few = inter_allgather("join", [1] * 6 + [0] * 2, first_group=6)
    assert (to_few.rounds, verify(to_few)) == (4, [])
    both = inter_allgather("spread", [8] * 4 + [8] * 4, first_group=4, blocks=8)
    assert verify(both) == []
    assert both.lower_bound().port_blocks == 32
    assert both.problem.first_group == 4
    with pytest.raises(ValueError, match="one group only"):
        inter_allgather("join", [1, 1], first_group=1)
    with pytest.raises(ValueError, match="each group needs at least 1"):
        inter_allgather("join", [1, 1], first_group=2)


def test_rooted_and_reduced() -> None:
    """Broadcasts and reductions have a root in one group; an allreduce has none."""
    for collective, algorithm in (
        (Collective.inter_broadcast, "circulant"),
        (Collective.inter_reduce, "chain"),
        (Collective.inter_allreduce, "spread"),
    ):
        assert verify(inter_group(collective, algorithm, ranks=7, first_group=3, root=1, blocks=2)) == []


def test_a_ring_has_links_between_neighbours_only() -> None:
    """The verifier names round, rank and link of a message that has none."""
    assert verify_on_ring(inter_allgather("ring", [1] * 4 + [0] * 6, first_group=4)) == []
    faults = verify_on_ring(inter_allgather("join", [1] * 4 + [0] * 4, first_group=4))
    assert any("rank 4, but there is no such link" in each.fault and each.round == 0 for each in faults)


def test_simulated_in_the_bounds_time() -> None:
    """Shares that come out even take the time of p k bytes and nothing more."""
    network = Network(0.0, 1e-9)
    schedule = inter_allgather("spread", [1 << 20] * 8 + [1 << 20] * 8, first_group=8)
    assert simulate(schedule, network).seconds == pytest.approx((8 << 20) * 1e-9)
    with pytest.raises(ValueError, match="leave them out"):
        simulate(schedule, network, 100)


def test_show_figure_2() -> None:
    """Seven rounds from 4 senders to 6 receivers on a ring, as in the paper."""
    lines = printed(
        "show", "inter-group", "--senders", "4", "--receivers", "6", "--topology", "ring"
    ).splitlines()
    first = next(line for line in lines if line.startswith("round 0"))
    assert first.split() == ["round", "0", "←1", "·", "·", "→2", "│", "→3", "·", "·", "·", "·", "←0"]
    assert sum(line.startswith("round ") for line in lines) == 7
    assert "7 rounds; the least possible with one rank's whole data a message: 6" in lines


def test_show_fully_connected(tmp_path: Path) -> None:
    """As a table, as JSON and as a picture."""
    file, picture = tmp_path / "shown.json", tmp_path / "shown.svg"
    words = ("show", "inter-group", "--senders", "6", "--receivers", "2")
    assert "4 rounds; the least possible: 3" in printed(*words)
    assert printed(*words, "--json", str(file), "--plot", str(picture)) == ""
    facts = json.loads(file.read_text())
    assert (facts["rounds"], facts["received_blocks"], facts["bound_received_blocks"]) == (4, 6, 6)
    assert {message["to"] for message in facts["messages"] if message["round"] == 0} == {6, 7}
    assert picture.read_text().count("<svg") == 1


@pytest.mark.parametrize("topology", ["full", "ring"])
def test_verify(topology: str) -> None:
    """All schedules of a range are right, and near the bound."""
    output = printed(
        "verify", "inter-group", "--senders", "1..7", "--receivers", "2..6", "--topology", topology
    )
    assert re.search(r"schedules in .* s: all correct", output)
    rows = [line.split() for line in output.splitlines() if line.strip().startswith(("join", "ring"))]
    assert rows[0][0] == ("ring" if topology == "ring" else "join")
    assert rows[0][1:3] == ["35", "0"]
    assert ("The bound: with one rank's whole data a message." in output) == (topology == "ring")


def test_simulate(tmp_path: Path) -> None:
    """Every algorithm that solves it, the fastest first; both ways those that go both ways."""
    file = tmp_path / "simulated.json"
    printed(
        "simulate",
        "inter-group",
        "--senders",
        "4",
        "--receivers",
        "6",
        "--bytes",
        "64KiB",
        "--duplex",
        "--json",
        str(file),
    )
    results = json.loads(file.read_text())["results"]
    assert {one["algorithm"] for one in results} == {"spread", "circulant"}
    assert all(one["times_bound"] >= 1 for one in results)
    assert [one["seconds"] for one in results] == sorted(one["seconds"] for one in results)


def test_the_bound_in_seconds_knows_the_ring(tmp_path: Path) -> None:
    """What takes a round more than the least takes so much longer than the bound; nothing is below it."""
    file = tmp_path / "simulated.json"
    groups = ("--senders", "64", "--receivers", "192", "--topology", "ring")
    printed("simulate", "inter-group", *groups, "--bytes", "1MiB", "--json", str(file))
    (one,) = json.loads(file.read_text())["results"]
    assert (one["rounds"], one["least_rounds"]) == (160, 159)
    assert one["times_bound"] == pytest.approx(160 / 159)
    network = Network(2e-6, 1e-9)
    for senders in range(1, 8):
        for receivers in range(1, 8):
            question = Question(senders, receivers, "ring")
            assert simulated(question, network, 1000, "ring", 1).times_bound >= 1 - 1e-12
    panel = next(each for each in PANELS if each.letter == "k")
    assert point(panel, 1 << 20, network).rota.times_bound == pytest.approx(160 / 159)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "--senders", "0", "--receivers", "2"), "each group needs at least 1 rank"),
        (("show", "--senders", "3", "--receivers", "2", "--topology", "torus"), "choose full or ring"),
        (("show", "--senders", "3", "--receivers", "2", "--topology", "ring", "--duplex"), "leave out"),
        (
            ("show", "--senders", "3", "--receivers", "2", "--duplex", "--algorithm", "join"),
            "for inter_allgather here: choose spread, circulant or root",
        ),
        (("show", "--senders", "900", "--receivers", "900"), "too many to show"),
        (("show", "--senders", "2", "--receivers", "2", "--algorithm", "hierarchical"), "with --per-host"),
        (
            ("show", "--senders", "2", "--receivers", "2", "--per-host", "2", "--topology", "ring"),
            "no ranks share hosts",
        ),
        (("verify", "--per-host", "2", "--algorithm", "join"), "choose hierarchical"),
        (("show", "--senders", "2", "--receivers", "2", "--per-host", "0"), "each host needs at least 1"),
        (("show", "--senders", "30", "--receivers", "30", "--plot", "x.png"), "too many for a picture"),
        (("show", "--senders", "3", "--receivers", "2", "--plot", "x.gif"), "unknown picture format"),
        (("verify", "--senders", "1..70000", "--receivers", "1"), "are the most"),
        (("verify", "--senders", "5..1", "--receivers", "1"), "the wrong way round"),
        (
            (
                "bench",
                "--senders",
                "3",
                "--receivers",
                "3",
                "--hosts",
                "4",
                "--rate",
                "1gbit",
                "--mpi",
                "mpich",
            ),
            "--per-host be 6",
        ),
        (("simulate", "--senders", "3", "--receivers", "2", "--bytes", "many"), "is no size"),
        (
            ("show", "--senders", "3", "--receivers", "2", "--topology", "ring", "--blocks", "5"),
            "sends each owner's data whole: leave out --blocks",
        ),
        (
            ("verify", "--senders", "3", "--receivers", "2", "--topology", "ring", "--blocks", "5"),
            "leave out --blocks",
        ),
        (
            (
                "simulate",
                "--senders",
                "3",
                "--receivers",
                "2",
                "--bytes",
                "1KiB",
                "--topology",
                "ring",
                "--blocks",
                "5",
            ),
            "leave out --blocks",
        ),
    ],
)
def test_what_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    """One line that says what is wrong."""
    assert said in refused(capsys, words[0], "inter-group", *words[1:])


def test_figure_4() -> None:
    """The paper's improvements on a ring are those of its Table II: in large groups 1.33, 1.6 and 1.14.

    For p = q, 3 p = q and p = 3 q; for p = q its text says 1.5, which is the table's for 2 p = q.
    """
    network = Network(0.0, 1e-9)
    by_table = {"j": 1.33, "k": 1.6, "l": 1.14}
    for panel in PANELS:
        if panel.letter not in by_table:
            continue
        found = point(panel, 1 << 20, network)
        p, q = panel.senders, panel.receivers
        assert found.improvement == pytest.approx((p + q - 1) / (p + q / 2))
        assert found.improvement == pytest.approx(by_table[panel.letter], abs=0.01)
        assert found.benchmark_s == benchmark_s(panel, 1 << 20, network)
    fully = next(panel for panel in PANELS if panel.letter == "d")
    found = point(fully, 1 << 20, network)
    assert found.improvement == pytest.approx(511 / 128, rel=0.02)
    assert found.rota.times_bound < 1.01


def test_paper_3_is_reproduced_quickly(tmp_path: Path) -> None:
    """Tables I and II and Figures 1 to 4; a ring's costs are the printed ones to the last digit."""
    file, picture, page = tmp_path / "parts.json", tmp_path / "figure4.png", tmp_path / "page.md"
    words = ("reproduce", "inter-group", "--quick", "--json", str(file))
    assert "Table II" in printed(*words, "--plot", str(picture), "--markdown", str(page))
    parts = {part["number"]: part for part in json.loads(file.read_text())["parts"]}
    assert {number: part["verdict"] for number, part in parts.items()} == {
        "Table I": "holds",
        "Table II": "as printed",
        "Figures 1 to 3": "as printed",
        "Figure 4": "holds",
    }
    assert [len(row["points"]) for row in parts["Figure 4"]["rows"]] == [4] * 6
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "## Table II: " in page.read_text()


def test_ranks_that_share_hosts(tmp_path: Path) -> None:
    """Shown and verified; each rank of the receiving group gets every block once."""
    file = tmp_path / "shown.json"
    shared = ("--per-host", "3", "--blocks", "2")
    printed("show", "inter-group", "--senders", "4", "--receivers", "5", *shared, "--json", str(file))
    facts = json.loads(file.read_text())
    assert (facts["algorithm"], facts["hosts"]) == ("hierarchical", [0, 0, 0, 1, 1, 1, 2, 2, 2])
    assert facts["received_blocks"] == facts["bound_received_blocks"] == 8
    ranges = ("--senders", "1..6", "--receivers", "1..6")
    assert "all correct" in printed("verify", "inter-group", *ranges, *shared, "--duplex")


def test_questions_know_their_algorithms() -> None:
    """On a ring there is one; both ways, those for one direction are left out."""
    assert Question(3, 4, "ring").names == ("ring",)
    assert Question(3, 4, duplex=True).names == ("spread", "circulant")
    assert Question(3, 4, per_host=2).names == ("hierarchical",)
    assert Question(3, 4).rivals == ("root", "two_stage")
    assert Question(3, 4, duplex=True).rivals == ("root",)
    assert Question(3, 4, "ring").rivals == ("ring_of_all",)
    assert Question(3, 4, per_host=2).rivals == ()


@pytest.mark.parametrize(
    ("topology", "algorithm"), [("full", "root"), ("full", "two_stage"), ("ring", "ring_of_all")]
)
def test_what_the_paper_compares_with_is_played_by_name(topology: str, algorithm: str) -> None:
    words = ("--senders", "1..9", "--receivers", "1..9", "--topology", topology, "--algorithm", algorithm)
    assert "81 schedules" in printed("verify", "inter-group", *words)
