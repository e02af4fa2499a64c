"""The certificate: what a plan claims, checked from its own text, in exact integer arithmetic.

This file knows nothing of how plans are made. It states the problem anew from the platform and the series,
and checks of the plan, with fractions of Python's integers only:

1. Feasible    what enters or is computed at a node leaves it or is used there, but for operands where they
               come from; TP more of each message reach where it must get; no port out, port in or processor
               is busy for more than one time unit in a time unit
2. Optimal     the dual: a price for each port's time, and what a copy of each message costs at each node, at
               least, at these prices. If over no link and by no task a message costs less than that, then TP
               operations pay TP times the cost of what is delivered, at least; and at most the sum of all
               prices, for no port is busy all the time and more. So no throughput is above that sum
3. A schedule  trees (reduction trees, or a path for each message), each right by itself, add up to the
               flows; the period is the least in which all numbers are whole; matchings, of at most one
               transfer out of and one into a node, carry the flows in a period

A plan for a fixed period (`"fixed": true`) may stay below the bound, and its period is what it is.
Last of all the seal is compared, a checksum: a plan may be changed into another right one, but not unnoticed.

Source: Legrand, Marchal, Robert 2005, the programs SSSP, SSPA2A and SSR; linear programming duality. For
broadcasts, Edmonds 1967: prices of sets of nodes in place of costs of copies (`_check_cuts`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_HOSTS: Final = 1000
"""Of a reduce: it has a partial result for each two of them."""
_TASK_NUMBERS: Final = 3
_NUMBER: Final = re.compile(r"\d{1,4000}(/\d{1,4000})?")

Message = tuple[int, ...]
_Transfer = tuple[str, str, Message]
_Task = tuple[str, Message]
_Activity = tuple[str, Any]
"""("send", a transfer) or ("compute", a task)."""


class Refused(RotaError):  # noqa: N818 - what happened to the plan
    """The plan is not what it claims to be."""


@dataclass(frozen=True)
class Certified:
    """What a plan was proved to be."""

    kind: str
    throughput: Fraction
    bound: Fraction
    period: Fraction


def certify(text: str, *, sealed: bool = True) -> Certified:
    """Return what the plan in this text was proved to reach.

    Raises Refused with the first thing that is wrong, RotaError for what is no plan. Operations on fractions:
    O(variables of the linear program). Without `sealed` the checksum is not compared.
    """
    document = _document(text)
    try:
        certified = _Certificate(document).checked()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as fault:
        raise RotaError(
            f"no plan: {type(fault).__name__} at {fault}; write it anew with rota plan"
        ) from fault
    if sealed and document.get("seal") != seal_of(document):
        raise Refused("refused: it was changed since it was written (the seal does not fit)")
    return certified


def seal_of(document: dict[str, Any]) -> str:
    """Return the checksum of all of a plan but its seal."""
    rest = {key: value for key, value in document.items() if key != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise RotaError(f"no plan: {' '.join(str(fault).split())}") from fault
    if not isinstance(document, dict) or "throughput" not in document:
        raise RotaError("no plan: write one with rota plan ... --json")
    return document


def _number(value: object) -> Fraction:
    """Return a number from 0 up, written as an integer or a fraction in lowest terms."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    if not _NUMBER.fullmatch(text):
        raise RotaError(f"no plan: {str(value)[:40]!r} is no exact number from 0 up")
    numerator, _, denominator = text.partition("/")
    if denominator and int(denominator) == 0:
        raise RotaError(f"no plan: {text[:40]!r} divides by 0")
    return Fraction(int(numerator), int(denominator or 1))


def _require(truth: object, fault: str) -> None:
    if not truth:
        raise Refused(f"refused: {fault}")


@dataclass(frozen=True)
class _Problem:
    """What an operation takes and delivers.

    `size` of every message; where it comes from, if it is not computed; where it must get.
    """

    kind: str
    hosts: list[str]
    size: dict[Message, Fraction]
    origin: dict[Message, str]
    delivered: set[tuple[str, Message]]

    def tasks(self) -> Iterator[Message]:
        """Yield what may be computed: (k, l, m) makes v[k,m] of v[k,l] and v[l+1,m]."""
        if self.kind == "reduce":
            for k, m in self.size:
                yield from ((k, middle, m) for middle in range(k, m))

    def is_task(self, what: Message) -> bool:
        """Return whether it is one of these."""
        if self.kind != "reduce" or len(what) != _TASK_NUMBERS:
            return False
        first, middle, last = what
        return 0 <= first <= middle < last < len(self.hosts)


def _stated(series: dict[str, Any]) -> _Problem:
    """Return the problem that a series is."""
    kind, hosts, root = str(series["kind"]), [str(host) for host in series["hosts"]], str(series.get("root"))
    size: dict[Message, Fraction] = {}
    origin: dict[Message, str] = {}
    delivered: set[tuple[str, Message]] = set()
    if kind == "scatter":
        _require(len(series["sizes"]) == len(hosts), "there is not one size for each target")
        for k, host in enumerate(hosts):
            size[k,] = _number(series["sizes"][k])
            origin[k,] = root
            delivered.add((host, (k,)))
    elif kind == "all-to-all":
        for k, m, units in series["sizes"]:
            _require((k, m) not in size, "a message is there twice")
            size[k, m] = _number(units)
            origin[k, m] = hosts[k]
            delivered.add((hosts[m], (k, m)))
    elif kind == "reduce":
        last = len(hosts) - 1
        _require(last < _MOST_HOSTS, f"a reduce of more than {_MOST_HOSTS} hosts is not checked")
        size.update(((k, m), Fraction(1)) for k in range(last + 1) for m in range(k, last + 1))
        origin.update(((k, k), host) for k, host in enumerate(hosts))
        delivered.add((root, (0, last)))
    elif kind == "broadcast":
        size[()] = Fraction(1)
        origin[()] = root
        delivered.update((host, ()) for host in hosts)
    else:
        raise RotaError(f"no plan: a series of {kind[:40]!r} is unknown")
    return _Problem(kind, hosts, size, origin, delivered)


class _Certificate:
    """One plan, as it is written, and the problem that it claims to solve."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._plan = document
        self._read_platform(document["platform"])
        self._state_problem(document["series"])
        self._throughput = _number(document["throughput"])
        self._bound = _number(document["bound"])
        self._period = _number(document["period"])
        self._rates = self._read_rates()
        self._prices = self._read_prices()
        self._trees = [
            (_number(tree["weight"]), Counter(self._activities(tree))) for tree in document["trees"]
        ]

    def checked(self) -> Certified:
        _require(self._period > 0, "the period is 0")
        self._check_ports()
        if self._kind == "broadcast":
            self._check_cuts()
        else:
            self._check_conservation()
            self._check_potentials()
        self._check_bound()
        self._check_trees()
        self._check_period()
        self._check_matchings()
        return Certified(self._kind, self._throughput, self._bound, self._period)

    # What is given: a platform, a series.

    def _read_platform(self, platform: dict[str, Any]) -> None:
        self._task_time = {
            str(node["id"]): _number(node["task"]) if "task" in node else None for node in platform["nodes"]
        }
        self._cost = {
            (str(link["source"]), str(link["target"])): _number(link["cost"]) for link in platform["links"]
        }
        _require(len(self._task_time) == len(platform["nodes"]), "the platform names a node twice")
        _require(len(self._cost) == len(platform["links"]), "the platform has a link twice")
        ends = set(chain.from_iterable(self._cost))
        _require(ends <= self._task_time.keys(), "a link of the platform leads to what is no node")
        times = (time for time in self._task_time.values() if time is not None)
        _require(all(time > 0 for time in chain(self._cost.values(), times)), "the platform has a time of 0")

    def _state_problem(self, series: dict[str, Any]) -> None:
        problem = _stated(series)
        self._problem, self._kind, self._size = problem, problem.kind, problem.size
        self._origin, self._delivered = problem.origin, problem.delivered
        _require(self._size and all(self._size.values()), "a message has no size")
        named = {*problem.hosts, *self._origin.values()} | {node for node, _ in self._delivered}
        _require(named <= self._task_time.keys(), "the series names what is no node")
        _require(len(set(problem.hosts)) == len(problem.hosts), "the series names a host twice")
        sent = {(node, message) for message, node in self._origin.items()}
        _require(not sent & self._delivered, "a message is where it must get from the beginning")

    # What is claimed: flows, tasks, trees.

    def _read_rates(self) -> dict[_Activity, Fraction]:
        """Return how much of each activity there is in a time unit."""
        rates: dict[_Activity, Fraction] = {}
        for flow in self._plan["flows"]:
            activity = self._sending(flow["source"], flow["target"], flow["message"])
            _require(activity not in rates, "a flow is there twice")
            rates[activity] = _number(flow["rate"])
        for task in self._plan["tasks"]:
            activity = self._computing(task["node"], task["task"])
            _require(activity not in rates, "a task is there twice")
            rates[activity] = _number(task["rate"])
        _require(all(rates.values()), "a flow or a task has the rate 0")
        return rates

    def _activities(self, tree: dict[str, Any]) -> Iterator[_Activity]:
        for source, target, message in tree["transfers"]:
            yield self._sending(source, target, message)
        for node, task in tree["tasks"]:
            yield self._computing(node, task)

    def _sending(self, source: str, target: str, message: list[int]) -> _Activity:
        what = tuple(message)
        _require((source, target) in self._cost, f"there is no link from {source} to {target}")
        _require(what in self._size, f"there is no message {message}")
        return "send", (source, target, what)

    def _computing(self, node: str, task: list[int]) -> _Activity:
        what = tuple(task)
        _require(self._task_time.get(node) is not None, f"{node} computes nothing")
        _require(self._problem.is_task(what), f"there is no task {task}")
        return "compute", (node, what)

    # 1. Feasible.

    def _busy(self, amounts: dict[_Activity, Fraction]) -> dict[tuple[str, str], Fraction]:
        """Return for how long each port and processor is busy with these."""
        busy: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for (kind, what), amount in amounts.items():
            if kind == "send":
                time = amount * self._size[what[2]] * self._cost[what[0], what[1]]
                busy["send", what[0]] += time
                busy["receive", what[1]] += time
            else:
                busy["compute", what[0]] += amount * self._time_at(what[0])
        return busy

    def _time_at(self, node: str) -> Fraction:
        return self._task_time[node] or Fraction(0)

    def _check_ports(self) -> None:
        for (part, node), time in self._busy(self._rates).items():
            _require(time <= 1, f"{node} would {part} for {time} of each time unit")

    def _check_conservation(self) -> None:
        gained = self._gained(self._rates)
        for place in {*gained, *self._delivered}:
            node, message = place
            if self._origin.get(message) == node:
                continue
            due = self._throughput if place in self._delivered else Fraction(0)
            _require(
                gained.get(place, 0) == due,
                f"{gained.get(place, 0)} of message {list(message)} stay at {node} in a time unit, not {due}",
            )

    @staticmethod
    def _gained(amounts: dict[_Activity, Fraction]) -> dict[tuple[str, Message], Fraction]:
        """Return how much more of each message comes or is computed at a node than leaves or is used."""
        gained: dict[tuple[str, Message], Fraction] = defaultdict(Fraction)
        for (kind, what), amount in amounts.items():
            if kind == "send":
                source, target, message = what
                gained[source, message] -= amount
                gained[target, message] += amount
            else:
                node, (first, middle, last) = what
                gained[node, (first, middle)] -= amount
                gained[node, (middle + 1, last)] -= amount
                gained[node, (first, last)] += amount
        return gained

    # 2. Optimal.

    def _price(self, part: str, node: str) -> Fraction:
        return self._prices.get((part, node), Fraction(0))

    def _check_bound(self) -> None:
        _require(sum(self._prices.values()) == self._bound, "the prices do not sum up to the bound")
        if self._plan["fixed"] is True:
            _require(self._throughput <= self._bound, "the throughput is above the bound")
        else:
            _require(self._throughput == self._bound, "the throughput is not the bound")

    def _read_prices(self) -> dict[tuple[str, str], Fraction]:
        prices = {
            (part, node): _number(price)
            for part in ("send", "receive", "compute")
            for node, price in self._plan["dual"][part].items()
        }
        _require({node for _, node in prices} <= self._task_time.keys(), "there is a price of no node")
        return prices

    def _link_price(self, source: str, target: str) -> Fraction:
        return self._cost[source, target] * (self._price("send", source) + self._price("receive", target))

    def _check_potentials(self) -> None:
        """Require that a copy costs no more than over any link or by any task, and as much as by one."""
        potential = {
            (node, tuple(message)): _number(value)
            for message, values in self._plan["dual"]["potentials"]
            for node, value in values.items()
        }
        for message, node in self._origin.items():
            _require(
                potential.get((node, message)) == 0, f"message {list(message)} costs something at {node}"
            )
        tight = {(node, message) for message, node in self._origin.items()}
        for (node, message), costs in self._offers(potential):
            known = potential.get((node, message))
            fault = f"message {list(message)} can be had at {node} for less than the dual says"
            _require(known is not None and known <= costs, fault)
            if known == costs:
                tight.add((node, message))
        _require(tight == potential.keys(), "the dual says of a message that it costs less than it does")
        total = sum((potential.get(place, Fraction(0)) for place in self._delivered), Fraction(0))
        _require(total == 1, "an operation does not cost 1 at these prices")

    def _offers(
        self, potential: dict[tuple[str, Message], Fraction]
    ) -> Iterator[tuple[tuple[str, Message], Fraction]]:
        """Yield, for each variable of the program, where it would put a message and what that would cost.

        What cannot be had has no potential: it costs more than anything.
        """
        for source, target in self._cost:
            price = self._link_price(source, target)
            for message, size in self._size.items():
                if (source, message) in potential:
                    yield (target, message), potential[source, message] + size * price
        for node, time in self._task_time.items():
            if time is None:
                continue
            price = time * self._price("compute", node)
            for first, middle, last in self._problem.tasks():
                left, right = (node, (first, middle)), (node, (middle + 1, last))
                if left in potential and right in potential:
                    yield (node, (first, last)), potential[left] + potential[right] + price

    def _check_cuts(self) -> None:
        """Every broadcast enters each set of nodes that has a target and not the source.

        Where sets are paid for over the links that enter them, and no link takes in more than it costs, a
        broadcast costs at least what all sets are paid.
        """
        paid: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        total = Fraction(0)
        targets = {node for node, _ in self._delivered}
        for cut in self._plan["dual"]["cuts"]:
            inside, weight = set(cut["nodes"]), _number(cut["weight"])
            _require(self._origin[()] not in inside, "a set of nodes in the dual has the source in it")
            _require(inside & targets, "a set of nodes in the dual has no target in it")
            total += weight
            for source, target in self._cost:
                if target in inside and source not in inside:
                    paid[source, target] += weight
        for link, amount in paid.items():
            _require(amount <= self._link_price(*link), f"the dual takes more of link {link} than it costs")
        _require(total == 1, "a broadcast does not cost 1 at these prices")

    # 3. A schedule.

    def _check_trees(self) -> None:
        _require(self._trees or not self._rates, "there is no tree")
        total: dict[_Activity, Fraction] = defaultdict(Fraction)
        for weight, tree in self._trees:
            _require(weight > 0 and weight.denominator == 1, "a tree's weight is no number of operations")
            self._check_tree(tree)
            for activity, times in tree.items():
                total[activity] += weight * times
        in_period = {activity: rate * self._period for activity, rate in self._rates.items()}
        _require(total == in_period, "the trees do not add up to the flows and tasks")
        operations = sum(weight for weight, _ in self._trees)
        _require(operations == self._throughput * self._period, "the trees do not add up to the throughput")

    def _check_tree(self, tree: Counter[_Activity]) -> None:
        """All that is used is there, all that is made is used, and every message gets where it must."""
        have = {(node, message) for message, node in self._origin.items()}
        waiting = list(tree)
        while waiting:
            ready = [each for each in waiting if self._inputs(each) <= have]
            _require(ready, "a tree uses what is not there")
            have |= {self._result(each) for each in ready}
            waiting = [each for each in waiting if each not in ready]
        _require(self._delivered <= have, "a tree does not deliver what it must")
        if self._kind == "broadcast":
            entered = [self._result(each) for each in tree.elements()]
            _require(len(set(entered)) == len(entered), "a tree enters a node twice")
            return
        for place, more in self._gained({each: Fraction(n) for each, n in tree.items()}).items():
            if self._origin.get(place[1]) != place[0]:
                _require(more == (place in self._delivered), "a tree makes what it does not use")

    @staticmethod
    def _inputs(activity: _Activity) -> set[tuple[str, Message]]:
        kind, what = activity
        if kind == "send":
            return {(what[0], what[2])}
        node, (first, middle, last) = what
        return {(node, (first, middle)), (node, (middle + 1, last))}

    @staticmethod
    def _result(activity: _Activity) -> tuple[str, Message]:
        kind, what = activity
        return (what[1], what[2]) if kind == "send" else (what[0], (what[1][0], what[1][2]))

    def _check_period(self) -> None:
        """Require that the period is the least common multiple of denominators, unless it was fixed."""
        if self._plan["fixed"] is True:
            return
        link_times: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        for (kind, what), rate in self._rates.items():
            if kind == "send":
                link_times[what[:2]] += rate * self._size[what[2]] * self._cost[what[0], what[1]]
        weights = (weight / self._period for weight, _ in self._trees)
        numbers: Iterable[Fraction] = chain(link_times.values(), weights)
        least = lcm(*(number.denominator for number in numbers))
        _require(self._period == least, f"the period is {self._period}, the least one is {least}")

    def _check_matchings(self) -> None:
        if self._plan["matchings"] is None:
            return
        sent: dict[_Activity, Fraction] = defaultdict(Fraction)
        lengths = Fraction(0)
        for matching in self._plan["matchings"]:
            length = _number(matching["length"])
            lengths += length
            moved: dict[_Activity, Fraction] = {}
            for source, target, message, amount in matching["transfers"]:
                activity = self._sending(source, target, message)
                moved[activity] = _number(amount)
                sent[activity] += _number(amount)
            links = {what[:2] for _, what in moved}
            _require(len({source for source, _ in links}) == len(links), "a matching has two sends of a node")
            _require(len({target for _, target in links}) == len(links), "a matching has two receives")
            _require(max(self._busy(moved).values()) <= length, "a matching is longer than it says")
        _require(lengths <= self._period, "the matchings do not fit into the period")
        flows = {each: rate * self._period for each, rate in self._rates.items() if each[0] == "send"}
        _require(sent == flows, "the matchings do not carry the flows")
