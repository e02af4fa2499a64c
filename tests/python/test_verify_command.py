import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from rota._core import time_preparation
from typer.testing import CliRunner

from rota import (
    Block,
    Collective,
    Message,
    Schedule,
    Step,
    algorithms,
    schedule,
    schedule_of_steps,
)
from rota import verify as verify_schedule
from rota.collectives import COLLECTIVES
from rota.commands import bench_schedules
from rota.commands import verify as command
from rota.errors import RotaError
from rota.verification import proofs, propagation
from rota.verification.propagation import Task, outcome_of

app = typer.Typer()
app.command()(command.verify)
runner = CliRunner()


def verified(*words: str) -> None:
    runner.invoke(app, list(words), catch_exceptions=False)


def test_a_range_is_verified() -> None:
    result = runner.invoke(app, ["circulant", "--ranks", "1..300"])
    assert result.exit_code == 0
    assert result.stdout.startswith("300 numbers of ranks, 45150 ranks in ")
    assert "all conditions hold" in result.stdout
    assert "at most q - 1 = 8 (Lemma 5)" in result.stdout


def test_violations_are_printed_and_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(ranks: int) -> object:
        largest = SimpleNamespace(recursive_calls=0, iterations=0, iterations_beyond_lemma_6=0, violations=5)
        return SimpleNamespace(
            ranks=ranks, largest=largest, violations=["rank 1: first", "rank 2: second [x]"]
        )

    monkeypatch.setattr(proofs, "check_circulant", spoilt)
    result = runner.invoke(app, ["circulant", "--ranks", "8..9"])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:4] == [
        "p = 9, rank 1: first",
        "p = 9, rank 2: second [x]",
        "p = 8, rank 1: first",
        "p = 8, rank 2: second [x]",
    ]
    assert "4 faults" in result.stdout


def test_an_unknown_algorithm_is_a_fault() -> None:
    with pytest.raises(RotaError, match=r"choose circulant, .*two_tree.* or all"):
        verified("star", "--ranks", "2..5")


def test_a_bad_range_is_a_fault() -> None:
    with pytest.raises(RotaError, match=r"write 2\.\.5"):
        verified("circulant", "--ranks", "5..2")


def test_lemma_1_and_all_collectives_of_the_two_trees() -> None:
    result = runner.invoke(app, ["two_tree", "--ranks", "1..20", "--blocks", "1,4"])
    assert result.exit_code == 0
    pairs = {nodes: 4 if nodes % 4 >= 2 or nodes.bit_count() % 2 else 2 for nodes in range(1, 21)}
    nodes = sum(number * count for number, count in pairs.items())
    assert result.stdout.startswith(f"{sum(pairs.values())} pairs of trees, {nodes} nodes in ")
    assert "Lemma 1 holds" in result.stdout
    assert [line.split()[0] for line in result.stdout.splitlines() if " two_tree " in line] == [
        "bcast",
        "reduce",
        "allreduce",
        "scan",
        "exscan",
    ]
    assert result.stdout.rstrip().endswith("all correct")


def test_faults_of_the_trees_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(ranks: int) -> object:
        return SimpleNamespace(nodes=ranks, pairs=1, violations=["node 1 is wrong"], height=1, latest=1)

    monkeypatch.setattr(proofs, "check_two_trees", spoilt)
    result = runner.invoke(app, ["two_tree", "--ranks", "2..3"])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == ["3 nodes: node 1 is wrong", "2 nodes: node 1 is wrong"]


def test_every_algorithm_is_played() -> None:
    result = runner.invoke(app, ["all", "--collective", "all", "--ranks", "1..9", "--blocks", "1,3"])
    assert result.exit_code == 0
    assert "conditions hold" not in result.stdout
    rows = [line.split() for line in result.stdout.splitlines() if len(line.split()) == 6]
    found = {(row[0], row[1]): row[2:] for row in rows}
    assert len(found) == sum(len(algorithms(each)) for each in COLLECTIVES.values())
    assert found["bcast", "circulant"][1:3] == ["0", "0"]
    assert found["reduce_scatter", "circulant"][1:3] == ["0", "0"]


def test_one_collective_is_played() -> None:
    result = runner.invoke(app, ["circulant", "--collective", "reduce", "--ranks", "5", "--blocks", "2"])
    assert result.exit_code == 0
    assert "5 schedules in" in result.stdout
    assert "recursive calls" not in result.stdout


def test_roots_and_orders_are_those_that_an_algorithm_solves() -> None:
    outcome = outcome_of(Task("two_tree", Collective.reduce, 6, (2,)))
    assert outcome.schedules == 6 + 2
    assert outcome_of(Task("circulant", Collective.allgather, 6, (1, 2))).schedules == 6


def test_what_sends_data_whole_is_played_once() -> None:
    in_one, in_many = (
        outcome_of(Task("recursive_doubling", Collective.allreduce, 6, blocks)).schedules
        for blocks in ((1,), (1, 2, 3, 8))
    )
    assert in_many == in_one > 0


def test_the_bound_says_what_a_message_may_carry() -> None:
    result = runner.invoke(app, ["circulant", "--collective", "allgather", "--ranks", "2", "--blocks", "5"])
    assert "The bound: with one block of each owner a message." in result.stdout


def placements_played(ranks: int, monkeypatch: pytest.MonkeyPatch) -> set[tuple[int, ...]]:
    """Return the hosts with which a broadcast among so many ranks is played."""
    played: set[tuple[int, ...]] = set()

    def watched(*of_what: Any, hosts: tuple[int, ...], **more: Any) -> Schedule:
        played.add(hosts)
        return schedule(*of_what, hosts=hosts, **more)

    monkeypatch.setattr(propagation, "schedule", watched)
    assert not outcome_of(Task("hierarchical", Collective.broadcast, ranks, (1,))).faults
    return played


def test_ranks_share_hosts_in_several_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    assert placements_played(7, monkeypatch) == {
        (0, 0, 1, 1, 2, 2, 3),
        (0, 0, 0, 1, 1, 1, 2),
        (0, 0, 0, 0, 1, 1, 1),
        (0, 0, 0, 0, 0, 0, 0),
        (0, 1, 0, 1, 0, 1, 0),
        (0, 1, 2, 0, 1, 2, 0),
        (0, 1, 2, 3, 4, 5, 6),
        (0, 1, 1, 2, 2, 2, 3),
    }


def test_many_ranks_share_hosts_in_one_way_for_each_p(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [placements_played(ranks, monkeypatch) for ranks in range(20, 34)]
    assert all(len(placements) == 1 for placements in found)
    in_rows = [list(hosts) == sorted(hosts) for (hosts,) in found]
    assert in_rows.count(True) == in_rows.count(False) == 7


def test_what_is_for_shared_hosts_is_played_by_name() -> None:
    result = runner.invoke(app, ["hierarchical", "--ranks", "1..9", "--blocks", "1,3"])
    assert result.exit_code == 0
    rows = [line.split() for line in result.stdout.splitlines() if " hierarchical " in line]
    moved_or_summed = ["bcast", "reduce", "allgather", "reduce_scatter", "allreduce"]
    assert [row[0] for row in rows] == [*moved_or_summed, "scan", "exscan"]
    assert all(row[3] == "0" for row in rows)
    assert result.stdout.rstrip().endswith("all correct")


def test_hosts_of_several_links_are_played_by_their_number() -> None:
    asked = ["hierarchical", "--ranks", "2..9", "--blocks", "1,3,4"]
    one, several = (runner.invoke(app, [*asked, *more]) for more in ([], ["--lanes", "1,2,3"]))
    assert several.exit_code == 0
    assert several.stdout.rstrip().endswith("all correct")
    count_one, count_several = (int(result.stdout.splitlines()[-1].split()[0]) for result in (one, several))
    assert count_several == 3 * count_one
    refused = runner.invoke(app, ["hierarchical", "--lanes", "0"])
    assert isinstance(refused.exception, RotaError)
    assert "--lanes '0' is no list of numbers from 1 to 64" in str(refused.exception)


def test_what_leaves_a_host_goes_to_as_many_others_as_it_has_links() -> None:
    """Ranks 0 and 1 of one host send to two others at once."""
    steps = [
        (0, 0, Step(send=Message(2, [Block(0, 0)]))),
        (2, 0, Step(receive=Message(0, [Block(0, 0)]))),
        (1, 0, Step(send=Message(3, [Block(1, 0)]))),
        (3, 0, Step(receive=Message(1, [Block(1, 0)]))),
    ]
    faults = {
        links: [
            fault.fault
            for fault in verify_schedule(
                schedule_of_steps("allgather", steps, ranks=4, owners=[0, 1], hosts=[0, 0, 1, 2], links=links)
            )
            if "host" in fault.fault
        ]
        for links in (1, 2)
    }
    assert faults == {1: ["sends to another host than its host's others"], 2: []}


def test_a_fault_names_the_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = SimpleNamespace(round=1, rank=0, block=SimpleNamespace(owner=0, index=0), fault="lost")
    monkeypatch.setattr(propagation, "verify", lambda _: [fault])
    faults = outcome_of(Task("hierarchical", Collective.allreduce, 3, (2,))).faults
    assert faults[0] == (
        "hierarchical allreduce, p = 3, root 0, n = 2, hosts 0 0 1: round 1, rank 0, block 0 of owner 0: lost"
    )


def test_faults_of_played_schedules_are_printed_and_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoilt(planned: Schedule) -> list[object]:
        faults = planned.problem.root == 2
        return [SimpleNamespace(round=1, rank=0, block=block, fault="lost [x]")] if faults else []

    block = SimpleNamespace(owner=0, index=3)
    monkeypatch.setattr(propagation, "verify", spoilt)
    result = runner.invoke(app, ["chain", "--collective", "bcast", "--ranks", "3", "--blocks", "4"])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == (
        "chain broadcast, p = 3, root 2, n = 4: round 1, rank 0, block 3 of owner 0: lost [x]"
    )
    assert "3 schedules in" in result.stdout
    assert "1 fault" in result.stdout


def test_schedules_better_than_the_bound_are_faults() -> None:
    effort = schedule(Collective.broadcast, "chain", ranks=4, blocks=3).effort()
    least = schedule(Collective.broadcast, "chain", ranks=9, blocks=9).effort()
    found = list(propagation.below_bound(effort, least))
    assert len(found) == 2
    assert not list(propagation.below_bound(least, least))


@pytest.mark.parametrize("blocks", ["", "0", "1,x", "-3"])
def test_bad_blocks_are_a_fault(blocks: str) -> None:
    with pytest.raises(RotaError, match="write it as 1,2,8"):
        verified("chain", "--ranks", "2..5", "--blocks", blocks)


def test_a_collective_that_an_algorithm_is_not_for_is_a_fault() -> None:
    with pytest.raises(RotaError, match="choose circulant, ring, hierarchical or"):
        verified("chain", "--ranks", "2..5", "--collective", "allgather")
    with pytest.raises(RotaError, match=r"choose bcast, .* or all"):
        verified("chain", "--ranks", "2..5", "--collective", "gossip")


def test_schedules_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_schedules, "RANGES", (range(2, 40), range(100, 102)))
    monkeypatch.setattr(bench_schedules, "PREPARED", (2, 3, 100))
    bench_schedules.schedules(samples=3, json_file=tmp_path / "times.json")
    found = json.loads((tmp_path / "times.json").read_text())
    first, second = found["schedules"]
    assert (first["first"], first["last"], first["samples"]) == (2, 39, 3)
    assert second["samples"] == 2
    assert first["all_ratio"] > 0
    assert [times["ranks"] for times in found["preparation"]] == [2, 3, 100]
    assert all(times["two_tree_rank_us"] > 0 < times["circulant_ratio"] for times in found["preparation"])
    printed = capsys.readouterr().out
    assert "2..39" in printed
    assert "Before a rank's first broadcast" in printed


def test_the_linear_colouring_is_right_for_all_p() -> None:
    assert [time_preparation(ranks).ranks for ranks in range(2, 140)] == list(range(2, 140))


def test_a_missing_folder_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(RotaError, match="make it first"):
        bench_schedules.schedules(samples=1, json_file=tmp_path / "none" / "times.json")


@pytest.mark.parametrize("algorithm", ["circulant", "all"])
def test_more_than_memory_holds_is_a_line(algorithm: str) -> None:
    """Nothing is made of the many p before their turn, and the largest, which comes first, does not fit."""
    limited = f"ulimit -v 40000000; exec {sys.executable} -m rota verify {algorithm} --ranks 2..2147483647"
    ran = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].startswith("rota: there is no memory for that: ask for fewer")
    assert "Traceback" not in ran.stderr
