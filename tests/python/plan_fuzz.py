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
from itertools import permutations
from multiprocessing import Pool
from random import Random
from typing import TYPE_CHECKING, Any

from rota.errors import RotaError
from rota.platforms import Link, Node, Platform
from rota.platforms.paper import figure2, figure6
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.certify import certify
from rota.steady.claims import seal_of
from rota.steady.optimum import optimum
from rota.steady.period import least_period
from rota.steady.plan import Plan, as_text, plan_in, planned
from rota.steady.pricing import pricing_of
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.schedule import violations_of
from rota.steady.series import Computation, Kind, Task, Transfer
from rota.steady.simulate import simulated
from rota.steady.timetable import timetable_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rota.steady.claims import Claims

CPU_S = 20.0
"""More processor time for one small plan counts as a hang."""

MOST_LETTERS = 700
"""Of a line that says why a plan is refused: it may name two nodes."""

SHARE = 10_000
"""Of the changes that are asked for by hand: a line is printed after each."""

NASTY: list[Any] = [
    *(None, True, False, 0, 1, 2, 5, -1, 10**30, 0.5, 1e300, float("nan"), float("inf"), [], {}, [[]], ""),
    *("0", "1", "2", "3", "1/2", "5/3", "7", "1000000", "9" * 4000, "9" * 4001, "1/" + "9" * 4000, "1/0"),
    *(
        "-1",
        "-1/2",
        "1.0",
        "1e3",
        "01",
        "2/4",
        "4/2",
        "1/1",
        " 1",
        "1 ",
        "+1",
        "0x1",
        "1_0",
        "\u0661",
        "\u00b2",
    ),
    *("NaN", "Infinity", "None", "null", "Ps", "P0", "n0", "n1", "send", "scatter", "reduce", "broadcast"),
    *(
        "a\nx.json: certified: reduce",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "a" * 500,
        "\x00",
        "\\",
        '"',
        "{}",
        "[",
    ),
    *([0], [1], [0, 0], [0, 1], [1, 0], [-1], [True], ["0"], [0.0], [0, 0, 1], [10**9]),
]

Path = tuple[Any, ...]
_Document = dict[str, Any]


@cache
def seeds() -> tuple[str, ...]:
    """Return plans of all kinds: the optimum, with a short period, below the bound, and without matchings."""
    plans = list(_plans())
    fixed = [plan.shortest for plan in plans]
    rounded = [
        planned(each.platform, each.series, 2 / min(way.weight for way in each.ways)) for each in plans
    ]
    below = [planned(each.platform, each.series, Fraction(5, 2) / each.throughput) for each in plans]
    texts = [as_text(plan) for plan in (*plans, *fixed, *rounded, *below)]
    return tuple(sorted({*texts, *(as_text(plan, with_matchings=False) for plan in plans)}))


def _plans() -> Iterator[Plan]:
    two, six = figure2(), figure6()
    yield planned(two, series_of_scatters(two, "Ps", ["P0", "P1"]))
    yield planned(two, series_of_scatters(two, "Pb", ["P1", "P0"], [Fraction(1, 2), Fraction(3)]))
    yield planned(six, series_of_reduces(six, ["P0", "P1", "P2"], "P0"))
    costs = {
        ("a", "b"): 1,
        ("b", "a"): 2,
        ("b", "c"): 1,
        ("c", "a"): 1,
        ("a", "d"): 3,
        ("d", "b"): 1,
        ("c", "d"): 2,
    }
    nodes = (Node("a", Fraction(1, 2)), Node("b"), Node("c", Fraction(2)), Node("d"))
    four = Platform(nodes, tuple(Link(*ends, Fraction(cost)) for ends, cost in costs.items()))
    yield planned(four, series_of_reduces(four, ["b", "a", "d"], "c"))
    measures = Measures(
        {(0, 0): Fraction(2), (0, 1): Fraction(1, 2), (1, 2): Fraction(3)},
        {Task(0, 0, 1): Fraction(2, 3), Task(1, 1, 2): Fraction(2)},
        {Computation("b", Task(0, 1, 2)): Fraction(1, 3), Computation("a", Task(0, 0, 1)): Fraction(1)},
    )
    yield planned(four, series_of_reduces(four, ["b", "a", "d"], "c", measures))
    yield planned(six, series_of_reduces(six, ["P0", "P1", "P2"], "P0", Measures({(0, 1): Fraction(2)})))
    yield planned(four, series_of_all_to_alls(four, ["a", "b", "c"]))
    yield planned(four, series_of_all_to_alls(four, ["d", "b"], {(1, 0): Fraction(2, 3)}))
    yield planned(four, series_of_broadcasts(four, "a", ["b", "c", "d"]))
    complete = Platform(
        tuple(Node(name) for name in "abc"),
        tuple(Link(*ends, Fraction(place + 1, 2)) for place, ends in enumerate(permutations("abc", 2))),
    )
    yield planned(complete, series_of_broadcasts(complete, "b", ["a", "c"]))


# Changes.


def changed(random: Random) -> tuple[str, str]:
    """Return a plan's text and what it has become by one change or a few."""
    seed = random.choice(seeds())
    document = json.loads(seed)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        try:
            random.choice(CHANGES)(document, random)
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            continue  # An earlier change has left nothing of which this one could be made.
    if random.random() < 0.97:
        document["seal"] = _sealed(document)
    text = json.dumps(document)
    return seed, _with_a_key_twice(text, random) if random.random() < 0.05 else text


def _sealed(document: _Document) -> str:
    try:
        return seal_of(document)
    except (TypeError, ValueError):
        return ""


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Generate the places of everything in a document."""
    items: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in items:
        yield (*path, key)
        yield from paths(item, (*path, key))


def _place(document: _Document, random: Random) -> tuple[Any, Any]:
    """Return a list or object somewhere in the plan and a place in it, each field's chances being equal."""
    *path, key = random.choice(list(paths(document)))
    holder: Any = document
    for step in path:
        holder = holder[step]
    return holder, key


def _nudged(text: str, random: Random) -> str:
    number = Fraction(text)
    unit = Fraction(1, number.denominator)
    return str(
        random.choice(
            (number + unit, number - unit, number * 2, number / 2, number + 1, 1 - number, 1 / number)
        )
    )


def _number(document: _Document, random: Random) -> None:
    """Change one number a little."""
    numbers = [path for path in paths(document) if _is_number(at(document, path))]
    *path, key = random.choice(numbers)
    holder = at(document, path)
    holder[key] = _nudged(holder[key], random)


def at(document: Any, path: Any) -> Any:
    """Return what stands at a place."""
    for step in path:
        document = document[step]
    return document


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.replace("/", "", 1).isdecimal()


def _replace(document: _Document, random: Random) -> None:
    holder, key = _place(document, random)
    holder[key] = json.loads(json.dumps(random.choice(NASTY)))


def _take_another(document: _Document, random: Random) -> None:
    """Put what stands at one place at another one too."""
    holder, key = _place(document, random)
    other, there = _place(document, random)
    holder[key] = json.loads(json.dumps(other[there]))


def _delete(document: _Document, random: Random) -> None:
    holder, key = _place(document, random)
    del holder[key]


def _double(document: _Document, random: Random) -> None:
    holder, key = _place(document, random)
    copy = json.loads(json.dumps(holder[key]))
    if isinstance(holder, list):
        holder.insert(random.randrange(len(holder) + 1), copy)
    else:
        holder[random.choice(("extra", "rate", "Pa", "b", str(key).upper()))] = copy


def _swap(document: _Document, random: Random) -> None:
    holder, key = _place(document, random)
    other = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


def _everywhere(document: _Document, random: Random) -> None:
    """Change all numbers that are equal alike."""
    texts = {at(document, path) for path in paths(document) if _is_number(at(document, path))}
    before = random.choice(sorted(texts))
    after = _nudged(before, random)
    for *path, key in list(paths(document)):
        holder = at(document, path)
        if holder[key] == before:
            holder[key] = after


def _rename(document: _Document, random: Random) -> None:
    """Call a node something else everywhere, which leaves a right plan, or call two nodes alike."""
    node = random.choice(document["platform"]["nodes"])["id"]
    name = random.choice(
        ("x", "b", "P0", 5, "a\nx.json: certified: scatter", " x", "", "a" * 300, "\x9b31m", "n 1")
    )
    renamed = _with_names(document, {node: name})
    document.clear()
    document.update(renamed)


def _with_names(value: Any, names: dict[Any, Any]) -> Any:
    if isinstance(value, dict):
        return {str(names.get(key, key)): _with_names(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_names(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def _scale(document: _Document, random: Random) -> None:
    """Take another unit of time: right again, but for the least period."""
    factor = random.choice((Fraction(2), Fraction(1, 2), Fraction(3), Fraction(2, 3)))

    def scale(holder: Any, key: Any, by: Fraction) -> None:
        holder[key] = str(Fraction(holder[key]) * by)

    for node in document["platform"]["nodes"]:
        if "task" in node:
            scale(node, "task", factor)
    for link in document["platform"]["links"]:
        scale(link, "cost", factor)
    for key in ("throughput", "bound"):
        scale(document, key, 1 / factor)
    scale(document, "period", factor)
    for each in (*document["flows"], *document["tasks"]):
        scale(each, "rate", 1 / factor)
    for part in ("send", "receive", "compute"):
        for node in document["dual"][part]:
            scale(document["dual"][part], node, 1 / factor)
    lengths = [(matching, "length") for matching in document["matchings"] or ()]
    own_times = [(own, -1) for own in document["series"].get("times", ())]
    for holder, key in (*lengths, *own_times):
        scale(holder, key, factor)


def _repeat(document: _Document, random: Random) -> None:
    """Take a period that is so many times as long: right, if it is fixed."""
    times = random.choice((2, 3))
    document["fixed"] = random.choice((True, document["fixed"]))
    for key in ("period", "operations_per_period"):
        document[key] = str(Fraction(document[key]) * times)
    for tree in document["trees"]:
        tree["weight"] = str(Fraction(tree["weight"]) * times)
    document["matchings"] = (document["matchings"] or []) * times


def _halve(document: _Document, random: Random) -> None:
    """Split a tree or a matching in two: right, or cut trees that are not whole."""
    what, number = random.choice((("trees", "weight"), ("matchings", "length")))
    each = random.choice(document[what])
    each[number] = str(Fraction(each[number]) / 2)
    if what == "matchings":
        for transfer in each["transfers"]:
            transfer[3] = str(Fraction(transfer[3]) / 2)
    document[what].append(json.loads(json.dumps(each)))


def _join(document: _Document, random: Random) -> None:
    """Put a matching into another one, or list a matching's transfer twice."""
    one, other = random.choice(document["matchings"]), random.choice(document["matchings"])
    one["transfers"] += json.loads(json.dumps(other["transfers"]))
    one["length"] = random.choice((one["length"], str(Fraction(one["length"]) + Fraction(other["length"]))))


def _empty_fields(document: _Document, random: Random) -> None:
    """Leave out what need not be there, or what must."""
    document[random.choice(("matchings", "matchings", "tasks", "flows", "trees"))] = random.choice((None, []))


def _detour(document: _Document, random: Random) -> None:
    """Have a tree send a message to and fro: it is conserved, and the flows add up to the trees."""
    links = [(link["source"], link["target"]) for link in document["platform"]["links"]]
    ends = random.choice(links)
    tree = random.choice(document["trees"])
    message = random.choice(tree["transfers"])[2]
    for source, target in (ends, ends[::-1]):
        tree["transfers"].insert(random.randrange(len(tree["transfers"]) + 1), [source, target, message])
        rate = Fraction(tree["weight"]) / Fraction(document["period"])
        for flow in document["flows"]:
            if (flow["source"], flow["target"], flow["message"]) == (source, target, message):
                flow["rate"] = str(Fraction(flow["rate"]) + rate)
                break
        else:
            document["flows"].append(
                {"source": source, "target": target, "message": message, "rate": str(rate)}
            )
    document["matchings"] = random.choice((None, document["matchings"]))


def _loosen(document: _Document, random: Random) -> None:
    """Raise a price and the bound: still a bound, if no message gets cheaper."""
    part = random.choice(("send", "receive", "compute"))
    node = random.choice(document["platform"]["nodes"])["id"]
    more = random.choice((Fraction(0), Fraction(1, 4), Fraction(1)))
    document["dual"][part][node] = str(Fraction(document["dual"][part].get(node, "0")) + more)
    document["bound"] = str(Fraction(document["bound"]) + more)
    if random.random() < 0.2:
        document["throughput"] = document["bound"]


def _shrink_series(document: _Document, random: Random) -> None:
    """Leave a host out, name one twice or another root, also where the plan goes on as before."""
    series = document["series"]
    match random.randrange(3):
        case 0:
            place = random.randrange(len(series["hosts"]))
            del series["hosts"][place]
            if series["kind"] == "scatter":
                del series["sizes"][place]
        case 1:
            series["hosts"].append(random.choice(document["platform"]["nodes"])["id"])
        case _:
            series["root"] = random.choice(document["platform"]["nodes"])["id"]


def _measure(document: _Document, random: Random) -> None:
    """Give a partial result or a task a size, work or time, or take one away."""
    series = document["series"]
    hosts = len(series["hosts"])
    first, last = sorted((random.randrange(hosts), random.randrange(hosts)))
    number = random.choice(("1", "1", "2", "1/2", "1000", "0"))
    match random.randrange(4):
        case 0:
            series["sizes"].append([first, last, number])
        case 1:
            series["works"].append([first, random.randrange(first, last), last, number])
        case 2:
            node = random.choice(document["platform"]["nodes"])["id"]
            series["times"].append([node, first, random.randrange(first, last), last, number])
        case _:
            holder = series[random.choice(("sizes", "works", "times"))]
            del holder[random.randrange(len(holder))]


def _with_a_key_twice(text: str, random: Random) -> str:
    """Return the text with a key that is there once more, with another value or the same."""
    keys = [place for place in range(1, len(text)) if text[place] == '"' and text[place - 1] in "{ "]
    place = random.choice(keys)
    end = text.find('": ', place)
    key = text[place : end + 1]
    return f"{text[:place]}{key}: {json.dumps(random.choice(('1/2', '5', 0, None, '')))}, {text[place:]}"


CHANGES: list[Callable[[_Document, Random], None]] = [
    *([_number] * 4 + [_replace] * 5 + [_take_another] * 4 + [_delete] * 2 + [_double] * 2 + [_swap] * 2),
    *(
        _everywhere,
        _rename,
        _scale,
        _repeat,
        _halve,
        _join,
        _empty_fields,
        _detour,
        _loosen,
        _shrink_series,
        _measure,
    ),
]


# What is accepted, once more.


def meaning(document: _Document) -> str:
    """Return what a plan says, in whatever order it says it, and whatever its platform is called."""

    def in_order(holder: _Document, *keys: str) -> None:
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


def _said_amounts(document: _Document) -> Iterator[tuple[Transfer | Computation, Fraction]]:
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


def _require_played(plan: Plan, matchings: list[_Document]) -> None:
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
