"""The certificate: what a plan claims, worked out anew from its platform and its series, in exact arithmetic.

This file knows nothing of how plans are made. `rota.steady.claims` reads them; here the problem is stated
anew from the platform and the series, and what is claimed is checked, with fractions of Python's integers:

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
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import chain, product
from math import lcm
from typing import TYPE_CHECKING, Final

from rota.errors import RotaError
from rota.platforms.numbers import exact
from rota.steady.claims import Refused, claims_of, document_in, seal_of
from rota.steady.series import Kind, Place, Task, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota.steady.claims import Claims, Together
    from rota.steady.series import Activity, Computation, Message

_MOST_HOSTS: Final = 1000
"""Of a reduce: it has a partial result for each two of them."""
_ZERO: Final = Fraction(0)


def certify(text: str, *, sealed: bool = True) -> Claims:
    """Return what the plan in this text claims, all of which was found to be true.

    Raises Refused with the first thing that is wrong, RotaError for what is no plan. Operations on fractions:
    O(variables of the linear program). Without `sealed` the checksum is not compared.
    """
    document = document_in(text)
    claims = claims_of(document)
    _Certificate(claims).check()
    if sealed and document["seal"] != seal_of(document):
        raise Refused("refused: it was changed since it was written (the seal does not fit)")
    return claims


def _require(truth: object, fault: str) -> None:
    if not truth:
        raise Refused(f"refused: {fault}")


@dataclass(frozen=True)
class _Problem:
    """What an operation takes and delivers.

    `sizes`: of messages, operands before what is made of them; `origins`: of those that are not computed.
    """

    sizes: Mapping[Message, Fraction]
    origins: Mapping[Message, str]
    deliveries: frozenset[Place]


def _stated(claims: Claims) -> _Problem:
    """Return the problem that a series is; Refused if it is none."""
    roots = () if claims.kind is Kind.ALL_TO_ALL else (claims.root,)
    named = {*claims.hosts, *roots}
    _require(named <= claims.platform.by_name.keys(), "the series names what is no node")
    _require(claims.hosts, "the series has no hosts")
    _require(len({*claims.hosts}) == len(claims.hosts), "the series names a host twice")
    match claims.kind:
        case Kind.SCATTER:
            return _scatters(claims)
        case Kind.ALL_TO_ALL:
            return _all_to_alls(claims)
        case Kind.REDUCE:
            return _reduces(claims)
        case Kind.BROADCAST:
            return _broadcasts(claims)


def _scatters(claims: Claims) -> _Problem:
    messages = [(k,) for k in range(len(claims.hosts))]
    _require(list(claims.sizes) == messages, "there is not one size for each target")
    _require(claims.root not in claims.hosts, "the source is among the targets")
    deliveries = frozenset(Place(host, (k,)) for k, host in enumerate(claims.hosts))
    return _Problem(claims.sizes, dict.fromkeys(messages, claims.root), deliveries)


def _all_to_alls(claims: Claims) -> _Problem:
    hosts = claims.hosts
    pairs = all(max(pair) < len(hosts) and pair[0] != pair[1] for pair in claims.sizes)
    _require(claims.sizes and pairs, "a message is not from one host to another")
    return _Problem(
        claims.sizes,
        {(k, m): hosts[k] for k, m in claims.sizes},
        frozenset(Place(hosts[m], (k, m)) for k, m in claims.sizes),
    )


def _reduces(claims: Claims) -> _Problem:
    count = len(claims.hosts)
    _require(1 < count <= _MOST_HOSTS, f"a reduce has 2 to {_MOST_HOSTS} hosts")
    alike = {(k, k + more): Fraction(1) for more in range(count) for k in range(count - more)}
    _require(claims.sizes.keys() <= alike.keys(), "there is a size of no partial result")
    named = (*claims.works, *(computation.task for computation in claims.times))
    _require(all(_is_task(task, count) for task in named), "there is a work or a time of no task")
    at_nodes = {computation.node for computation in claims.times} <= claims.platform.by_name.keys()
    _require(at_nodes, "there is a time of a task at no node")
    return _Problem(
        alike | {**claims.sizes},
        {(k, k): host for k, host in enumerate(claims.hosts)},
        frozenset([Place(claims.root, (0, count - 1))]),
    )


def _broadcasts(claims: Claims) -> _Problem:
    others = claims.platform.by_name.keys() - {claims.root}
    _require({*claims.hosts} == others, "a broadcast is not from the root to all other nodes")
    return _Problem({(): Fraction(1)}, {(): claims.root}, frozenset(Place(host, ()) for host in claims.hosts))


def _is_task(task: Task, hosts: int) -> bool:
    first, middle, last = task
    return first <= middle < last < hosts


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
        self._claims, self._problem = claims, _stated(claims)
        self._cost = {(link.source, link.target): link.cost for link in claims.platform.links}
        self._unit_task = {node.name: node.task for node in claims.platform.nodes if node.task is not None}
        self._rates = dict(claims.amounts)
        self._origins = {Place(node, message) for message, node in self._problem.origins.items()}

    def check(self) -> None:
        """Raise Refused with the first claim that is not true."""
        self._check_sizes()
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

    def _check_sizes(self) -> None:
        """Require sizes, works and times that are numbers of a platform's range."""
        claims = self._claims
        measures = {
            "size": self._problem.sizes.values(),
            "work": claims.works.values(),
            "time": claims.times.values(),
        }
        for what, values in measures.items():
            for value in values:
                try:
                    exact(value)
                except RotaError as fault:
                    raise Refused(f"refused: the {what} of a message or task: {fault}") from fault

    # 1. Carried out.

    def _check_activities(self) -> None:
        """Require that each can be done, is claimed once, and that no port is overloaded by all of them."""
        _require(len(self._rates) == len(self._claims.amounts), "a flow or a task is there twice")
        _require(all(self._rates.values()), "a flow or a task has the rate 0")
        for each in self._rates:
            if isinstance(each, Transfer):
                link = (each.source, each.target)
                _require(link in self._cost, f"there is no link {each.source} -> {each.target}")
                _require(each.message in self._problem.sizes, f"there is no message {list(each.message)}")
            else:
                is_task = self._claims.kind is Kind.REDUCE and _is_task(each.task, len(self._claims.hosts))
                _require(is_task, f"there is no task {list(each.task)}")
                _require(self._task_time(each) is not None, f"{each.node} computes no task {list(each.task)}")
        for (part, node), time in self._busy(self._claims.amounts).items():
            _require(time <= 1, f"{node} would {part} for longer than all the time")

    def _task_time(self, computation: Computation) -> Fraction | None:
        """Return w(P_i, T_{k,l,m}): the node's own, or that of so many unit tasks; None if it has neither."""
        unit = self._unit_task.get(computation.node)
        alike = None if unit is None else unit * self._claims.works.get(computation.task, 1)
        return self._claims.times.get(computation, alike)

    def _busy(self, amounts: Iterable[tuple[Activity, Fraction]]) -> dict[tuple[str, str], Fraction]:
        """Return for how long each port and processor is busy with these."""
        busy: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for each, amount in amounts:
            if isinstance(each, Transfer):
                time = amount * self._time_of(each)
                busy["send", each.source] += time
                busy["receive", each.target] += time
            else:
                busy["compute", each.node] += amount * (self._task_time(each) or _ZERO)
        return busy

    def _time_of(self, transfer: Transfer) -> Fraction:
        return self._problem.sizes[transfer.message] * self._cost[transfer.source, transfer.target]

    def _check_operations(self) -> None:
        claims = self._claims
        _require(claims.period > 0, "the period is 0")
        _require(claims.throughput > 0, "the throughput is 0")
        operations = claims.throughput * claims.period
        _require(claims.operations == operations, "the throughput is not that of a period's operations")
        weights = [tree.weight for tree in claims.trees]
        are_whole = all(weight > 0 and weight.denominator == 1 for weight in weights)
        _require(are_whole, "a tree's weight is no number of operations")
        _require(sum(weights) == operations, "the trees do not add up to the throughput")

    def _check_trees(self) -> None:
        total: dict[Activity, Fraction] = defaultdict(Fraction)
        for weight, way in self._claims.trees:
            for activity in way:
                total[activity] += weight
        in_period = {activity: rate * self._claims.period for activity, rate in self._rates.items()}
        _require(total == in_period, "the trees do not add up to the flows and tasks")
        for tree in self._claims.trees:
            self._check_tree(tree.way)

    def _check_tree(self, way: tuple[Activity, ...]) -> None:
        """Require that each message is made once where it is, and used up there: once, but for a broadcast's.

        Nothing is made where it comes from, and nothing is needed for itself.
        """
        made = {self._result(each): each for each in way}
        _require(len(made) == len(way), "a tree makes a message twice at a node")
        needed = Counter(chain(self._problem.deliveries, *(self._inputs(each) for each in way)))
        for place in self._origins:
            _require(place not in made, "a tree brings a message back to where it comes from")
            needed.pop(place, None)
        _require(made.keys() == needed.keys(), "a tree uses what is not there, or makes what it does not use")
        is_copied = self._claims.kind is Kind.BROADCAST
        _require(is_copied or max(needed.values()) == 1, "a tree uses a message twice")
        before = {each: [made[place] for place in self._inputs(each) if place in made] for each in way}
        try:
            TopologicalSorter(before).prepare()
        except CycleError as fault:
            raise Refused("refused: a tree goes round in a circle") from fault

    @staticmethod
    def _inputs(activity: Activity) -> tuple[Place, ...]:
        if isinstance(activity, Transfer):
            return (Place(activity.source, activity.message),)
        node, (first, middle, last) = activity
        return Place(node, (first, middle)), Place(node, (middle + 1, last))

    @staticmethod
    def _result(activity: Activity) -> Place:
        if isinstance(activity, Transfer):
            return Place(activity.target, activity.message)
        node, (first, _, last) = activity
        return Place(node, (first, last))

    # 2. Optimal.

    def _check_bound(self) -> None:
        claims = self._claims
        nodes = {node for _, node in claims.prices}
        _require(nodes <= claims.platform.by_name.keys(), "there is a price of no node")
        _require(sum(claims.prices.values()) == claims.bound, "the prices do not sum up to the bound")
        if claims.is_fixed:
            _require(claims.throughput <= claims.bound, "the throughput is above the bound")
        else:
            _require(claims.throughput == claims.bound, "the throughput is not the bound")

    def _link_prices(self) -> dict[tuple[str, str], Fraction]:
        """Return what a unit over each link costs."""
        price = self._claims.prices
        return {
            (source, target): cost
            * (price.get(("send", source), _ZERO) + price.get(("receive", target), _ZERO))
            for (source, target), cost in self._cost.items()
        }

    def _task_prices(self) -> Mapping[Task, Mapping[str, Fraction]]:
        """Return what each task costs at each node that computes it; tasks alike share what is found."""
        price, claims = self._claims.prices, self._claims
        own: dict[Task, dict[str, Fraction]] = defaultdict(dict)
        for (node, task), time in claims.times.items():
            own[task][node] = time * price.get(("compute", node), _ZERO)
        units = {node: time * price.get(("compute", node), _ZERO) for node, time in self._unit_task.items()}
        alike = {
            work: {node: unit * work for node, unit in units.items()}
            for work in {Fraction(1), *claims.works.values()}
        }
        found: dict[Task, Mapping[str, Fraction]] = {}
        for first, last in self._problem.sizes if claims.kind is Kind.REDUCE else ():
            for middle in range(first, last):
                task = Task(first, middle, last)
                shared = alike[claims.works.get(task, Fraction(1))]
                found[task] = shared | own[task] if task in own else shared
        return found

    def _check_potentials(self) -> None:
        """Require that a copy of each message costs at each node what it does, in integers of a unit."""
        known, sizes = self._claims.potentials, self._problem.sizes
        _require(known.keys() == sizes.keys(), "the dual is not of each message")
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
            _require(found == known[message], f"message {list(message)} does not cost what the dual says")
        total = sum(costs[message].get(node, 0) for node, message in self._problem.deliveries)
        _require(total == unit, "an operation does not cost 1 at these prices")

    def _begun(
        self,
        message: Message,
        tasks: Mapping[Task, Mapping[str, int]],
        costs: Mapping[Message, Mapping[str, int]],
    ) -> dict[str, int]:
        """Return what a message costs where it comes from, or where it is computed of what costs so much."""
        if message in self._problem.origins:
            return {self._problem.origins[message]: 0}
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
            _require(inside and inside <= {*self._claims.hosts}, "the dual has a set that is none of targets")
            for source, target in self._cost:
                if target in inside and source not in inside:
                    paid[source, target] += weight
        prices = self._link_prices()
        for link, amount in paid.items():
            _require(amount <= prices[link], f"the dual takes more of {' -> '.join(link)} than it costs")
        total = sum((each.weight for each in self._claims.paid_sets), _ZERO)
        _require(total == 1, "a broadcast does not cost 1 at these prices")

    # 3. A schedule.

    def _check_period(self) -> None:
        """Require that the period is the least common multiple of denominators, unless it was fixed."""
        if self._claims.is_fixed:
            return
        link_times: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for each, rate in self._rates.items():
            if isinstance(each, Transfer):
                link_times[each.source, each.target] += rate * self._time_of(each)
        weights = (tree.weight / self._claims.period for tree in self._claims.trees)
        least = lcm(*(number.denominator for number in chain(link_times.values(), weights)))
        _require(self._claims.period == least, "the period is not the least one")

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
        _require(carried == flows, "the matchings do not carry the flows")
        lengths = sum((matching.length for matching in matchings), _ZERO)
        _require(lengths <= self._claims.period, "the matchings do not fit into the period")

    def _check_matching(self, matching: Together) -> None:
        transfers = {each for each, _ in matching.pieces}
        _require(matching.pieces, "a matching is empty")
        _require(len(transfers) == len(matching.pieces), "a matching has a transfer twice")
        _require(all(amount for _, amount in matching.pieces), "a matching has a transfer of nothing")
        _require(transfers <= self._rates.keys(), "a matching has a transfer that is no flow")
        links = {(each.source, each.target) for each in transfers if isinstance(each, Transfer)}
        _require(len({source for source, _ in links}) == len(links), "a matching has two sends of a node")
        _require(len({target for _, target in links}) == len(links), "a matching has two receives of a node")
        busiest = max(self._busy(matching.pieces).values())
        _require(busiest == matching.length, "a matching is not as long as it says")
