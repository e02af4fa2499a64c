"""``rota simulate --in-flight`` and ``rota.simulate_in_flight``: the bound on drift, the model, the words."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from rota import (
    Machines,
    Network,
    RandomPauses,
    Waits,
    all_to_many,
    candidates,
    schedule,
    simulate,
    simulate_in_flight,
)
from rota.collectives import COLLECTIVES
from rota.commands import simulate as command
from rota.errors import RotaError
from rota.patterns import regular

NETWORK = Network(latency_s=2.0**-10, seconds_per_byte=2.0**-20)

app = typer.Typer()
app.command()(command.simulate)


def invoked(*arguments: object) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


def outcome(tmp_path: Path, *arguments: object) -> Any:
    path = tmp_path / "outcome.json"
    result = invoked(*arguments, "--json", path)
    assert result.exit_code == 0, result.output
    return json.loads(path.read_text())


times = st.sampled_from([0.0, 1e-6, 1e-4, 1e-3])
pauses = st.one_of(
    st.none(),
    st.builds(
        RandomPauses, st.sampled_from([1e-4, 4e-3, 0.1]), st.sampled_from([0.2, 1.0]), st.integers(0, 99)
    ),
)


@st.composite
def machines(draw: st.DrawFn) -> Machines:
    return Machines(
        Network(draw(times), draw(times) / 1000, draw(times) / 1000),
        overhead_s=draw(times),
        rendezvous_from=draw(st.sampled_from([None, 0, 300])),
        handshake_s=draw(times),
        pauses=draw(pauses),
        waits=draw(st.sampled_from([Waits.for_oldest, Waits.for_any])),
        nap_s=draw(times),
    )


@settings(deadline=None)
@given(
    st.sampled_from(list(COLLECTIVES.values())),
    st.integers(1, 24),
    st.integers(1, 9),
    st.integers(1, 40),
    machines(),
)
def test_nobody_drifts_farther_than_the_rounds_in_flight(
    collective: Any, ranks: int, in_flight: int, blocks: int, on: Machines
) -> None:
    for found in candidates(collective, NETWORK, 10_000, ranks=ranks):
        planned = schedule(collective, found.algorithm, ranks=ranks, blocks=blocks)
        played = simulate_in_flight(planned, on, 10_000, in_flight=in_flight)
        assert 0 <= played.drift <= in_flight
        assert 0 <= played.unasked <= in_flight
        assert played.finish_s.max() == played.seconds
        assert played.port_bytes == simulate(planned, NETWORK, 10_000).port_bytes


def test_one_round_in_flight_is_what_simulate_says() -> None:
    planned = all_to_many(regular(30, degree=6, seed=1), "exact")
    one_by_one = simulate_in_flight(planned, Machines(NETWORK, rendezvous_from=0), in_flight=1)
    assert (one_by_one.finish_s == simulate(planned, NETWORK).finish_s).all()


def test_slack_costs_nothing_to_ranks_that_wait_for_any_message(tmp_path: Path) -> None:
    arguments = ("bcast", "--ranks", 100, "--bytes", "1MiB", "--algorithm", "circulant", "--wait", "any")
    one, two, eight = (
        outcome(tmp_path, *arguments, "--in-flight", in_flight)["results"][0] for in_flight in (1, 2, 8)
    )
    model = outcome(tmp_path, *arguments[:-2])["results"][0]
    assert one["seconds"] == pytest.approx(model["seconds"])
    assert eight["seconds"] <= two["seconds"] < one["seconds"]
    assert (one["drift"], two["drift"]) == (1, 2)


def test_late_ranks_cost_time_and_others_another(tmp_path: Path) -> None:
    arguments = ("bcast", "--ranks", 16, "--bytes", "16MiB", "--algorithm", "circulant", "--in-flight", 4)
    late = (*arguments, "--pause", "4ms", "--pause-every", "20ms")
    nobody = outcome(tmp_path, *arguments)["results"][0]["seconds"]
    some = outcome(tmp_path, *late)["results"][0]["seconds"]
    assert nobody + 4e-3 < some
    assert some == outcome(tmp_path, *late, "--seed", 0)["results"][0]["seconds"]
    assert some != outcome(tmp_path, *late, "--seed", 1)["results"][0]["seconds"]


def test_a_processor_and_a_handshake_take_their_time(tmp_path: Path) -> None:
    arguments = ("bcast", "--ranks", 2, "--bytes", "1000", "--algorithm", "circulant", "--blocks", 1,
                 "--latency", "1e-5", "--rate", "8gbit", "--in-flight", 1)  # fmt: skip

    def seconds(*more: object) -> float:
        return float(outcome(tmp_path, *arguments, *more)["results"][0]["seconds"])

    assert seconds() == pytest.approx(11e-6)
    assert seconds("--overhead", "2us") == pytest.approx(15e-6)
    assert seconds("--rendezvous-from", "1000", "--handshake", "7us") == pytest.approx(18e-6)
    assert seconds("--rendezvous-from", "1001", "--handshake", "7us") == pytest.approx(11e-6)


def test_the_json_says_what_was_asked(tmp_path: Path) -> None:
    whole = outcome(
        tmp_path, "reduce", "--ranks", 9, "--bytes", "4KiB", "--in-flight", 3, "--overhead", "1us",
        "--rendezvous-from", "64KiB", "--handshake", "2us", "--pause", "1ms", "--pause-every", "0.5s",
        "--seed", 7, "--wait", "any",
    )  # fmt: skip
    assert whole["in_flight"] == {
        "rounds": 3,
        "overhead_s": 1e-6,
        "rendezvous_from": 65536,
        "handshake_s": 2e-6,
        "pause_s": 1e-3,
        "pause_every_s": 0.5,
        "seed": 7,
        "wait": "any",
    }
    assert all(0 < one["drift"] <= 3 and 0 <= one["unasked"] <= 3 for one in whole["results"])


def test_the_table_has_the_drift() -> None:
    text = invoked(
        "bcast", "--ranks", 16, "--bytes", "1MiB", "--algorithm", "circulant", "--in-flight", 2
    ).stdout
    assert "8 Gbit/s, 2 in flight" in text
    heading = next(line for line in text.splitlines() if "algorithm" in line)
    assert heading.split()[-2:] == ["drift", "unasked"]
    row = next(line for line in text.splitlines() if "circulant" in line)
    assert row.split()[-2:] == ["2", "1"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--overhead", "1e-6"), "for rounds in flight: give --in-flight"),
        (("--wait", "any"), "for rounds in flight: give --in-flight"),
        (("--in-flight", 2, "--handshake", "1e-6"), "give --rendezvous-from"),
        (("--in-flight", 2, "--rendezvous-from", "much"), "'much' is no size"),
        (("--in-flight", 2, "--pause", "1e-3"), "--pause and --pause-every go together"),
        (("--in-flight", 2, "--pause-every", "1e-3"), "--pause and --pause-every go together"),
        (("--in-flight", 2, "--seed", 1), "give --pause and --pause-every too"),
        (
            ("--in-flight", 2, "--pause", "1", "--pause-every", "1"),
            "give one of 0 s or more, shorter than that",
        ),
        (("--in-flight", 2, "--pause", "1", "--pause-every", "inf"), "'inf' is no time"),
        (("--in-flight", 2, "--overhead", "inf"), "'inf' is no time"),
    ],
)
def test_refusals_are_one_line_with_the_remedy(arguments: tuple[object, ...], says: str) -> None:
    fault = invoked("bcast", "--ranks", 4, "--bytes", "1KiB", *arguments).exception
    assert isinstance(fault, RotaError)
    assert says in str(fault)
    assert "\n" not in str(fault)


@pytest.mark.parametrize("rounds", [0, -3])
def test_at_least_one_round_is_in_flight(rounds: int) -> None:
    assert invoked("bcast", "--ranks", 4, "--bytes", "1KiB", "--in-flight", rounds).exit_code == 2
    planned = schedule(COLLECTIVES["bcast"], "circulant", ranks=4)
    with pytest.raises(ValueError, match=f"{rounds} rounds in flight; give 1 or more"):
        simulate_in_flight(planned, Machines(NETWORK), 100, in_flight=rounds)
