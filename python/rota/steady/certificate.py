"""The certificate: what a plan claims, worked out anew from its platform and its series, in exact arithmetic.

This file knows nothing of how plans are made. `rota.steady.claims` reads them, and `rota.steady.problem`
states the problem anew from the platform and the series; here what is claimed to solve it is checked, with
fractions of Python's integers:

1. Carried out  trees (reduction trees, or a path for each message), each right by itself, add up to the flows
                and tasks; weighted by whole numbers they are the operations of a period, and so the
                throughput; no port out, port in or processor is busy for more than all the time
2. Optimal      the dual: a price for each port's time, and what a copy of each message costs at each node, at
                least, at these prices. TP operations pay TP times the cost of what is delivered, at least;
                and at most the sum of all prices, for no port is busy all the time and more. So no
                throughput is above that sum
3. A schedule   the period is the least in which all numbers are whole; matchings, of at most one transfer
                out of and one into a node, carry the flows in a period

A plan for a fixed period (`"fixed": true`) may stay below the bound, and its period is what it is. Without
matchings there is no schedule to be checked: `Claims.matchings` is None. Last of all the seal is compared, a
checksum: a plan may be changed into another right one, but not unnoticed. docs/certificates.md says what is
proved by all this, and what is not.

Source: Legrand, Marchal, Robert 2005, the programs SSSP, SSPA2A and SSR; linear programming duality. For
broadcasts, Edmonds 1967: prices of sets of nodes in place of costs of copies (`_check_paid_sets`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import chain, product
from math import lcm
from typing import TYPE_CHECKING, Final

from rota.steady.claims import Refused, claims_of, document_in, require, seal_of
from rota.steady.problem import is_task, made_by, problem_of, used_by
from rota.steady.series import Kind, Place, Task, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.steady.claims import Claims, Together
    from rota.steady.series import Activity, Message

_ZERO: Final = Fraction(0)


def certify(text: str, *, sealed: bool = True) -> Claims:
    """Return what the plan in this text claims, all of which was found to be true, its optimality too.

    Raises Refused with the first thing that is wrong, RotaError for what is no plan. Operations on fractions:
    O(variables of the linear program). Without `sealed` the checksum is not compared.
    """
    document = document_in(text)
    claims = claims_of(document)
    _Certificate(claims).check()
    if sealed and document["seal"] != seal_of(document):
        raise Refused("refused: it was changed since it was written (the seal does not fit)")
    return claims


def _least_costs(begun: Mapping[str, int], tolls: Mapping[str, Iterable[tuple[str, int]]]) -> dict[str, int]:
    """Return what it costs to have a copy at each node that one can reach (Dijkstra 1959)."""
    least: dict[str, int] = {}
    queue = [(cost, node) for node, cost in begun.items()]
    heapify(queue)
    while queue:
        cost, node = heappop(queue)
        if node in least:
            continue
        least[node] = cost
        for target, toll in tolls.get(node, ()):
            if target not in least:
                heappush(queue, (cost + toll, target))
    return least


class _Certificate:
    """The problem, and what is claimed of it."""

    def __init__(self, claims: Claims) -> None:
        self._claims, self._problem = claims, problem_of(claims)
        self._operation = self._problem.operation
        self._rates = dict(claims.amounts)
        self._origins = {Place(node, message) for message, node in self._operation.origins.items()}

    def check(self) -> None:
        """Raise Refused with the first claim that is not true."""
        self._check_activities()
        self._check_operations()
        self._check_trees()
        self._check_bound()
        if self._claims.kind is Kind.BROADCAST:
            self._check_paid_sets()
        else:
            self._check_potentials()
        self._check_period()
        self._check_matchings()

    # 1. Carried out.

    def _check_activities(self) -> None:
        """Require that each can be done, is claimed once, and that no port is overloaded by all of them."""
        problem = self._problem
        require(len(self._rates) == len(self._claims.amounts), "a flow or a task is there twice")
        require(all(self._rates.values()), "a flow or a task has the rate 0")
        for each in self._rates:
            if isinstance(each, Transfer):
                link = (each.source, each.target)
                require(link in problem.costs, f"there is no link {each.source} -> {each.target}")
                require(each.message in problem.operation.sizes, f"there is no message {list(each.message)}")
            else:
                exists = self._claims.kind is Kind.REDUCE and is_task(each.task, len(self._claims.hosts))
                require(exists, f"there is no task {list(each.task)}")
                is_done = problem.task_time(each) is not None
                require(is_done, f"{each.node} computes no task {list(each.task)}")
        for (part, node), time in problem.busy(self._claims.amounts).items():
            require(time <= 1, f"{node} would {part} for longer than all the time")

    def _check_operations(self) -> None:
        claims = self._claims
        require(claims.period > 0, "the period is 0")
        require(claims.throughput > 0, "the throughput is 0")
        operations = claims.throughput * claims.period
        require(claims.operations == operations, "the throughput is not that of a period's operations")
        weights = [tree.weight for tree in claims.trees]
        are_whole = all(weight > 0 and weight.denominator == 1 for weight in weights)
        require(are_whole, "a tree's weight is no number of operations")
        require(sum(weights) == operations, "the trees do not add up to the throughput")

    def _check_trees(self) -> None:
        total: dict[Activity, Fraction] = defaultdict(Fraction)
        for weight, way in self._claims.trees:
            for activity in way:
                total[activity] += weight
        in_period = {activity: rate * self._claims.period for activity, rate in self._rates.items()}
        require(total == in_period, "the trees do not add up to the flows and tasks")
        for tree in self._claims.trees:
            self._check_tree(tree.way)

    def _check_tree(self, way: tuple[Activity, ...]) -> None:
        """Require that each message is made once where it is, and used up there: once, but for a broadcast's.

        Nothing is made where it comes from, and nothing is needed for itself.
        """
        made = {made_by(each): each for each in way}
        require(len(made) == len(way), "a tree makes a message twice at a node")
        needed = Counter(chain(self._operation.deliveries, *(used_by(each) for each in way)))
        for place in self._origins:
            require(place not in made, "a tree brings a message back to where it comes from")
            needed.pop(place, None)
        require(made.keys() == needed.keys(), "a tree uses what is not there, or makes what it does not use")
        is_copied = self._claims.kind is Kind.BROADCAST
        require(is_copied or max(needed.values()) == 1, "a tree uses a message twice")
        before = {each: [made[place] for place in used_by(each) if place in made] for each in way}
        try:
            TopologicalSorter(before).prepare()
        except CycleError as fault:
            raise Refused("refused: a tree goes round in a circle") from fault

    # 2. Optimal.

    def _check_bound(self) -> None:
        claims = self._claims
        nodes = {node for _, node in claims.prices}
        require(nodes <= claims.platform.by_name.keys(), "there is a price of no node")
        require(sum(claims.prices.values()) == claims.bound, "the prices do not sum up to the bound")
        if claims.is_fixed:
            require(claims.throughput <= claims.bound, "the throughput is above the bound")
        else:
            require(claims.throughput == claims.bound, "the throughput is not the bound")

    def _link_prices(self) -> dict[tuple[str, str], Fraction]:
        """Return what a unit over each link costs."""
        price = self._claims.prices
        return {
            (source, target): cost
            * (price.get(("send", source), _ZERO) + price.get(("receive", target), _ZERO))
            for (source, target), cost in self._problem.costs.items()
        }

    def _task_prices(self) -> Mapping[Task, Mapping[str, Fraction]]:
        """Return what each task costs at each node that computes it; tasks alike share what is found."""
        price, claims = self._claims.prices, self._claims
        own: dict[Task, dict[str, Fraction]] = defaultdict(dict)
        for (node, task), time in claims.times.items():
            own[task][node] = time * price.get(("compute", node), _ZERO)
        unit_times = self._problem.unit_times
        units = {node: time * price.get(("compute", node), _ZERO) for node, time in unit_times.items()}
        alike = {
            work: {node: unit * work for node, unit in units.items()}
            for work in {Fraction(1), *claims.works.values()}
        }
        found: dict[Task, Mapping[str, Fraction]] = {}
        for first, last in self._operation.sizes if claims.kind is Kind.REDUCE else ():
            for middle in range(first, last):
                task = Task(first, middle, last)
                shared = alike[claims.works.get(task, Fraction(1))]
                found[task] = shared | own[task] if task in own else shared
        return found

    def _check_potentials(self) -> None:
        """Require that a copy of each message costs at each node what it does, in integers of a unit."""
        known, sizes = self._claims.potentials, self._operation.sizes
        require(known.keys() == sizes.keys(), "the dual is not of each message")
        links, tasks = self._link_prices(), self._task_prices()
        kinds = {id(costs): costs for costs in tasks.values()}
        prices = chain(links.values(), *(costs.values() for costs in kinds.values()))
        unit = lcm(*(price.denominator for price in prices)) * lcm(
            *(size.denominator for size in sizes.values())
        )
        tolls: dict[Fraction, dict[str, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
        for size, (source, target) in product(set(sizes.values()), links):
            tolls[size][source].append((target, int(size * links[source, target] * unit)))
        whole = {
            kind: {node: int(price * unit) for node, price in costs.items()} for kind, costs in kinds.items()
        }
        in_units = {task: whole[id(each)] for task, each in tasks.items()}
        costs: dict[Message, dict[str, int]] = {}
        for message, size in sizes.items():
            begun = self._begun(message, in_units, costs)
            costs[message] = _least_costs(begun, tolls[size])
            found = {node: Fraction(cost, unit) for node, cost in costs[message].items()}
            require(found == known[message], f"message {list(message)} does not cost what the dual says")
        total = sum(costs[message].get(node, 0) for node, message in self._operation.deliveries)
        require(total == unit, "an operation does not cost 1 at these prices")

    def _begun(
        self,
        message: Message,
        tasks: Mapping[Task, Mapping[str, int]],
        costs: Mapping[Message, Mapping[str, int]],
    ) -> dict[str, int]:
        """Return what a message costs where it comes from, or where it is computed of what costs so much."""
        if message in self._operation.origins:
            return {self._operation.origins[message]: 0}
        first, last = message
        begun: dict[str, int] = {}
        for middle in range(first, last):
            left, right = costs[first, middle], costs[middle + 1, last]
            prices = tasks[Task(first, middle, last)]
            for node in prices.keys() & left.keys() & right.keys():
                cost = left[node] + right[node] + prices[node]
                begun[node] = min(cost, begun.get(node, cost))
        return begun

    def _check_paid_sets(self) -> None:
        """Every broadcast enters each set of nodes that has a target and not the source.

        Where sets are paid for over the links that enter them, and no link takes in more than it costs, a
        broadcast costs at least what all sets are paid.
        """
        paid: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for nodes, weight in self._claims.paid_sets:
            inside = set(nodes)
            require(inside and inside <= {*self._claims.hosts}, "the dual has a set that is none of targets")
            for source, target in self._problem.costs:
                if target in inside and source not in inside:
                    paid[source, target] += weight
        prices = self._link_prices()
        for link, amount in paid.items():
            require(amount <= prices[link], f"the dual takes more of {' -> '.join(link)} than it costs")
        total = sum((each.weight for each in self._claims.paid_sets), _ZERO)
        require(total == 1, "a broadcast does not cost 1 at these prices")

    # 3. A schedule.

    def _check_period(self) -> None:
        """Require that the period is the least common multiple of denominators, unless it was fixed."""
        if self._claims.is_fixed:
            return
        link_times: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for each, rate in self._rates.items():
            if isinstance(each, Transfer):
                link_times[each.source, each.target] += rate * self._problem.transfer_time(each)
        weights = (tree.weight / self._claims.period for tree in self._claims.trees)
        least = lcm(*(number.denominator for number in chain(link_times.values(), weights)))
        require(self._claims.period == least, "the period is not the least one")

    def _check_matchings(self) -> None:
        """Require that matchings carry the flows of a period, and fit into it."""
        matchings = self._claims.matchings
        if matchings is None:
            return
        carried: dict[Activity, Fraction] = defaultdict(Fraction)
        for matching in matchings:
            self._check_matching(matching)
            for transfer, amount in matching.pieces:
                carried[transfer] += amount
        sent = ((each, rate) for each, rate in self._rates.items() if isinstance(each, Transfer))
        flows = {each: rate * self._claims.period for each, rate in sent}
        require(carried == flows, "the matchings do not carry the flows")
        lengths = sum((matching.length for matching in matchings), _ZERO)
        require(lengths <= self._claims.period, "the matchings do not fit into the period")

    def _check_matching(self, matching: Together) -> None:
        transfers = {each for each, _ in matching.pieces}
        require(matching.pieces, "a matching is empty")
        require(len(transfers) == len(matching.pieces), "a matching has a transfer twice")
        require(all(amount for _, amount in matching.pieces), "a matching has a transfer of nothing")
        require(transfers <= self._rates.keys(), "a matching has a transfer that is no flow")
        links = {(each.source, each.target) for each in transfers if isinstance(each, Transfer)}
        require(len({source for source, _ in links}) == len(links), "a matching has two sends of a node")
        require(len({target for _, target in links}) == len(links), "a matching has two receives of a node")
        busiest = max(self._problem.busy(matching.pieces).values())
        require(busiest == matching.length, "a matching is not as long as it says")
