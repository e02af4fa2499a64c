"""`rota advise`: what there is to gain, by the chooser and the model, from a report."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rota._core import explain

from rota import Network, least_seconds

ROTA = str(Path(sys.executable).parent / "rota")
RATE: float = 200e6
MEBIBYTE = 2**20


def line(collective: str, size: int, calls: int, seconds: float, **more: Any) -> dict[str, Any]:
    facts = {"call": collective, "collective": collective, "ranks": 16, "bytes": size, "calls": calls}
    return {**facts, "schedule": "native", "seconds": seconds, "bound_seconds": 0.0, **more}


def report(folder: Path, *lines: dict[str, Any], hosts: int = 16, rate: float = RATE) -> Path:
    file = folder / "report.json"
    told = {"ended_by": "MPI_Finalize", "ranks": 16, "hosts": hosts, "link_bits_per_second": rate}
    file.write_text(json.dumps({**told, "calls": list(lines)}))
    return file


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROTA, "advise", *map(str, words)], capture_output=True, text=True, check=False)


def advised(*words: object) -> dict[str, Any]:
    done = run(*words, "--json", "-", "--latency", "50us")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_most_to_gain_first(tmp_path: Path) -> None:
    """Times and blocks are those of the chooser, the limit is the model's; what gains nothing stands last."""
    slow, slower = line("bcast", 16 * MEBIBYTE, 2, 2.2), line("scan", 8 * MEBIBYTE, 1, 5.2)
    small = line("allreduce", 8, 1000, 1e-4)
    told = advised(report(tmp_path, small, slow, slower))
    assert [one["call"] for one in told["calls"]] == ["scan", "bcast", "allreduce"]
    network = Network(50e-6, 8 / RATE, 5e-10)
    bcast = told["calls"][1]
    assert told["network"]["seconds_per_byte"] == 8 / RATE
    assert bcast["limit_seconds"] == least_seconds("bcast", network, 16 * MEBIBYTE, ranks=16)
    predicted = explain("bcast", 16, 16 * MEBIBYTE, hosts=16, network=Network(50e-6, 8 / RATE, 0))
    best = min(predicted.candidates, key=lambda each: each.seconds)
    assert bcast["schedule"]["algorithm"] == best.algorithm
    assert bcast["schedule"]["blocks"] == best.blocks
    assert bcast["gain_in_all_s"] == pytest.approx(2 * (2.2 - bcast["schedule"]["seconds"]))
    assert told["calls"][2]["gain_in_all_s"] == 0
    assert told["took_in_all_s"] == pytest.approx(4.4 + 5.2 + 0.1)


def test_of_what_was_only_started_nothing_is_known(tmp_path: Path) -> None:
    started = line("bcast", 16 * MEBIBYTE, 2, 1e-3, is_start_only=True) | {"call": "ibcast"}
    file = report(tmp_path, started)
    (only,) = advised(file)["calls"]
    assert (only["is_start_only"], only["limit_seconds"], only["gain_in_all_s"]) == (True, None, 0)
    assert "not known: only their start was timed" in run(file).stdout


def test_times_on_other_links_are_said_to_be(tmp_path: Path) -> None:
    file = report(tmp_path, line("bcast", 16 * MEBIBYTE, 2, 2.2))
    assert "beware" not in run(file).stdout
    assert (
        "times were taken on links of 200 Mbit/s; on links of 1 Gbit/s" in run(file, "--rate", "1gbit").stdout
    )


def test_what_rota_leaves_to_the_library_gains_nothing(tmp_path: Path) -> None:
    """Small calls that waited for each other would seem to gain all that they took."""
    (only,) = advised(report(tmp_path, line("allreduce", 4, 50, 4e-3)))["calls"]
    assert (only["gain_in_all_s"], only["left_for"], only["schedule"]) == (0, "small", None)
    assert only["beyond_limit_in_all_s"] == pytest.approx(50 * (4e-3 - only["limit_seconds"]))
    printed = run(tmp_path / "report.json").stdout
    assert "the MPI library: small" in printed
    assert "left      199 ms beyond the limit" in printed


def test_served_in_two_ways_is_one_line(tmp_path: Path) -> None:
    both = line("bcast", MEBIBYTE, 1, 0.3), line("bcast", MEBIBYTE, 3, 0.1, schedule="circulant")
    (only,) = advised(report(tmp_path, *both))["calls"]
    assert (only["calls"], only["served_by"]) == (4, "native, circulant")
    assert only["seconds"] == pytest.approx(0.15)


def test_rate(tmp_path: Path) -> None:
    """Of the job, or as it is asked about; without either nothing can be said."""
    file = report(tmp_path, line("bcast", MEBIBYTE, 1, 1.0), rate=0)
    assert advised(file, "--rate", "1gbit")["calls"][0]["limit_seconds"] == pytest.approx(MEBIBYTE * 8e-9)
    done = run(file)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--rate" in done.stderr


def test_hosts(tmp_path: Path) -> None:
    """On one host there is nothing to gain; on other numbers of hosts there may be."""
    file = report(tmp_path, line("bcast", MEBIBYTE, 1, 1.0), line("bcast", 999, 1, 1.0, ranks=1), hosts=1)
    assert advised(file)["gain_in_all_s"] == 0
    assert "all on one host" in run(file).stdout
    on_four = advised(file, "--hosts", "4")["calls"]
    assert on_four[0]["gain_in_all_s"] > 0
    assert on_four[1]["limit_seconds"] is None


def test_nothing_to_gain_is_said_with_why(tmp_path: Path) -> None:
    """Of many lines those that took longest, and what they are left for."""
    sizes = (MEBIBYTE << power for power in range(9))
    printed = run(report(tmp_path, *(line("bcast", size, 1, 1.0, ranks=2) for size in sizes))).stdout
    assert printed.count("the MPI library: two ranks") == 4
    assert "the rest  5 more lines, 5 s in all, of which there is nothing to gain" in printed
    assert "in all    9 s, of which there is nothing to gain\n" in printed


def test_an_exchange_of_two_ranks_gains_nothing(tmp_path: Path) -> None:
    file = report(tmp_path, line("alltoall", MEBIBYTE, 1, 3.0, call="alltoallv", ranks=2))
    (only,) = advised(file)["calls"]
    assert (only["left_for"], only["gain_in_all_s"]) == ("two ranks", 0)


def test_all_to_many(tmp_path: Path) -> None:
    """The report does not tell the pattern: what counts is the limit."""
    (only,) = advised(report(tmp_path, line("alltoall", 25_000_000, 1, 3.0, call="alltoallv")))["calls"]
    assert only["schedule"] is None
    assert only["limit_seconds"] == pytest.approx(1.0)
    assert only["gain_in_all_s"] == pytest.approx(2.0)


def test_a_regular_exchange_has_a_schedule(tmp_path: Path) -> None:
    """Who sends what to whom is known: on shared hosts a link carries what its ranks have for all others."""
    file = report(tmp_path, line("alltoall", 15 * MEBIBYTE, 2, 9.0), hosts=4)
    (only,) = advised(file)["calls"]
    assert only["limit_seconds"] == pytest.approx(4 * 12 * MEBIBYTE * 8 / RATE)
    assert (only["schedule"]["algorithm"], only["schedule"]["blocks"]) == ("exact", 15)
    assert only["limit_seconds"] < only["schedule"]["seconds"] < 1.01 * only["limit_seconds"]
    assert only["gain_in_all_s"] == pytest.approx(2 * (9.0 - only["schedule"]["seconds"]))
    assert "exact, 15 messages" in run(file).stdout
    assert advised(file, "--hosts", "16")["calls"][0]["limit_seconds"] == pytest.approx(
        15 * MEBIBYTE * 8 / RATE
    )


def test_small_regular_exchanges_are_left(tmp_path: Path) -> None:
    (only,) = advised(report(tmp_path, line("alltoall", 15 * 64, 2, 9.0)))["calls"]
    assert (only["left_for"], only["gain_in_all_s"]) == ("small", 0)


def test_between_two_groups_no_exchange_is_regular(tmp_path: Path) -> None:
    between = line("alltoall", 15 * MEBIBYTE, 1, 9.0, reason="inter-communicator")
    (only,) = advised(report(tmp_path, between))["calls"]
    assert only["schedule"] is None


@pytest.mark.parametrize("call", ["alltoallv", "ialltoallw", "neighbor_alltoall"])
def test_irregular_exchanges_know_shared_links(tmp_path: Path, call: str) -> None:
    """The limit is what the job's busiest link carried; on other hosts, nobody knows more than a rank's."""
    known = line("alltoall", 25_000_000, 1, 9.0, call=call, bound_bytes=75e6)
    file = report(tmp_path, known, hosts=4)
    assert advised(file)["calls"][0]["limit_seconds"] == pytest.approx(3.0)
    assert advised(file, "--hosts", "4", "--rate", "100mbit")["calls"][0]["limit_seconds"] == pytest.approx(
        6.0
    )
    assert advised(file, "--hosts", "16")["calls"][0]["limit_seconds"] == pytest.approx(1.0)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"calls": 3, "link_bits_per_second": 1}', "\xff", None])
def test_no_report(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "report.json"
    if content is not None:
        file.write_text(content, encoding="latin-1")
    done = run(file)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_table_and_picture(tmp_path: Path) -> None:
    """Many small lines are one; the picture is drawn."""
    small = [line("allreduce", 2**i, 1, 1e-5) for i in range(8)]
    picture = tmp_path / "advice.svg"
    done = run(report(tmp_path, line("bcast", 16 * MEBIBYTE, 2, 2.2), *small), "--plot", picture)
    assert done.returncode == 0, done.stderr
    assert "the rest  8 more lines" in done.stdout
    assert "in all" in done.stdout
    assert picture.stat().st_size > 1000
