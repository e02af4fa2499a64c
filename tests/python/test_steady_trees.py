"""Trees out of amounts alone, as in the paper's Figure 8."""

from __future__ import annotations

from fractions import Fraction

import pytest
from steady_plans import plan_of

from rota.errors import RotaError
from rota.steady.certificate import certify
from rota.steady.period import least_period, rates_of
from rota.steady.plan import Plan, as_text
from rota.steady.series import Transfer
from rota.steady.trees import extracted


@pytest.mark.parametrize("seed", range(24))
def test_extracted_trees_add_up(seed: int) -> None:
    """Figure 8: from the amounts alone, trees that are right, and that use them up exactly."""
    plan = plan_of(seed)
    trees = extracted(plan.series, plan.rates)
    used = rates_of(trees)
    assert all(amount <= plan.rates[activity] for activity, amount in used.items())
    circling = {
        each: plan.rates[each] - used.get(each, 0)
        for each in plan.rates
        if plan.rates[each] != used.get(each)
    }
    assert all(isinstance(each, Transfer) for each in circling)
    assert sum(tree.weight for tree in trees) == plan.throughput
    assert len(trees) <= len(plan.rates)
    if circling:
        return
    period = Fraction(least_period(plan.network, trees))
    certify(as_text(Plan(plan.platform, plan.series, plan.optimum, trees, period, is_fixed=False)))
    if len(plan.rates) == 1:
        return  # whatever its amount is
    some = next(iter(plan.rates))
    with pytest.raises(RotaError, match="not conserved"):
        extracted(plan.series, {**plan.rates, some: plan.rates[some] * 2})
