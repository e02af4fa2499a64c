"""Plans carried out: their schedules verified over several periods, and simulated at the nodes' own pace."""

from __future__ import annotations

import pytest
from steady_plans import plan_of

from rota.errors import RotaError
from rota.steady.plan import planned
from rota.steady.schedule import schedule_of, violations_of
from rota.steady.simulate import simulated


def test_schedules_are_verified() -> None:
    """Over several periods, from an empty platform to one; those of long periods for a fixed, short one."""
    played = unsplit = 0
    for seed in range(24):
        plan = plan_of(seed)
        if plan.unsplit_period * plan.throughput > 1000:
            plan = planned(plan.platform, plan.series, 3 / min(each.weight for each in plan.ways))
        try:
            found = schedule_of(plan, 3)
        except RotaError:
            continue
        assert found.rounds == (2 + plan.depth) * len(plan.matchings)
        assert violations_of(plan, 3) == []
        assert violations_of(plan, 1) == []
        assert (
            plan.unsplit.matchings[0].length * plan.period == plan.matchings[0].length * plan.unsplit_period
        )
        if plan.unsplit.operations < 500:
            whole = schedule_of(plan.unsplit, 2)
            assert whole.problem.blocks == 2 * plan.unsplit.operations
            assert violations_of(plan.unsplit, 2) == []
            unsplit += 1
        played += 1
    assert min(played, unsplit) > 12


@pytest.mark.parametrize("seed", range(9))
def test_simulated(seed: int) -> None:
    """Nodes at their own pace are no later than in step, and never beyond the bound."""
    plan = plan_of(seed)
    for periods in (1, 20, 200):
        found = simulated(plan, periods * plan.period)
        assert found.promised <= found.operations <= found.most
        assert found.throughput == pytest.approx(float(plan.throughput))
    assert found.operations / found.most > 0.9


@pytest.mark.parametrize("seed", range(9))
def test_a_rounded_plan_is_simulated_beyond_what_it_promises(seed: int) -> None:
    """Its ports have time left, which nodes at their own pace do not wait for."""
    plan = plan_of(seed)
    rounded = planned(plan.platform, plan.series, 3 / max(each.weight for each in plan.ways))
    found = simulated(rounded, 100 * rounded.period)
    assert found.promised <= found.operations <= found.most
    slack = 1 + 1e-9
    assert float(rounded.throughput) <= found.throughput * slack <= float(plan.throughput) * slack**2
    assert found.operations >= (100 - rounded.depth) * found.throughput * float(rounded.period) * 0.99
