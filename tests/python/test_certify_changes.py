"""Plans of which one number is changed, or something is missing, are refused."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from steady_plans import plan_of

from rota.steady.certificate import certify
from rota.steady.claims import Refused, seal_of
from rota.steady.plan import as_text


def numbers_in(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the paths of all exact numbers in a plan."""
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in numbers_in(item, (*path, key))]
    if isinstance(value, list):
        return [found for key, item in enumerate(value) for found in numbers_in(item, (*path, key))]
    is_number = isinstance(value, str) and value.replace("/", "").isdigit()
    return [path] if is_number else []


@pytest.mark.parametrize("seed", range(6))
def test_a_plan_changed_by_one_unit_is_refused(seed: int) -> None:
    document = json.loads(as_text(plan_of(seed)))
    paths = [path for path in numbers_in(document) if path != ("seal",)]
    assert len(paths) > 20
    for path in paths:
        for change in (1, -1):
            changed = json.loads(json.dumps(document))
            holder = changed
            for key in path[:-1]:
                holder = holder[key]
            value = Fraction(holder[path[-1]])
            unit = Fraction(change, value.denominator)
            if value + unit < 0:
                continue
            holder[path[-1]] = str(value + unit)
            with pytest.raises(Refused):
                certify(json.dumps(changed))
            # Mathematics alone sees it too, but for what takes no part in the optimum, or is proved again.
            if path[0] not in ("platform", "series"):
                with pytest.raises(Refused):
                    certify(json.dumps(changed), sealed=False)


def test_a_plan_with_a_flow_less_is_refused() -> None:
    document = json.loads(as_text(plan_of(2)))
    document["flows"].pop()
    document["seal"] = seal_of(document)
    with pytest.raises(Refused, match=r"stay at|do not add up|would"):
        certify(json.dumps(document))
