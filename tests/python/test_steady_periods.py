"""Periods of plans: fixed ones, short ones, and the least; how many operations are done within a time."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, gcd

import pytest
from steady_plans import plan_of

from rota.errors import RotaError
from rota.steady.certificate import certify
from rota.steady.period import short_period
from rota.steady.plan import as_text, planned


@pytest.mark.parametrize("seed", range(12))
def test_fixed_period(seed: int) -> None:
    plan = plan_of(seed)
    for period in (plan.period * 2, plan.shortest.period):
        whole = planned(plan.platform, plan.series, period)
        assert whole.throughput == plan.throughput
        assert certify(as_text(whole)).throughput == plan.bound
    shortest = 1 / max(each.weight for each in plan.ways)
    for times in (1, 3, 10):
        fixed = planned(plan.platform, plan.series, shortest * times)
        assert 0 < fixed.throughput <= plan.throughput
        assert plan.throughput - fixed.throughput <= fixed.proved_loss
        certified = certify(as_text(fixed))
        assert (certified.throughput, certified.bound) == (fixed.throughput, plan.throughput)
    with pytest.raises(RotaError, match="too short"):
        planned(plan.platform, plan.series, shortest / 2)


@pytest.mark.parametrize("seed", range(9))
def test_short_period(seed: int) -> None:
    """No shorter one, of all in which a way has whole operations, loses as little."""
    ways = plan_of(seed).ways
    loss, best = Fraction(1, 20), sum(each.weight for each in ways)
    period = short_period(ways, loss)

    def kept(length: Fraction) -> Fraction:
        return sum((floor(each.weight * length) for each in ways), Fraction(0)) / length

    assert kept(period) >= (1 - loss) * best
    shorter = {
        Fraction(count) / each.weight for each in ways for count in range(1, ceil(each.weight * period))
    }
    assert all(kept(length) < (1 - loss) * best for length in shorter)


@pytest.mark.parametrize("seed", range(24))
def test_no_period_of_whole_operations_is_shorter(seed: int) -> None:
    plan = plan_of(seed)
    operations = [each.weight * plan.shortest.period for each in plan.ways]
    assert all(count.denominator == 1 for count in operations)
    assert gcd(*(count.numerator for count in operations)) == 1
    assert (plan.period / plan.shortest.period).denominator == 1
    assert certify(as_text(plan.shortest)).throughput == plan.throughput


@pytest.mark.parametrize("seed", range(12))
def test_operations_within(seed: int) -> None:
    """They come near TP K, and never exceed it: Lemma 1."""
    plan = plan_of(seed)
    assert plan.operations_within(plan.period * (plan.depth - 1) / 2) <= plan.operations * plan.depth
    for periods in (1, 10, 1000):
        time = periods * plan.period + plan.period / 3
        done = plan.operations_within(time)
        assert plan.throughput * (time - plan.depth * plan.period) <= done <= plan.throughput * time
