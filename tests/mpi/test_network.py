"""The network is found out once for the same hosts, by all ranks alike; sums do not depend on it."""

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import Outcome, run_with_rota, succeeded

from rota.library import Abi

pytestmark = ONE_ABI

RANKS = 4
MEBIBYTE = 1 << 20
OFTEN = 260
ENOUGH_S = 12
"""Of which a 32nd is more than to measure rounds takes, beside other jobs too."""


def outcome_of(
    compiled: Compile, report: Path | None, rests_s: tuple[int, int] = (0, 0), **settings: str
) -> Outcome:
    alone = {"ROTA_HOSTS": str(RANKS)}
    program = [compiled("networks"), *map(str, rests_s)]
    return succeeded(run_with_rota(program, RANKS, {**alone, **settings}, report))


@pytest.fixture(scope="module")
def measuring(compiled: Compile, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Return what a job does that nobody told anything."""
    return outcome_of(compiled, tmp_path_factory.mktemp("measuring") / "report.json", (ENOUGH_S, ENOUGH_S))


@pytest.fixture(scope="module")
def not_measuring(compiled: Compile, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return outcome_of(compiled, tmp_path_factory.mktemp("not") / "report.json", ROTA_ADAPT="off")


def networks_of(outcome: Outcome) -> list[dict[str, Any]]:
    assert outcome.report is not None
    found: list[dict[str, Any]] = outcome.report["networks"]
    return found


def sums_of(outcome: Outcome) -> list[tuple[int, str, int]]:
    large = [line for line in outcome.lines if line["collective"] == "allreduce" and line["bytes"] > MEBIBYTE]
    return [(line["calls"], line["schedule"], line["blocks"]) for line in large]


def times_of(network: dict[str, Any]) -> list[float]:
    return [each["seconds"] for each in network["rounds"]]


def test_found_once_for_the_same_hosts(measuring: Outcome) -> None:
    """Or for more of them: then the first of the ranks tells the others."""
    networks = networks_of(measuring)
    # Rank 0's, in the order of hosts: without the last; all; its own with the other half's, which it knew.
    assert [network["hosts"] for network in networks] == [RANKS - 1, RANKS, RANKS - 1]
    assert times_of(networks[2]) == pytest.approx(times_of(networks[1]), abs=1e-9)
    assert times_of(networks[0]) != pytest.approx(times_of(networks[1]), abs=1e-9)
    for network in networks:
        assert network["rounds_in_flight"] in (1, 2, 4)
        sizes = [each["bytes"] for each in network["rounds"]]
        assert len(sizes) > 1
        assert sizes == sorted(set(sizes))
        assert all(seconds > 0 for seconds in times_of(network))
    competing = (
        "in turn with a schedule",
        "a schedule took twice as long",
        "to set up a schedule takes longer",
        "no gain is predicted",
    )
    natively = sum(measuring.reasons().get(reason, 0) for reason in competing)
    by_schedules = sum(line["calls"] for line in measuring.broadcasts if line["schedule"] != "native")
    assert by_schedules > 0
    assert by_schedules + natively == 5 * OFTEN


def test_sums_keep_their_order_on_fast_links(measuring: Outcome) -> None:
    """Before rounds were measured, and after it. In one machine's memory links are fast."""
    (line,) = sums_of(measuring)
    assert line == (2, "native", 0)
    reasons = {line["reason"] for line in measuring.lines if line["collective"] == "allreduce"}
    assert "fast links: sums keep their order" in reasons
    assert all(network["links"] in ("fast", "unknown") for network in networks_of(measuring))


def test_sums_where_nothing_is_measured(not_measuring: Outcome) -> None:
    (line,) = sums_of(not_measuring)
    assert line == (2, "circulant", 25)  # messages of 60 KiB at most


def test_sums_have_one_order_in_any_messages(
    compiled: Compile, many_processors: str, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where ranks need not share processors: in how many messages it may be, the same bits."""
    hosts = {"ROTA_HOSTS": str(RANKS)}
    program = [compiled("one_order"), 8]
    with monkeypatch.context() as patch:
        patch.setenv("LD_PRELOAD", many_processors)
        by_default = succeeded(run_with_rota(program, RANKS, hosts, report))
    assert {schedule for _, schedule, _ in sums_of(by_default)} == {"circulant_chunks"}

    def bits(algorithm: str, message_bytes: int) -> str:
        asked = {"ROTA_ALGORITHM": f"allreduce={algorithm}", "ROTA_BLOCK_BYTES": str(message_bytes)}
        return succeeded(run_with_rota(program, RANKS, {**hosts, **asked})).output

    for message_bytes in (30_000, 700_000, 9_000_000):
        assert bits("circulant_chunks", message_bytes) == by_default.output
    assert bits("circulant", 30_000) != by_default.output


@pytest.mark.skipif((os.cpu_count() or 1) >= RANKS, reason=f"{RANKS} ranks have processors here")
def test_sums_are_native_where_ranks_share_processors(compiled: Compile, report: Path) -> None:
    """On links that are fast."""
    program = [compiled("competing"), "doubles", 4 * MEBIBYTE]
    outcome = succeeded(run_with_rota(program, RANKS, {"ROTA_HOSTS": str(RANKS)}, report))
    assert {schedule for _, schedule, _ in sums_of(outcome)} == {"native"}


def test_not_unless_wanted(abi: Abi, compiled: Compile, not_measuring: Outcome, report: Path) -> None:
    """Sums go by how fast links are; and so do ranks that sleep, MPICH's where they are crowded."""
    assert networks_of(not_measuring) == []
    do_ranks_sleep = abi != "openmpi" and (os.cpu_count() or 1) < RANKS
    known = [RANKS - 1, RANKS] if do_ranks_sleep else [RANKS]
    networks = networks_of(outcome_of(compiled, report, ROTA_BLOCK_BYTES="50000"))
    assert [network["hosts"] for network in networks] == known
    # Medium where other jobs take the processors.
    assert {network["links"] for network in networks} <= {"fast", "medium"}
    assert all(network.keys() == {"hosts", "links"} for network in networks)


def test_all_may_follow_it(compiled: Compile, report: Path) -> None:
    outcome = outcome_of(compiled, report, (0, ENOUGH_S), ROTA_ADAPT="all")
    assert sum(calls for calls, _, _ in sums_of(outcome)) == 2
    assert networks_of(outcome)


def test_the_table_says_what_was_found(compiled: Compile) -> None:
    lines = outcome_of(compiled, None, (0, ENOUGH_S), ROTA_REPORT="1").rota_errors()
    links, times = (line for line in lines if line.startswith(f"rota: network of {RANKS} hosts"))
    assert links.endswith("its links are fast")
    assert "in flight, 1 KiB " in times
    assert times.endswith(" ms")


def test_broadcasts_are_in_larger_messages_on_fast_links(compiled: Compile, report: Path) -> None:
    """In messages of 60 KiB there are 18 blocks."""
    program = [compiled("competing"), "bcast", str(MEBIBYTE)]
    outcome = succeeded(run_with_rota(program, RANKS, {"ROTA_HOSTS": str(RANKS)}, report))
    (blocks,) = {line["blocks"] for line in outcome.lines if line["schedule"] == "circulant"}
    assert blocks == 5
