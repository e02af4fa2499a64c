"""`rota simulate hosts`: links' limits, what Rota takes there, the files, refusals; SMPI as a witness."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from rota import Network, schedule, simulate, simulate_on_hosts
from rota.bench.fabric import FABRICS
from rota.bench.names import series_of
from rota.bench.smpi import Point, measure
from rota.cli import app
from rota.errors import RotaError
from rota.many_hosts.settings import NAMES, Memory, Outcome, Setting, simulated

if TYPE_CHECKING:
    from pathlib import Path

FABRIC = FABRICS["10gbit"]
NETWORK = Network(FABRIC.latency_s, 1 / FABRIC.bytes_per_s)
MEMORY = Memory(5e-7, 1e-10)
SIZE = 960_000
"""Shares of 24 ranks are alike."""


def outcome(collective: str, hosts: int, per_host: int, size: int = SIZE, links: int = 1) -> Outcome:
    setting = Setting(hosts, per_host, size, NETWORK, MEMORY, links)
    return simulated(collective, setting, lambda _done, _of: None)


@pytest.mark.parametrize("name", NAMES)
def test_no_link_carries_less_than_the_limit_says(name: str) -> None:
    for hosts, per_host in ((2, 1), (5, 3), (6, 4)):
        one = outcome(name, hosts, per_host)
        assert one.times_limit >= 1 - 1e-9, one
        assert one.link_bytes * NETWORK.seconds_per_byte >= one.limit_s * (1 - 1e-9)
        assert one.rounds > 0


_ONE_RANK_FEEDS_ALL = ("inter-bcast", "inter-reduce")


@pytest.mark.parametrize("name", NAMES)
def test_several_links(name: str) -> None:
    """They carry no less than the limit says, which is the same over as many links as a host has ranks."""
    one, two, more = (outcome(name, 6, 2, 32_000_000, links) for links in (1, 2, 5))
    for each in (two, more):
        least_s = one.limit_s / (1 if name in _ONE_RANK_FEEDS_ALL else 2)
        if name == "alltoallv":  # one rank may have more than its host over two
            assert least_s <= each.limit_s < one.limit_s
        else:
            assert each.limit_s == pytest.approx(least_s)
        assert each.times_limit >= 1 - 1e-9
        assert each.seconds == pytest.approx(two.seconds)
    if name not in (*_ONE_RANK_FEEDS_ALL, "scan"):  # a chain takes one link
        assert two.seconds < 0.8 * one.seconds


def test_limits() -> None:
    limits = {name: outcome(name, 6, 4).limit_s / NETWORK.seconds_per_byte for name in NAMES}
    assert limits["bcast"] == limits["scan"] == limits["inter-bcast"] == pytest.approx(SIZE)
    assert limits["allgather"] == limits["reduce-scatter"] == pytest.approx(SIZE * 5 / 6)
    assert limits["allreduce"] == pytest.approx(2 * SIZE * 5 / 6)
    assert limits["alltoall"] == pytest.approx(4 * 20 * SIZE / 24)
    assert limits["inter-allgather"] == pytest.approx(SIZE)


def test_one_rank_a_host_is_as_without_hosts() -> None:
    planned = schedule("allgather", "hierarchical", ranks=7, blocks=2, hosts=range(7))
    on_hosts = simulate_on_hosts(planned, NETWORK, MEMORY.latency_s, MEMORY.seconds_per_byte, 7000)
    assert on_hosts.seconds == pytest.approx(simulate(planned, NETWORK, 7000).seconds)
    assert on_hosts.basis == "one_host_for_all"


def test_a_thousand_hosts_by_one() -> None:
    one = outcome("allgather", 1000, 16, 64_000_000)
    assert one.basis == "one_host_for_all"
    assert 1 < one.times_limit < 1.2


def test_the_command_and_its_files(tmp_path: Path) -> None:
    file, plot = tmp_path / "all.json", tmp_path / "all.png"
    words = ["simulate", "hosts", "--hosts", "4", "--per-host", "1,2", "--bytes", "64kB"]
    result = CliRunner().invoke(app, [*words, "--json", str(file), "--plot", str(plot)])
    assert result.exit_code == 0, result.output
    found = json.loads(file.read_text())
    assert [one["collective"] for one in found] == [name for name in NAMES for _ in range(2)]
    assert plot.stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["broadcasts"], "unknown collective 'broadcasts'"),
        (["bcast", "--per-host", "many"], "no list of numbers"),
        (["bcast", "--per-host", "0"], "at least 1 rank"),
        (["bcast", "--per-host", "1000"], "ranks are too many"),
    ],
)
def test_what_is_refused(words: list[str], said: str) -> None:
    fault = CliRunner().invoke(app, ["simulate", "hosts", *words]).exception
    assert isinstance(fault, RotaError)
    assert said in str(fault)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("bcast", "bcast"),
        ("reduce", "reduce"),
        ("allgather", "allgatherv"),
        ("reduce-scatter", "reduce-scatter"),
        ("allreduce", "allreduce"),
        ("scan", "scan"),
    ],
)
@pytest.mark.usefixtures("smpi")
def test_smpi_is_the_witness(ours: str, theirs: str) -> None:
    """Rota's own code in SimGrid's simulated time, by SimGrid's arithmetic, takes as long."""
    point = Point(series_of(theirs), 24, 1_966_080, FABRIC, per_host=4)
    assert measure(point, "ompi").rota_s == pytest.approx(outcome(ours, 6, 4, 1_966_080).seconds, rel=0.01)
