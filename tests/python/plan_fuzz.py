"""Plans of all four kinds, changed and sealed again by the thousand: each is refused, or right all the same.

What is accepted is worked out once more by what the certificate does not use: the planner's optimum, its
cheapest way at the plan's prices, the verifier, which plays the schedule, and matchings played one after the
other. So a change is accepted only where it leaves what is claimed as it was, or makes another right plan.

In the suite as test_certify.py calls it; by hand, for as many as there is time for:

    python tests/python/plan_fuzz.py 1000000 [seed] [processes]
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache, lru_cache, partial
from multiprocessing import Pool
from random import Random
from typing import TYPE_CHECKING

from plan_changes import Document, changed

from rota.errors import RotaError
from rota.steady.certificate import certify
from rota.steady.claims import seal_of
from rota.steady.optimum import optimum
from rota.steady.period import least_period
from rota.steady.plan import Plan, plan_in
from rota.steady.pricing import pricing_of
from rota.steady.schedule import violations_of
from rota.steady.series import Computation, Kind, Task, Transfer
from rota.steady.simulate import simulated
from rota.steady.timetable import timetable_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rota.steady.claims import Claims

CPU_S = 20.0
"""More processor time for one small plan counts as a hang."""

MOST_LETTERS = 700
"""Of a line that says why a plan is refused: it may name two nodes."""

SHARE = 10_000
"""Of the changes that are asked for by hand: a line is printed after each."""


def meaning(document: Document) -> str:
    """Return what a plan says, in whatever order it says it, and whatever its platform is called."""

    def in_order(holder: Document, *keys: str) -> None:
        for key in keys:
            if holder.get(key):
                holder[key] = sorted(holder[key], key=lambda item: json.dumps(item, sort_keys=True))

    said = json.loads(json.dumps({key: value for key, value in document.items() if key != "seal"}))
    said["platform"]["name"] = ""
    in_order(said["platform"], "nodes", "links")
    for way in (*said["trees"], *(said["matchings"] or ())):
        in_order(way, "transfers", "tasks")
    for cut in said["dual"].get("cuts", ()):
        in_order(cut, "nodes")
    if said["series"]["kind"] in ("all-to-all", "reduce"):
        in_order(said["series"], "sizes", "works", "times")
    in_order(said["dual"], "potentials", "cuts")
    in_order(said, "flows", "tasks", "trees", "matchings")
    return json.dumps(said, sort_keys=True)


@lru_cache(20_000)
def require_right(said: str) -> None:
    """Raise AssertionError unless all that a plan says is found by other means too."""
    document = json.loads(said)
    text = json.dumps(document | {"seal": seal_of(document)})
    plan, claims = plan_in(text), certify(text)
    best = optimum(plan.platform, plan.series).throughput
    bound, throughput, period = (Fraction(document[key]) for key in ("bound", "throughput", "period"))
    assert throughput <= best <= bound
    assert document["fixed"] is True or throughput == best == bound
    assert (plan.throughput, plan.period) == (throughput, period)
    assert str(plan.operations) == document["operations_per_period"]
    assert sorted(_said_amounts(document), key=repr) == sorted(plan.rates.items(), key=repr)
    assert document["fixed"] is True or period == least_period(plan.network, plan.ways)
    _require_a_proof(plan, claims)
    _require_carried_out(plan)
    if document["matchings"] is not None:
        _require_played(plan, document["matchings"])


def _said_amounts(document: Document) -> Iterator[tuple[Transfer | Computation, Fraction]]:
    for flow in document["flows"]:
        message = tuple(flow["message"])
        yield Transfer(flow["source"], flow["target"], message), Fraction(flow["rate"])
    for task in document["tasks"]:
        yield Computation(task["node"], Task(*task["task"])), Fraction(task["rate"])


def _require_a_proof(plan: Plan, claims: Claims) -> None:
    """No way costs less than 1 at the plan's prices; potentials are what messages cost."""
    assert sum(plan.optimum.prices.values()) == plan.bound
    found = pricing_of(plan.network).exactly(plan.optimum.prices)
    assert found.cost >= 1
    if plan.series.kind is not Kind.BROADCAST:
        assert found.potentials == claims.potentials
        return
    links = {(link.source, link.target): Fraction(0) for link in plan.platform.links}
    for nodes, weight in claims.paid_sets:
        assert nodes
        assert plan.series.root not in nodes
        for source, target in links:
            links[source, target] += weight * (source not in nodes and target in nodes)
    assert sum(each.weight for each in claims.paid_sets) == 1
    for (source, target), paid in links.items():
        price = sum(
            plan.optimum.prices.get(port, Fraction(0))
            for port, _ in plan.network.busy(Transfer(source, target, ()))
        )
        assert paid <= price * plan.platform.link(source, target).cost


def _require_carried_out(plan: Plan) -> None:
    """By ranks, by the verifier, and at the nodes' own pace; only what is too long may be refused."""
    assert all(time <= 1 for time in plan.network.load(plan.rates).values())
    for fault in _faults(plan):
        assert any(word in fault for word in ("too many", "than can be simulated")), fault


def _faults(plan: Plan) -> Iterator[str]:
    for play in (timetable_of, partial(violations_of, periods=2), partial(simulated, time=plan.period * 2)):
        try:
            found = play(plan)
        except RotaError as fault:
            yield str(fault)
        else:
            yield from map(str, found if isinstance(found, list) else ())


def _require_played(plan: Plan, matchings: list[Document]) -> None:
    """One after the other, they bring over each link what a period brings, within the period."""
    carried: dict[Transfer, Fraction] = defaultdict(Fraction)
    now = Fraction(0)
    for matching in matchings:
        busy: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        peers: dict[tuple[str, str], set[str]] = defaultdict(set)
        for source, target, message, amount in matching["transfers"]:
            transfer = Transfer(source, target, tuple(message))
            carried[transfer] += Fraction(amount)
            time = (
                Fraction(amount)
                * plan.series.sizes[transfer.message]
                * plan.platform.link(source, target).cost
            )
            for port, peer in ((("out", source), target), (("in", target), source)):
                busy[port] += time
                peers[port].add(peer)
        assert all(len(others) == 1 for others in peers.values())
        assert max(busy.values()) == Fraction(matching["length"])
        now += Fraction(matching["length"])
    assert now <= plan.period
    assert carried == {each: n for each, n in plan.in_period.items() if isinstance(each, Transfer)}


def run(count: int, seed: int) -> Counter[str]:
    """Certify so many changed plans; return how many were refused, and why others were right."""
    random = Random(seed)  # noqa: S311 - no secrets here
    found: Counter[str] = Counter()
    known = require_right.cache_info().misses
    for number in range(count):
        before, text = changed(random)
        which = f"change {number} of seed {seed}"
        if not _is_accepted(text, which):
            found["refused"] += 1
            continue
        said = meaning(json.loads(text))
        found["said otherwise" if said == _meaning_of(before) else "right by recomputation"] += 1
        try:
            require_right(said)
        except Exception as fault:
            raise AssertionError(f"{which} is not right: {text}") from fault
    return found + Counter({"different plans recomputed": require_right.cache_info().misses - known})


@cache
def _meaning_of(text: str) -> str:
    return meaning(json.loads(text))


def _is_accepted(text: str, which: str) -> bool:
    started = time.process_time()
    why_not = ""
    try:
        certify(text)
    except RotaError as fault:
        why_not = str(fault) or "refused without a word"
    except Exception as fault:
        raise AssertionError(f"{which}: {text}") from fault
    assert time.process_time() - started < CPU_S, (which, text)
    assert why_not.isprintable(), (which, why_not)
    assert len(why_not) < MOST_LETTERS, (which, why_not)
    return not why_not


def main() -> None:
    words = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    words.add_argument("count", type=int)
    words.add_argument("seed", type=int, nargs="?", default=0)
    words.add_argument("processes", type=int, nargs="?", default=1)
    asked = words.parse_args()
    started = time.perf_counter()
    shares = [(min(SHARE, asked.count - first), asked.seed + first) for first in range(0, asked.count, SHARE)]
    found: Counter[str] = Counter()
    with Pool(asked.processes) as pool:
        for share in pool.imap_unordered(_share, shares):
            found += share
            print(dict(found), f"{time.perf_counter() - started:.0f} s", flush=True)


def _share(asked: tuple[int, int]) -> Counter[str]:
    return run(*asked)


if __name__ == "__main__":
    main()
