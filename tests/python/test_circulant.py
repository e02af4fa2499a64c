from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rota import _core

LARGEST = 2**31 - 1
few_ranks = st.integers(2, 300)


def ranks_of(ranks: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.just(ranks), st.integers(0, ranks - 1))


@given(st.integers(1, LARGEST))
def test_skips_halve_with_rounding_up(ranks: int) -> None:
    skips = _core.circulant_skips(ranks)
    assert skips[0] == 1
    assert skips[-1] == ranks
    assert len(skips) - 1 == (ranks - 1).bit_length()
    assert all(smaller == (larger + 1) // 2 for smaller, larger in pairwise(skips))


@given(st.integers(2, LARGEST).flatmap(ranks_of))
def test_neighbours_agree_and_what_is_sent_is_there(place: tuple[int, int]) -> None:
    ranks, rank = place
    skips = _core.circulant_skips(ranks)
    q = len(skips) - 1
    own = _core.circulant_schedule(ranks, rank)
    for k in range(q):
        sender = _core.circulant_schedule(ranks, (rank - skips[k]) % ranks)
        assert own.receive[k] == sender.send[k]
        assert rank == 0 or own.send[k] in {own.baseblock - q, *own.receive[:k]}
    below_zero = set(range(-q, 0))
    assert len(own.receive) == q
    assert set(own.receive) == (
        below_zero if rank == 0 else below_zero - {own.baseblock - q} | {own.baseblock}
    )


@given(st.integers(1, 70_000).flatmap(ranks_of))
def test_all_ranks_hold_each_rank(place: tuple[int, int]) -> None:
    ranks, rank = place
    every = _core.circulant_schedules(ranks)
    own = _core.circulant_schedule(ranks, rank)
    assert every.baseblock[rank] == own.baseblock
    assert every.receive[rank].tolist() == own.receive
    assert every.send[rank].tolist() == own.send


@given(few_ranks)
def test_all_rules_hold(ranks: int) -> None:
    report = _core.check_circulant(ranks)
    assert report.ranks == ranks
    assert report.violations == []
    assert report.largest.violations <= 4


@given(few_ranks, st.data())
def test_a_spoilt_receive_entry_is_named(ranks: int, data: st.DataObject) -> None:
    every = _core.circulant_schedules(ranks)
    rank = data.draw(st.integers(0, ranks - 1))
    k = data.draw(st.integers(0, every.receive.shape[1] - 1))
    right = int(every.receive[rank, k])
    wrong = data.draw(st.integers(-128, 127).filter(lambda block: block != right))
    every.receive[rank, k] = wrong
    violations = _core.circulant_violations(ranks, every.receive, every.send)
    mismatch = next(each for each in violations if each.rule == "received_is_sent")
    assert (mismatch.rank, mismatch.round, mismatch.found, mismatch.wanted) == (rank, k, wrong, right)
    assert {each.rule for each in violations if each.rank == rank} >= {
        "received_is_sent",
        "received_blocks_differ",
    }
    assert {each.rank for each in violations} == {rank}


@given(few_ranks, st.data())
def test_a_spoilt_send_entry_is_named(ranks: int, data: st.DataObject) -> None:
    every = _core.circulant_schedules(ranks)
    skips = _core.circulant_skips(ranks)
    rank = data.draw(st.integers(0, ranks - 1))
    k = data.draw(st.integers(0, every.send.shape[1] - 1))
    every.send[rank, k] = 99
    violations = _core.circulant_violations(ranks, every.receive, every.send)
    found = {(each.rule, each.rank, each.round) for each in violations}
    early = {("sent_is_there", rank, k)} if rank else set()
    assert found == {("received_is_sent", (rank + skips[k]) % ranks, k)} | early


def test_violations_say_what_is_wrong() -> None:
    every = _core.circulant_schedules(17)
    every.receive[5, 2] = -1
    assert [
        str(each) for each in _core.circulant_violations(17, np.ascontiguousarray(every.receive), every.send)
    ] == [
        "rank 5, round 2: receives block -1, but is sent -4 (Conditions 1, 2)",
        "rank 5, round 4: receives block -1 again or in vain (Condition 3)",
    ]


def test_one_rank_has_nothing_to_do() -> None:
    assert _core.circulant_skips(1) == [1]
    own = _core.circulant_schedule(1, 0)
    assert (own.baseblock, own.receive, own.send) == (0, [], [])
    assert _core.circulant_schedules(1).receive.shape == (1, 0)
    assert _core.check_circulant(1).violations == []


@pytest.mark.parametrize("ranks", [0, -1, -(2**31)])
def test_too_few_ranks_are_refused(ranks: int) -> None:
    for computes in (_core.circulant_skips, _core.circulant_schedules, _core.check_circulant):
        with pytest.raises(ValueError, match="give at least 1"):
            computes(ranks)


def test_ranks_and_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 4"):
        _core.circulant_schedule(5, 5)
    every = _core.circulant_schedules(17)
    with pytest.raises(ValueError, match=r"give \(17, 5\)"):
        _core.circulant_violations(17, every.receive[:5], every.send)
    with pytest.raises(ValueError, match="at least 2"):
        _core.time_circulant_schedules(1)


@pytest.mark.parametrize("ranks", [2, 17, 4097])
def test_times_are_positive(ranks: int) -> None:
    times = _core.time_circulant_schedules(ranks)
    assert times.ranks == ranks
    assert (
        min(times.straightforward_s, times.one_by_one_s, times.all_s, times.all_written_s, times.all_read_s)
        > 0
    )
