"""``rota simulate`` and ``rota.simulate``: closed forms, the bound, the files, and what is refused."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from rota import Collective, Network, algorithms, candidates, least_seconds, schedule, simulate
from rota.collectives import COLLECTIVES, needs_hosts
from rota.commands import simulate as command
from rota.commands import simulated
from rota.errors import RotaError

NETWORK = Network(latency_s=2.0**-10, seconds_per_byte=2.0**-20, seconds_per_combined_byte=2.0**-22)

app = typer.Typer()
app.command()(command.simulate)


def printed(*arguments: object) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*arguments: object) -> str:
    fault = CliRunner().invoke(app, [*map(str, arguments)]).exception
    assert isinstance(fault, RotaError)
    return str(fault)


def outcomes(tmp_path: Path, *arguments: object) -> Any:
    path = tmp_path / "outcome.json"
    printed(*arguments, "--json", path)
    return json.loads(path.read_text())


def test_the_circulant_broadcast_takes_the_least_rounds() -> None:
    broadcast = schedule(Collective.broadcast, "circulant", ranks=1000, blocks=20)
    simulation = simulate(broadcast, NETWORK, 20 * 512)
    assert simulation.seconds == (20 - 1 + 10) * (2.0**-10 + 512 * 2.0**-20)
    assert simulation.port_bytes == 29 * 512


def test_the_least_rounds_say_what_a_message_may_carry() -> None:
    told = " ".join(printed("allgather", "--ranks", 2, "--bytes", "1KiB", "--blocks", 5).split())
    assert "The least rounds: in so many blocks, with one block of each owner a message." in told


def test_blocks_are_not_ignored() -> None:
    words = ("allreduce", "--ranks", 6, "--bytes", "1KiB", "--algorithm", "recursive_doubling")
    assert refusal(*words, "--blocks", 5).endswith("leave out --blocks")
    assert printed(*words, "--blocks", 1) == printed(*words)


def test_every_rank_has_a_time_and_the_last_one_is_the_whole() -> None:
    simulation = simulate(schedule(Collective.reduce, "circulant", ranks=100, blocks=3), NETWORK, 1000)
    finish_s = simulation.finish_s
    del simulation
    assert isinstance(finish_s, np.ndarray)
    assert finish_s.shape == (100,)
    assert (finish_s > 0).all()
    assert finish_s.max() == finish_s[0]


@settings(deadline=None)
@given(
    st.sampled_from(list(COLLECTIVES.values())),
    st.integers(1, 40),
    st.integers(0, 10**6),
    st.data(),
)
def test_no_algorithm_is_below_the_bound(
    collective: Collective, ranks: int, size_bytes: int, data: st.DataObject
) -> None:
    in_order = data.draw(st.booleans())
    for found in candidates(collective, NETWORK, size_bytes, ranks=ranks, in_order=in_order):
        assert found.algorithm in algorithms(collective)
        assert 1 <= found.blocks <= max(1, size_bytes)
        planned = schedule(collective, found.algorithm, ranks=ranks, blocks=found.blocks, in_order=in_order)
        simulation = simulate(planned, NETWORK, size_bytes)
        bound = least_seconds(collective, NETWORK, size_bytes, ranks=ranks)
        assert simulation.seconds >= bound * (1 - 1e-12)


def test_shares_of_each_owner() -> None:
    gather = schedule(Collective.allgather, "circulant", ranks=4, blocks=1)
    one_has_all = simulate(gather, NETWORK, [0, 0, 4096, 0])
    assert (
        one_has_all.seconds
        == simulate(gather, NETWORK, 4096).seconds + 0.25 * 4096 * 2.0**-20 + 4096 * 2.0**-20
    )
    with pytest.raises(ValueError, match="3 shares; give one for each of the 4 owners"):
        simulate(gather, NETWORK, [1, 2, 3])


def test_progress_is_told_and_may_end_it() -> None:
    broadcast = schedule(Collective.broadcast, "circulant", ranks=10_000, blocks=30)
    told: list[int] = []
    simulate(broadcast, NETWORK, 3000, on_round=told.append)
    assert told == sorted(told)
    assert len(told) > 5
    assert told[-1] == broadcast.rounds

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(broadcast, NETWORK, 3000, on_round=interrupt)


@pytest.mark.parametrize("costs", [(-1.0, 0.0), (0.0, float("nan")), (float("inf"), 0.0)])
def test_a_network_has_costs(costs: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="give 0 or more"):
        Network(*costs)


def test_sizes_below_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="-1 bytes"):
        simulate(schedule(Collective.broadcast, "circulant", ranks=4), NETWORK, -1)


def test_a_table_with_the_rounds_the_time_and_the_bound() -> None:
    text = printed(
        "bcast", "--ranks", 1000, "--bytes", "1000000", "--blocks", 50, "--algorithm", "circulant",
        "--latency", "1e-5", "--rate", "8gbit",
    )  # fmt: skip
    assert "bcast over 1000 ranks, latency 10 µs, 8 Gbit/s" in text
    row = next(line for line in text.splitlines() if "circulant" in line)
    # 59 rounds of 10 µs and 20 kB at 1 ns each; the bound is 1 MB at 1 ns each
    assert " ".join(row.split()) == "977 KiB circulant 50 59 59 1.13 MiB 1.77 ms 1 ms 1.770"


def test_the_json_has_exactly_the_keys_that_are_promised(tmp_path: Path) -> None:
    whole = outcomes(
        tmp_path, "reduce", "--ranks", 17, "--bytes", "4KiB,64KiB", "--algorithm", "circulant",
        "--seconds-per-byte", "1e-9", "--combine", "1GB/s",
    )  # fmt: skip
    results = whole.pop("results")
    assert whole == {
        "collective": "reduce",
        "ranks": 17,
        "in_order": False,
        "latency_s": 3e-6,
        "seconds_per_byte": 1e-9,
        "seconds_per_combined_byte": 1e-9,
        "in_flight": None,
    }
    assert [one["size_bytes"] for one in results] == [4096, 65536]
    for one in results:
        assert list(one) == [
            "size_bytes", "algorithm", "blocks", "rounds", "least_rounds", "least_seconds", "seconds",
            "port_bytes", "drift", "unasked", "basis", "times_bound",
        ]  # fmt: skip
        assert one["drift"] is one["unasked"] is None
        block_bytes = -(-one["size_bytes"] // one["blocks"])
        rounds = one["blocks"] - 1 + 5
        assert one["rounds"] == one["least_rounds"] == rounds
        assert one["seconds"] == pytest.approx(rounds * (3e-6 + 2e-9 * block_bytes), rel=0.01)
        assert one["least_seconds"] == pytest.approx(max(5 * 3e-6, one["size_bytes"] * 1e-9))
        assert one["times_bound"] == pytest.approx(one["seconds"] / one["least_seconds"])


def test_the_blocks_chosen_are_the_best(tmp_path: Path) -> None:
    arguments = ("bcast", "--ranks", 100, "--bytes", "1MiB", "--algorithm", "circulant")
    (chosen,) = outcomes(tmp_path, *arguments)["results"]
    for blocks in (1, chosen["blocks"] // 2, chosen["blocks"] * 2, 1000):
        (other,) = outcomes(tmp_path, *arguments, "--blocks", blocks)["results"]
        assert other["blocks"] == blocks
        assert other["seconds"] > chosen["seconds"]


@pytest.mark.parametrize("collective", list(COLLECTIVES))
def test_every_algorithm_of_every_collective(collective: str, tmp_path: Path) -> None:
    results = outcomes(tmp_path, collective, "--ranks", 12, "--bytes", "1KiB,100KiB")["results"]
    asked = COLLECTIVES[collective]
    known = [name for name in algorithms(asked) if not needs_hosts(name, asked)]
    assert sorted(one["algorithm"] for one in results) == sorted(known * 2)
    assert all(one["times_bound"] >= 1 for one in results)
    times = [one["seconds"] for one in results if one["size_bytes"] == 1024]
    assert times == sorted(times)


def test_what_takes_too_long_is_left_out_of_all_but_not_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "MAX_STEPS", 100)
    arguments = ("allgather", "--ranks", 50, "--bytes", "1KiB")
    assert all(one["seconds"] is None for one in outcomes(tmp_path, *arguments)["results"])
    assert "too many steps" in printed(*arguments)
    (asked_for,) = outcomes(tmp_path, *arguments, "--algorithm", "circulant")["results"]
    assert asked_for["seconds"] > 0


def test_one_rank_takes_no_time(tmp_path: Path) -> None:
    results = outcomes(tmp_path, "allreduce", "--ranks", 1, "--bytes", "1KiB")["results"]
    assert results
    assert all((one["seconds"], one["least_seconds"]) == (0, 0) for one in results)
    assert all(one["times_bound"] is None for one in results)


def test_one_size_is_drawn_from_the_smallest_up_to_it(tmp_path: Path) -> None:
    svg = tmp_path / "times.svg"
    results = outcomes(tmp_path, "reduce", "--ranks", 64, "--bytes", "5000", "--plot", svg)["results"]
    assert sorted({one["size_bytes"] for one in results}) == [64, 256, 1024, 4096, 5000]
    assert ET.parse(svg).getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert "<!-- Simulated: reduce over 64 ranks, " in svg.read_text()


def test_several_sizes_are_drawn_as_they_are(tmp_path: Path) -> None:
    png = tmp_path / "times.png"
    results = outcomes(tmp_path, "bcast", "--ranks", 64, "--bytes", "0,1KiB,1MiB", "--plot", png)["results"]
    assert {one["size_bytes"] for one in results} == {0, 1024, 2**20}
    assert png.read_bytes().startswith(b"\x89PNG\r\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("gather", "--ranks", 4, "--bytes", "1KiB"),
            "unknown collective 'gather': choose bcast, reduce",
        ),
        (("bcast", "--ranks", 4, "--bytes", "1KiB", "--algorithm", "star"), "choose all, circulant"),
        (
            ("allgather", "--ranks", 4, "--bytes", "1KiB", "--algorithm", "hierarchical"),
            "is for ranks that share hosts, and the simulator has no hosts: choose all, circulant, ring",
        ),
        (
            ("scan", "--ranks", 4, "--bytes", "1KiB", "--algorithm", "hierarchical"),
            "the simulator has no hosts: choose all, chain",
        ),
        (("bcast", "--ranks", 4, "--bytes", "much"), "'much' is no size"),
        (("bcast", "--ranks", 4, "--bytes", "1KiB,1024"), "names 1 KiB twice"),
        (("bcast", "--ranks", 4, "--bytes", "9000TiB"), "is too large"),
        (("bcast", "--ranks", 4, "--bytes", "1KiB", "--rate", "fast"), "'fast' is no rate"),
        (("bcast", "--ranks", 4, "--bytes", "1KiB", "--latency", "inf"), "'inf' is no time"),
        (
            ("bcast", "--ranks", 4, "--bytes", "1", "--rate", "1gbit", "--seconds-per-byte", "1"),
            "give one of them",
        ),
        (
            ("reduce", "--ranks", 4, "--bytes", "1", "--in-order", "--algorithm", "circulant"),
            "'circulant' is none that solves reduce in the order of ranks",
        ),
        (("bcast", "--ranks", 4, "--bytes", "1KiB", "--plot", "/nowhere/at/all.png"), "there is no folder"),
        (("bcast", "--ranks", 4, "--bytes", "1KiB", "--plot", "out.txt"), "unknown picture format 'out.txt'"),
    ],
)
def test_refusals_are_one_line_with_the_remedy(arguments: tuple[object, ...], says: str) -> None:
    message = refusal(*arguments)
    assert says in message
    assert "\n" not in message
