"""The network is found out once for the same hosts, by all ranks alike; sums do not depend on it."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ONE_ABI, Compile
from mpi_jobs import Outcome, compiled_library, report_of, run_with_rota, succeeded

from rota.launch import native_job, with_rota
from rota.library import Abi

pytestmark = ONE_ABI

RANKS = 4
MEBIBYTE = 1 << 20
OFTEN = 260
ENOUGH_S = 1_000_000
"""Of which a 100th is more than to measure rounds takes, however many jobs are beside."""
TRIES = 5
"""Beside other jobs a machine's memory may look like links that are not fast, for once."""

GAIN = 0.9
"""No larger messages are tried where these take as long for a byte, and longer, as smaller ones."""

BOX_BYTES = 256 << 10
"""What a message through a host's memory has at the most."""
COMPETING = (
    "in turn with a schedule",
    "a schedule took twice as long",
    "to set up a schedule takes longer",
    "no gain is predicted",
)
"""Why calls are native that compete with a schedule."""

SOME_SLEEP = pytest.mark.skipif((os.cpu_count() or 1) >= RANKS, reason=f"{RANKS} ranks have processors here")

RunNetworks = Callable[..., Outcome]


@pytest.fixture(scope="module")
def run_networks(abi: Abi, compiled: Compile, tmp_path_factory: pytest.TempPathFactory) -> RunNetworks:
    """Return what runs the program in which some ranks know the network, with rests that pass at once."""
    clock = compiled_library(abi, "clock", tmp_path_factory.mktemp("clock"))

    def outcome_of(report: Path | None, rests_s: tuple[int, int] = (0, 0), **settings: str) -> Outcome:
        program = [str(compiled("networks")), *map(str, rests_s)]
        job = with_rota(native_job(program), {"LD_PRELOAD": str(clock)})
        return succeeded(report_of(job, RANKS, {"ROTA_HOSTS": str(RANKS), **settings}, report))

    return outcome_of


@pytest.fixture(scope="module")
def measuring(run_networks: RunNetworks, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Return what a job does that nobody told anything, and that finds its links fast."""
    report = tmp_path_factory.mktemp("measuring") / "report.json"
    return where_fast(lambda: run_networks(report, (ENOUGH_S, ENOUGH_S)), are_links_fast)


@pytest.fixture(scope="module")
def not_measuring(run_networks: RunNetworks, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return run_networks(tmp_path_factory.mktemp("not") / "report.json", ROTA_ADAPT="off")


def where_fast(run: Callable[[], Outcome], is_fast: Callable[[Outcome], bool]) -> Outcome:
    """Return the first run in which links were found to be as fast as they are."""
    for _ in range(TRIES):
        outcome = run()
        if is_fast(outcome):
            return outcome
    pytest.fail(f"in {TRIES} jobs links were found not to be fast")


def networks_of(outcome: Outcome) -> list[dict[str, Any]]:
    assert outcome.report is not None
    found: list[dict[str, Any]] = outcome.report["networks"]
    return found


def are_links_fast(outcome: Outcome) -> bool:
    return all(network["links"] in ("fast", "unknown") for network in networks_of(outcome))


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
    natively = sum(measuring.reasons().get(reason, 0) for reason in COMPETING)
    by_schedules = sum(line["calls"] for line in measuring.broadcasts if line["schedule"] != "native")
    assert by_schedules > 0
    assert by_schedules + natively == 5 * OFTEN


def test_on_one_host_it_is_its_memory(run_networks: RunNetworks, report: Path) -> None:
    """For each communicator by itself, in messages that fit into it; and calls compete from then on."""
    outcome = run_networks(report, (ENOUGH_S, ENOUGH_S), ROTA_HOSTS="1")
    (network,) = networks_of(outcome)
    assert network["hosts"] == 1
    sizes = [each["bytes"] for each in network["rounds"]]
    assert sizes == sorted(set(sizes))
    *slower, last = [each["seconds"] / each["bytes"] for each in network["rounds"]]
    gains = last < GAIN * min(slower)
    assert sizes[-1] == BOX_BYTES or (sizes[-1] < BOX_BYTES and not gains)
    natively = outcome.reasons()
    competing = sum(natively.get(reason, 0) for reason in COMPETING)
    by_schedules = sum(line["calls"] for line in outcome.broadcasts if line["schedule"] != "native")
    assert competing + by_schedules > 0


def test_on_one_host_without_its_memory(run_networks: RunNetworks, report: Path) -> None:
    outcome = run_networks(report, (ENOUGH_S, ENOUGH_S), ROTA_HOSTS="1", ROTA_SHARED_MEMORY="off")
    assert networks_of(outcome) == []
    assert all(line["schedule"] == "native" for line in outcome.broadcasts)


def test_sums_keep_their_order_on_fast_links(measuring: Outcome) -> None:
    """Before rounds were measured, and after it. In one machine's memory links are fast."""
    (line,) = sums_of(measuring)
    assert line == (2, "native", 0)
    reasons = {line["reason"] for line in measuring.lines if line["collective"] == "allreduce"}
    assert "fast links: sums keep their order" in reasons


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
        by_default = where_fast(
            lambda: succeeded(run_with_rota(program, RANKS, hosts, report)), are_links_fast
        )
    assert {schedule for _, schedule, _ in sums_of(by_default)} == {"circulant_chunks"}

    def bits(algorithm: str, message_bytes: int) -> str:
        asked = {"ROTA_ALGORITHM": f"allreduce={algorithm}", "ROTA_BLOCK_BYTES": str(message_bytes)}
        return succeeded(run_with_rota(program, RANKS, {**hosts, **asked})).output

    for message_bytes in (30_000, 700_000, 9_000_000):
        assert bits("circulant_chunks", message_bytes) == by_default.output
    assert bits("circulant", 30_000) != by_default.output


@SOME_SLEEP
def test_sums_are_native_where_ranks_share_processors(compiled: Compile, report: Path) -> None:
    """On links that are fast."""
    program = [compiled("competing"), "doubles", 4 * MEBIBYTE]
    hosts = {"ROTA_HOSTS": str(RANKS)}
    outcome = where_fast(lambda: succeeded(run_with_rota(program, RANKS, hosts, report)), are_links_fast)
    assert {schedule for _, schedule, _ in sums_of(outcome)} == {"native"}


def test_not_unless_wanted(run_networks: RunNetworks, not_measuring: Outcome, report: Path) -> None:
    """Sums go by how fast links are; and so do ranks that may sleep, if the job takes long enough."""
    assert networks_of(not_measuring) == []
    do_ranks_sleep = (os.cpu_count() or 1) < RANKS
    outcome = where_fast(lambda: run_networks(report, ROTA_BLOCK_BYTES="50000"), are_links_fast)
    networks = networks_of(outcome)
    known = [network["hosts"] for network in networks]
    assert known == [RANKS] or (do_ranks_sleep and known == [RANKS - 1, RANKS])
    assert {network["links"] for network in networks} == {"fast"}
    assert all(network.keys() == {"hosts", "links"} for network in networks)


@SOME_SLEEP
def test_ranks_that_may_sleep_want_it_after_a_while(run_networks: RunNetworks, report: Path) -> None:
    """On the hosts without sums, too."""
    by_schedules = {"ROTA_ALGORITHM": "bcast=circulant", "ROTA_BLOCK_BYTES": "50000"}
    networks = networks_of(run_networks(report, (ENOUGH_S, ENOUGH_S), **by_schedules))
    assert [network["hosts"] for network in networks] == [RANKS - 1, RANKS]


@SOME_SLEEP
def test_ranks_whose_calls_are_native_do_not(run_networks: RunNetworks, report: Path) -> None:
    """In messages of 64 bytes schedules take far longer than native calls."""
    outcome = run_networks(report, (ENOUGH_S, ENOUGH_S), ROTA_BLOCK_BYTES="64")
    assert [network["hosts"] for network in networks_of(outcome)] == [RANKS]
    assert {line["schedule"] for line in outcome.broadcasts} == {"native", "circulant"}
    assert sum(outcome.reasons().get(reason, 0) for reason in COMPETING) > 4 * OFTEN


def test_all_may_follow_it(run_networks: RunNetworks, report: Path) -> None:
    outcome = run_networks(report, (0, ENOUGH_S), ROTA_ADAPT="all")
    assert sum(calls for calls, _, _ in sums_of(outcome)) == 2
    assert networks_of(outcome)


def test_the_table_says_what_was_found(run_networks: RunNetworks) -> None:
    def lines_of(outcome: Outcome) -> list[str]:
        return [line for line in outcome.rota_errors() if line.startswith(f"rota: network of {RANKS} hosts")]

    outcome = where_fast(
        lambda: run_networks(None, (0, ENOUGH_S), ROTA_REPORT="1"),
        lambda outcome: lines_of(outcome)[0].endswith("its links are fast"),
    )
    _, times = lines_of(outcome)
    assert "in flight, 1 KiB " in times
    assert times.endswith(" ms")


def test_broadcasts_are_in_larger_messages_on_fast_links(compiled: Compile, report: Path) -> None:
    """In messages of 60 KiB there are 18 blocks."""
    program = [compiled("competing"), "bcast", str(MEBIBYTE)]
    alone = {"ROTA_HOSTS": str(RANKS)}
    outcome = where_fast(lambda: succeeded(run_with_rota(program, RANKS, alone, report)), are_links_fast)
    (blocks,) = {line["blocks"] for line in outcome.lines if line["schedule"] == "circulant"}
    assert blocks == 5
