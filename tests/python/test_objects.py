"""Rota's Python objects say what they are, are compared by value, are pickled where they are data."""

import pickle
from enum import Enum
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rota._core import (
    TwoTrees,
    check_circulant,
    check_two_trees,
    circulant_schedule,
    circulant_schedules,
    explain,
    inter_candidates,
    time_preparation,
    two_trees_of,
)

import rota
from documentation import ROOT
from rota import (
    Machines,
    Message,
    Network,
    OnReceive,
    Pattern,
    RandomPauses,
    Step,
    Waits,
    all_to_many,
    inter_allgather,
    schedule,
    schedule_of_steps,
    simulate,
    verify,
)
from rota.collectives import COLLECTIVES, needs_hosts
from rota.drawing.permutations import pattern_of
from rota.patterns import regular
from rota.platforms.paper import figure2
from rota.steady.certificate import certify
from rota.steady.plan import as_text, planned
from rota.steady.scatter import series_of_scatters

NETWORK: Final = Network(latency_s=1e-6, seconds_per_byte=1e-9)


def broadcast(blocks: int = 40) -> rota.Schedule:
    return schedule("bcast", "circulant", ranks=17, blocks=blocks)


def wrong_schedule() -> list[rota.Violation]:
    """Violations: a chain has no links but to neighbours."""
    return verify(schedule("bcast", "binomial", ranks=4), links=[(0, 1), (1, 2), (2, 3)])


def trees() -> TwoTrees:
    """Those of a broadcast."""
    pair = two_trees_of(broadcast().problem)
    assert pair is not None
    return pair


# Each is made anew every time.
DATA: Final = {
    "block": lambda: broadcast().step(3, 9).send.blocks[0],
    "message": lambda: broadcast().step(3, 9).send,
    "no message": lambda: broadcast().step(3, 0).send,
    "message of several": lambda: schedule("allgather", "circulant", ranks=9).step(1, 3).send,
    "step": lambda: broadcast().step(3, 9),
    "step that combines": lambda: schedule("scan", "recursive_doubling", ranks=9).step(5, 1),
    "problem": lambda: broadcast().problem,
    "problem on hosts of two links": lambda: (
        schedule("bcast", "hierarchical", ranks=4, hosts=[7, 7, 1, 1], links=2).problem
    ),
    "problem on hosts": lambda: schedule("bcast", "hierarchical", ranks=4, hosts=[7, 7, 1, 1]).problem,
    "problem between groups": lambda: inter_allgather("spread", [3, 3, 0], first_group=2).problem,
    "effort": lambda: broadcast().effort(),
    "violation": lambda: wrong_schedule()[0],
    "network": lambda: Network(1e-6, 2e-9, 3e-9),
    "simulation": lambda: simulate(broadcast(), NETWORK, 4000),
    "candidate": lambda: rota.candidates("reduce", NETWORK, 64, ranks=5)[1],
    "candidate between groups": lambda: inter_candidates([1, 1, 0], first_group=2, network=NETWORK)[0],
    "explanation": lambda: explain("bcast", 100, 1 << 20),
    "circulant schedule": lambda: circulant_schedule(9, 3),
    "counters": lambda: check_circulant(9).largest,
    "two trees": trees,
    "place in a tree": lambda: trees().places(3)[0],
    "pauses": lambda: RandomPauses(1e-3, 1e-2, seed=7),
    "machines": lambda: Machines(NETWORK, overhead_s=1e-6, pauses=RandomPauses(1e-3, 1e-2)),
    "machines that do not pause": lambda: Machines(
        NETWORK, rendezvous_from=4096, waits=Waits.for_any, nap_s=1e-3
    ),
    "pattern": lambda: regular(9, 3, seed=1),
    "pattern with local bytes": lambda: Pattern(*of_messages(3, [(0, 1, 5), (2, 2, 7), (1, 0, 2)])),
}


def of_messages(ranks: int, messages: list[tuple[int, int, int]]) -> tuple[Any, ...]:
    import numpy as np  # noqa: PLC0415 - its arrays are what a pattern is made of

    return ranks, *(np.array(column, dtype=np.int64) for column in zip(*messages, strict=True))


@pytest.mark.parametrize("name", DATA)
def test_data(name: str) -> None:
    one, same = DATA[name](), DATA[name]()
    assert one is not same
    assert one == same
    assert hash(one) == hash(same)
    assert one != "something else"
    again = pickle.loads(pickle.dumps(one))  # noqa: S301 - our own
    assert type(again) is type(one)
    assert again == one
    assert repr(again) == repr(one)


@pytest.mark.parametrize("name", DATA)
def test_they_say_what_they_are(name: str) -> None:
    value = DATA[name]()
    text = repr(value)
    assert text.startswith(f"{type(value).__name__}(")
    assert " at 0x" not in text
    assert "object" not in text


def test_different_values_are_different() -> None:
    made = {name: make() for name, make in DATA.items()}
    for name, one in made.items():
        assert [other for other, two in made.items() if one == two] == [name]


@given(st.integers(0, 2**31 - 1), st.integers(2, 50))
def test_violations_say_what_is_wrong(seed: int, ranks: int) -> None:
    wrong = schedule("bcast", "binomial", ranks=ranks)
    links = [(rank, (rank + 1) % ranks) for rank in range(ranks) if (seed >> rank % 31) & 1]
    found = verify(wrong, links=links)
    text = str(found)
    for violation in found:
        assert f"round={violation.round}, rank={violation.rank}, " in text
        assert repr(violation.fault) in text
    assert len(set(found)) == len(found)


def test_equal_by_value_only() -> None:
    assert Network(1, 2) == Network(1.0, 2.0)
    assert Network(1, 2) != Network(1, 3)
    chains = [schedule("bcast", "chain", ranks=5, blocks=blocks).step(0, 0) for blocks in (1, 3)]
    assert chains[0] == chains[1] != schedule("bcast", "chain", ranks=5, blocks=3).step(0, 1)
    one, other = (all_to_many(regular(8, 3, seed=seed), "exact").problem for seed in (1, 2))
    assert one != other


def test_what_is_nothing_is_the_same_nothing() -> None:
    assert Message(3, []) == Message(7, [])
    assert hash(Message(3, [])) == hash(Message(7, []))
    assert Step(on_receive=OnReceive.combine_left) == Step()


# Equal by value too, but no data: they are pickled by none.
OTHERS: Final = {
    "schedule": broadcast,
    "in other blocks": lambda: broadcast(41),
    "in one block": lambda: broadcast(1),
    "in one block by a tree": lambda: schedule("bcast", "binomial", ranks=17),
    "to one rank": lambda: broadcast().reversed(),
    "on hosts": lambda: schedule("bcast", "hierarchical", ranks=4, hosts=[7, 7, 1, 1]),
    "between groups": lambda: inter_allgather("spread", [3, 3, 0], first_group=2),
    "exchange": lambda: all_to_many(regular(8, 3, seed=1), "exact"),
    "exchange in pieces": lambda: all_to_many(Pattern(*of_messages(3, [(0, 1, 5), (0, 2, 7)])), "weighted"),
    "what is exchanged": lambda: all_to_many(regular(8, 3, seed=1), "exact").problem,
    "another exchange": lambda: all_to_many(regular(8, 3, seed=2), "exact"),
    "the best exchange": lambda: rota.best_all_to_many(regular(8, 3, seed=1), NETWORK),
    "schedules of the circulant graph": lambda: circulant_schedules(9),
    "of one more rank": lambda: circulant_schedules(10),
    "report of the circulant graph": lambda: check_circulant(9),
    "report of two trees": lambda: check_two_trees(9),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others_are_equal_by_value(name: str) -> None:
    one, same = OTHERS[name](), OTHERS[name]()
    assert one is not same
    assert one == same
    assert hash(one) == hash(same)
    assert [other for other, make in OTHERS.items() if one == make()] == [name]
    assert one not in [make() for make in DATA.values()]


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_schedules_are_equal_by_their_steps(collective: str) -> None:
    for algorithm in rota.algorithms(collective):
        hosts = [0, 0, 1, 1, 2] if needs_hosts(algorithm, COLLECTIVES[collective]) else []
        made = schedule(collective, algorithm, ranks=5, blocks=2, hosts=hosts)
        steps = [(rank, i, step) for rank in range(5) for i, step in enumerate(made.steps(rank))]
        told = made.problem
        again = schedule_of_steps(
            collective, steps, ranks=5, blocks=told.blocks, owners=told.owners, hosts=told.hosts
        )
        assert again == made
        assert hash(again) == hash(made)
        less = schedule_of_steps(
            collective, steps[:-1], ranks=5, blocks=told.blocks, owners=told.owners, hosts=told.hosts
        )
        assert (less == made) == (steps[-1][2] == Step() and less.rounds == made.rounds)


def test_what_is_more_than_data_is_not_pickled() -> None:
    exchange = all_to_many(regular(8, 3), "exact")
    for value in (broadcast(), exchange, exchange.problem):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(value)


def test_others_say_what_they_are_too() -> None:
    assert repr(broadcast()) == "<Schedule of broadcast: 17 ranks, 40 blocks, 44 rounds>"
    assert repr(schedule("bcast", "chain", ranks=1)) == "<Schedule of broadcast: 1 rank, 1 block, 0 rounds>"
    assert repr(check_circulant(9)) == "<CirculantReport: 9 ranks, 0 violations>"
    assert repr(circulant_schedules(9)) == "<CirculantSchedules of 9 ranks>"
    assert repr(rota.best_all_to_many(regular(8, 3), NETWORK)).startswith("<AllToManyChoice of ")
    assert repr(time_preparation(100)).startswith("PreparationTimes(ranks=100, colored_trees_s=")


def test_plans_and_what_they_claim_say_what_they_reach() -> None:
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    reached = "scatter, throughput 1/2 (the optimum), period 12"
    assert repr(plan) == f"<Plan: {reached}>"
    assert repr(certify(as_text(plan))) == f"<Claims: {reached}>"


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_notebooks_show_schedules(collective: str) -> None:
    algorithm = rota.algorithms(collective)[0]
    svg = schedule(collective, algorithm, ranks=5)._repr_svg_()
    assert svg is not None
    assert svg.rstrip().endswith("</svg>")


def test_notebooks_show_hosts_and_groups() -> None:
    placed = schedule("bcast", "hierarchical", ranks=4, hosts=[0, 0, 1, 1])._repr_svg_()
    assert placed is not None
    assert "keep hosts apart" in placed
    assert inter_allgather("spread", [1, 1, 0], first_group=2)._repr_svg_() is not None


def test_notebooks_show_text_where_there_is_no_picture() -> None:
    for one in (
        schedule("bcast", "chain", ranks=1),
        schedule("bcast", "chain", ranks=10**6),
        schedule("bcast", "circulant", ranks=17, blocks=1000),
        all_to_many(regular(129, 3), "exact"),
        all_to_many(Pattern(2, *np.zeros((3, 0), dtype=np.int64)), "exact"),
        inter_allgather("spread", [1] * 200, first_group=100),
        rota.inter_group("inter_bcast", "circulant", ranks=6, first_group=1),
    ):
        assert one._repr_svg_() is None


@pytest.mark.parametrize("algorithm", ["exact", "weighted", "ac"])
def test_notebooks_show_exchanges(algorithm: str) -> None:
    svg = all_to_many(regular(8, 3), algorithm)._repr_svg_()
    assert svg is not None
    assert "who sends to whom" in svg


def test_notebooks_show_exchanges_of_ranks_that_share_hosts() -> None:
    """Each of two hosts has four messages for the other, one of them at a time on each of its links."""
    planned = [all_to_many(regular(4, 3), "exact", hosts=[0, 0, 1, 1], links=links) for links in (1, 2)]
    of_host, of_links = (each._repr_svg_() or "" for each in planned)
    assert "host: sends, below: receives" in of_host
    assert "link, 2 of each host: sends, below: receives" in of_links


def test_notebooks_show_the_best_exchange() -> None:
    choice = rota.best_all_to_many(regular(8, 3), NETWORK)
    svg = choice._repr_svg_()
    assert svg is not None
    assert f"{choice.algorithm}: {choice.schedule.rounds} permutations (at least 3)" in svg


def test_the_pattern_of_a_schedule() -> None:
    """Whole messages, also where they are sent in pieces."""
    pattern = Pattern(3, *np.array([[0, 0, 1], [1, 2, 0], [7, 3, 5]]))
    assert pattern_of(all_to_many(pattern, "weighted")) == pattern


def test_notebooks_show_no_period_that_nobody_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = figure2()
    monkeypatch.setattr("rota.notebook._MOST_PIECES", 1)
    assert planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))._repr_svg_() is None


def test_notebooks_show_platforms_and_plans() -> None:
    platform = figure2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]))
    for shown in (platform, plan):
        svg = shown._repr_svg_()
        assert svg is not None
        assert svg.count("<svg") == 1


ENUMS: Final = [
    each for name in rota.__all__ if isinstance(each := getattr(rota, name), type) and issubclass(each, Enum)
]


def test_there_are_enums() -> None:
    assert {each.__name__ for each in ENUMS} == {"Collective", "OnReceive", "Waits"}


@pytest.mark.parametrize("enum", ENUMS)
def test_members_say_what_they_mean(enum: type[Enum], monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence of their own, which the documentation has from it."""
    meanings = [member.__doc__ or "" for member in enum]
    assert len({*meanings, enum.__doc__}) == len(enum) + 1
    assert all(meaning.endswith(".") for meaning in meanings)
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "extensions"))
    from enums import described_members  # noqa: PLC0415 - it is no module of Rota's

    shown = list(described_members(enum))
    for member in enum:
        assert f".. py:attribute:: {member.name}" in shown
        assert f"   {member.__doc__}" in shown
