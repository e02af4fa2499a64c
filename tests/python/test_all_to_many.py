"""All-to-many from Python: patterns, schedules, the command; and the paper's numbers."""

from __future__ import annotations

import json
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from typer.testing import CliRunner

from rota import (
    Collective,
    Network,
    Pattern,
    Schedule,
    all_to_many,
    all_to_many_algorithms,
    best_all_to_many,
    hosts_pattern,
    length_bytes,
    parcels,
    schedule,
    simulate,
    unsynchronised_bytes,
    verify,
)
from rota.cli import app, status_of
from rota.drawing.permutations import timed_pieces
from rota.hosts import Hosts, growing, in_a_row, in_turn
from rota.patterns import (
    dense,
    experts,
    figure7,
    from_matrix,
    from_messages,
    generated,
    matrix_of,
    regular,
    skewed,
)
from rota.reproduce import all_to_many as paper

if TYPE_CHECKING:
    from pathlib import Path

NETWORK = Network(1e-5, 1e-9)


def test_a_pattern_is_its_messages() -> None:
    pattern = from_matrix([[9, 30, 0], [5, 0, 5], [0, 1, 0]])
    assert pattern.messages.tolist() == [[0, 1, 30], [1, 0, 5], [1, 2, 5], [2, 1, 1]]
    assert (pattern.ranks, len(pattern), pattern.degree, pattern.port_bytes) == (3, 4, 2, 31)
    assert (pattern.total_bytes, pattern.local_bytes) == (41, 9)
    assert pattern == from_messages(3, [(1, 2, 5), (0, 1, 30), (2, 1, 1), (1, 0, 5), (0, 0, 9)])
    assert matrix_of(pattern).tolist() == [[0, 30, 0], [5, 0, 5], [0, 1, 0]]


def test_what_is_no_pattern() -> None:
    with pytest.raises(ValueError, match="from rank 0 to rank -1: ranks are"):
        from_messages(2, [(0, 2**40, 1)])
    with pytest.raises(ValueError, match="differ in length"):
        Pattern(2, np.array([0]), np.array([1]), np.array([], dtype=np.int64))
    with pytest.raises(ValueError, match="unknown algorithm 'fast' for all_to_many; valid: ac, lp"):
        all_to_many(dense(2), "fast")
    with pytest.raises(ValueError, match="the pattern says how many bytes"):
        simulate(all_to_many(dense(2), "exact"), NETWORK, 5)
    broadcast = schedule(Collective.broadcast, "circulant", ranks=4)
    with pytest.raises(ValueError, match="how many bytes there are: give them"):
        simulate(broadcast, NETWORK)
    with pytest.raises(ValueError, match="not one of all-to-many"):
        parcels(broadcast)


@pytest.mark.parametrize("algorithm", all_to_many_algorithms())
def test_every_schedule_is_correct_and_the_same_again(algorithm: str) -> None:
    pattern = skewed(24, 7, seed=3)
    planned = all_to_many(pattern, algorithm, seed=5)
    assert verify(planned) == []
    again = all_to_many(pattern, algorithm, seed=5)
    assert np.array_equal(parcels(planned), parcels(again))
    assert parcels(planned)[:, 4].sum() == pattern.total_bytes
    assert planned.lower_bound().rounds == pattern.degree == 7
    assert unsynchronised_bytes(planned) >= pattern.port_bytes
    assert simulate(planned, Network(0, 1)).port_bytes == pattern.port_bytes
    assert max(piece.end for piece in timed_pieces(planned)) == length_bytes(planned)


@pytest.mark.parametrize("algorithm", all_to_many_algorithms())
@pytest.mark.parametrize("hosts", [in_a_row(24, 4), in_turn(24, 5), growing(24)], ids=str)
def test_schedules_of_hosts(algorithm: str, hosts: Hosts) -> None:
    """Verified with hosts' ports; no shorter than the busiest host's bytes, by the shortest as short."""
    pattern = skewed(24, 7, seed=3)
    planned = all_to_many(pattern, algorithm, hosts=hosts.of_rank)
    assert verify(planned) == []
    least = hosts_pattern(pattern, hosts.of_rank).port_bytes
    assert length_bytes(planned) >= least
    assert max(piece.end for piece in timed_pieces(planned)) == length_bytes(planned)
    if algorithm == "weighted":
        assert length_bytes(planned) == least
    best = best_all_to_many(pattern, NETWORK, hosts=hosts.of_rank)
    assert verify(best.schedule) == []
    assert best.least_seconds <= best.seconds


@pytest.mark.parametrize("algorithm", all_to_many_algorithms())
@pytest.mark.parametrize("links", [2, 3])
def test_the_picture_of_links(algorithm: str, links: int) -> None:
    """As long as the schedule, one message at a time on each link, and all bytes between hosts."""
    hosts = in_a_row(24, 4).of_rank
    planned = all_to_many(skewed(24, 7, seed=3), algorithm, hosts=hosts, links=links)
    pieces = timed_pieces(planned)
    assert max(piece.end for piece in pieces) == length_bytes(planned)
    assert sum(piece.end - piece.begin for piece in pieces) == sum(
        size for _, sender, receiver, _, size in parcels(planned).tolist() if hosts[sender] != hosts[receiver]
    )
    for ports in (
        [(each.sender, each.begin, each.end) for each in pieces],
        [(each.receiver, each.begin, each.end) for each in pieces],
    ):
        ordered = sorted(ports)
        assert ordered[-1][0] < 6 * links
        for (port, _, end), (other, begin, _) in pairwise(ordered):
            assert port != other or begin >= end


def test_hosts_of_other_ranks_are_refused() -> None:
    with pytest.raises(ValueError, match="hosts of 2 ranks, a pattern of 3; give the host of each rank"):
        all_to_many(dense(3), "exact", hosts=[0, 1])
    with pytest.raises(ValueError, match="hosts of 4 ranks, a pattern of 3"):
        hosts_pattern(dense(3), [0, 0, 1, 1])


def test_another_seed_is_another_schedule() -> None:
    pattern = figure7(24, 7, seed=3)
    assert not np.array_equal(
        parcels(all_to_many(pattern, "cgm", seed=1)), parcels(all_to_many(pattern, "cgm", seed=2))
    )


def test_starts_decide_between_few_and_short() -> None:
    pattern = skewed(24, 12, seed=1)
    short = best_all_to_many(pattern, Network(0, 1))
    few = best_all_to_many(pattern, Network(1e9, 1))
    assert short.seconds <= 1.01 * short.least_seconds
    assert few.seconds < 1.2 * few.least_seconds
    assert len(parcels(few.schedule)) == len(pattern)


def test_generators() -> None:
    for pattern in (regular(20, 6, seed=1), skewed(20, 6, seed=1)):
        matrix = matrix_of(pattern) > 0
        assert (matrix.sum(axis=0) == 6).all()
        assert (matrix.sum(axis=1) == 6).all()
    drawn = figure7(20, 6, seed=1)
    assert drawn.degree == 6
    assert len(drawn) + drawn.local_bytes == 20 * 6
    sizes = skewed(100, 50, seed=2).messages[:, 2]
    assert sizes.max() <= 1_000_000
    assert sizes.max() / sizes.min() > 10_000
    routed = experts(16, tokens=200, seed=4)
    assert routed.total_bytes + routed.local_bytes == 16 * 200 * 2 * 4096
    sums = matrix_of(routed).sum(axis=0)
    assert sums.max() > 2 * sums.min()
    assert len(dense(9)) == 72
    assert generated("figure7:n=20,d=6", 1) == figure7(20, 6, seed=1)


def test_table_4_where_it_is_quick() -> None:
    for degree, ranks in ((4, 32), (16, 32), (31, 32), (8, 128), (64, 128)):
        row = paper.row_4(degree, ranks, samples=60)
        assert row.exact_permutations == degree
        assert abs(row.difference) < 0.02, row


def test_tables_2_and_3_have_the_papers_permutations() -> None:
    for degree, printed in paper.PERMUTATIONS.items():
        for algorithm, permutations in printed.items():
            ours = paper.mean_permutations(degree, algorithm, samples=60)
            assert abs(ours / permutations - 1) < 0.03, (degree, algorithm, ours)


def test_the_fitted_network_is_table_1() -> None:
    network = paper.fitted_network()
    errors = [
        (network.latency_s + size * network.seconds_per_byte) / (printed * 1e-3) - 1
        for size, printed in paper.PERMUTATION_MS.items()
    ]
    assert max(map(abs, errors)) < 0.06
    row = paper.row_23(8, 65536, samples=3)
    assert fmean(abs(row.simulated_ms[name] / (row.paper_ms[name] or 0) - 1) for name in ("gm", "cgm")) < 0.15


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["all-to-many", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_lists_all_algorithms(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    picture = tmp_path / "out.png"
    output = run(
        "--generate", "regular:n=16,d=5", "--bytes", "1KiB", "--json", str(file), "--plot", str(picture)
    )
    assert "16 ranks, 80 messages, 81920 bytes" in output
    listed: list[dict[str, Any]] = json.loads(file.read_text())
    assert [each["algorithm"] for each in listed] == all_to_many_algorithms()
    for each in listed:
        assert each["bound_permutations"] == 5
        assert each["bound_bytes"] == 5 * 1024 <= each["length_bytes"]
        messages = [message for permutation in each["schedule"] for message in permutation]
        assert sum(message["bytes"] for message in messages) == 80 * 1024
        for permutation in each["schedule"]:
            for end in ("from", "to"):
                assert len({message[end] for message in permutation}) == len(permutation)
    by_name = {each["algorithm"]: each for each in listed}
    assert by_name["exact"]["permutations"] == 5
    assert by_name["weighted"]["length_bytes"] == 5 * 1024
    assert by_name["ac"]["permutations"] is None
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_command_knows_hosts(tmp_path: Path) -> None:
    """4 ranks have 1 KiB each for 4 others: in 4 rounds between hosts, and 3 within."""
    file = tmp_path / "out.json"
    asked = ("--generate", "dense:n=8", "--bytes", "1KiB", "--algorithm", "exact", "--json", str(file))
    for hosts, bound in (((), 7 << 10), (("--per-host", "4"), 16 << 10)):
        run(*asked, *hosts)
        (listed,) = json.loads(file.read_text())
        assert (listed["permutations"], listed["bound_permutations"]) == (7, 7)
        assert listed["length_bytes"] == listed["bound_bytes"] == bound


def test_the_command_knows_links(tmp_path: Path) -> None:
    """With 4 links a host is as long busy as each of its 4 ranks, however many links there are beyond."""
    file = tmp_path / "out.json"
    asked = ("--generate", "dense:n=8", "--bytes", "1KiB", "--algorithm", "weighted", "--json", str(file))
    for links, bound in ((1, 16 << 10), (2, 8 << 10), (3, 5462), (4, 4 << 10), (8, 4 << 10)):
        run(*asked, "--per-host", "4", "--links", str(links))
        (listed,) = json.loads(file.read_text())
        assert listed["length_bytes"] == listed["bound_bytes"] == bound


def test_the_command_chooses_by_what_a_start_costs() -> None:
    output = run("--generate", "skewed:n=12,d=5", "--algorithm", "best", "--alpha", "4KiB")
    assert "best at 4KiB a start: " in output


def figures(output: str) -> list[str]:
    """What is printed of the pattern and of its schedule, but for the last column, the time that it took."""
    (row,) = (line for line in output.splitlines() if "weighted" in line)
    return [output.splitlines()[0], *row.split()[:-3]]


def test_patterns_are_written_and_read(tmp_path: Path) -> None:
    for suffix in ("csv", "npz", "mtx"):
        file = tmp_path / f"pattern.{suffix}"
        made = run("--generate", "skewed:n=12,d=5", "--algorithm", "weighted", "--output", str(file))
        read = run(str(file), "--algorithm", "weighted")
        assert figures(made) == figures(read)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "give either a file with a pattern or --generate"),
        (("missing.csv",), "cannot read missing.csv: No such file or directory"),
        (("missing.txt",), "missing.txt: unknown kind of file: give one that ends in .csv, .npz, .mtx"),
        (("--generate", "figure7:n=8"), "'figure7:n=8' leaves out d: give figure7:n=64,d=8"),
        (("--generate", "figure7:n=8,d=9"), "degree 9 is out of range: choose from 0 to 8"),
        (("--generate", "figure7:n=8,q=8"), "'q=8' is no setting of this generator: give n, d, bytes"),
        (
            ("--generate", "other"),
            "unknown generator 'other': choose figure7, regular, skewed, experts, dense",
        ),
        (("--generate", "dense:n=4", "--algorithm", "x"), "unknown algorithm 'x': choose ac, lp"),
        (("--generate", "dense:n=4", "--algorithm", "best"), "give --alpha"),
        (("--generate", "dense:n=4", "--bytes", "0"), "--bytes 0 would leave no message"),
        (
            ("--generate", "dense:n=4", "--links", "2"),
            "--links are of hosts that ranks share: give --per-host N",
        ),
        (("--generate", "dense:n=4,bytes=7", "--bytes", "8"), "row 0, column 1: 7 is neither 0 nor 1"),
        (("--generate", "dense:n=200", "--plot", "x.png"), "200 ranks are too many for a picture"),
        (("--generate", "dense:n=1", "--plot", "x.png"), "there is no message"),
        (("--generate", "dense:n=4", "--plot", "x.bmp"), "unknown picture format 'x.bmp'"),
        (("--generate", "dense:n=4", "--json", "no/x.json"), "there is no folder"),
    ],
)
def test_faults_are_one_line(
    arguments: tuple[str, ...],
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(["all-to-many", *arguments]) == 2
    said = capsys.readouterr().err
    assert fault in said
    assert said.count("\n") == 1


def test_the_tables_are_reproduced_quickly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper, "FIGURE_10", ((4, 32), (16, 32), (31, 32)))
    monkeypatch.setattr(paper, "TABLE_4", {(4, 32): (5.6, 2.6), (8, 32): (10.2, 5.0)})
    file, picture, page = tmp_path / "figures.json", tmp_path / "figure10.png", tmp_path / "page.md"
    arguments = ["reproduce", "all-to-many", "--quick", "--samples", "2", "--markdown", str(page)]
    result = CliRunner().invoke(app, [*arguments, "--json", str(file), "--plot", str(picture)])
    assert result.exit_code == 0, result.output
    parts = {part["number"]: part for part in json.loads(file.read_text())["parts"]}
    assert {*parts} == {
        *("Table 1", "Tables 2 and 3", "Tables 2 and 3, permutations", "Table 4"),
        *("Figure 1", "Figure 8", "Figure 9", "Figure 10", "(5), (6)"),
    }
    assert len(parts["Tables 2 and 3"]["rows"]) == 40
    assert [row["exact_permutations"] for row in parts["Table 4"]["rows"]] == [4, 8]
    assert sum(len(row.get("points", ())) for row in parts["Figure 10"]["rows"]) == 3
    assert parts["Table 1"]["verdict"] == "holds"
    assert len(parts["Figure 8"]["rows"]) == 30
    assert [row["printed_from"] for row in parts["(5), (6)"]["rows"]] == [[16], [1024], [8192], [16384]]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "](figure10.png)" in page.read_text()


def test_schedules_know_their_type() -> None:
    assert isinstance(all_to_many(dense(3), "lp"), Schedule)
