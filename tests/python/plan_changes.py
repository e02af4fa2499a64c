"""Plans of all four kinds, and changes of them: of any field, and such as try to leave a plan a plan."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from rota.platforms import Link, Node, Platform
from rota.platforms.paper import figure2, figure6
from rota.steady.all_to_all import series_of_all_to_alls
from rota.steady.broadcast import series_of_broadcasts
from rota.steady.claims import seal_of
from rota.steady.plan import Plan, as_text, planned
from rota.steady.reduce import Measures, series_of_reduces
from rota.steady.scatter import series_of_scatters
from rota.steady.series import Computation, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

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
Document = dict[str, Any]


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


def _sealed(document: Document) -> str:
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


def _place(document: Document, random: Random) -> tuple[Any, Any]:
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


def _number(document: Document, random: Random) -> None:
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


def _replace(document: Document, random: Random) -> None:
    holder, key = _place(document, random)
    holder[key] = json.loads(json.dumps(random.choice(NASTY)))


def _take_another(document: Document, random: Random) -> None:
    """Put what stands at one place at another one too."""
    holder, key = _place(document, random)
    other, there = _place(document, random)
    holder[key] = json.loads(json.dumps(other[there]))


def _delete(document: Document, random: Random) -> None:
    holder, key = _place(document, random)
    del holder[key]


def _double(document: Document, random: Random) -> None:
    holder, key = _place(document, random)
    copy = json.loads(json.dumps(holder[key]))
    if isinstance(holder, list):
        holder.insert(random.randrange(len(holder) + 1), copy)
    else:
        holder[random.choice(("extra", "rate", "Pa", "b", str(key).upper()))] = copy


def _swap(document: Document, random: Random) -> None:
    holder, key = _place(document, random)
    other = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


def _everywhere(document: Document, random: Random) -> None:
    """Change all numbers that are equal alike."""
    texts = {at(document, path) for path in paths(document) if _is_number(at(document, path))}
    before = random.choice(sorted(texts))
    after = _nudged(before, random)
    for *path, key in list(paths(document)):
        holder = at(document, path)
        if holder[key] == before:
            holder[key] = after


def _rename(document: Document, random: Random) -> None:
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


def _scale(document: Document, random: Random) -> None:
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


def _repeat(document: Document, random: Random) -> None:
    """Take a period that is so many times as long: right, if it is fixed."""
    times = random.choice((2, 3))
    document["fixed"] = random.choice((True, document["fixed"]))
    for key in ("period", "operations_per_period"):
        document[key] = str(Fraction(document[key]) * times)
    for tree in document["trees"]:
        tree["weight"] = str(Fraction(tree["weight"]) * times)
    document["matchings"] = (document["matchings"] or []) * times


def _halve(document: Document, random: Random) -> None:
    """Split a tree or a matching in two: right, or cut trees that are not whole."""
    what, number = random.choice((("trees", "weight"), ("matchings", "length")))
    each = random.choice(document[what])
    each[number] = str(Fraction(each[number]) / 2)
    if what == "matchings":
        for transfer in each["transfers"]:
            transfer[3] = str(Fraction(transfer[3]) / 2)
    document[what].append(json.loads(json.dumps(each)))


def _join(document: Document, random: Random) -> None:
    """Put a matching into another one, or list a matching's transfer twice."""
    one, other = random.choice(document["matchings"]), random.choice(document["matchings"])
    one["transfers"] += json.loads(json.dumps(other["transfers"]))
    one["length"] = random.choice((one["length"], str(Fraction(one["length"]) + Fraction(other["length"]))))


def _empty_fields(document: Document, random: Random) -> None:
    """Leave out what need not be there, or what must."""
    document[random.choice(("matchings", "matchings", "tasks", "flows", "trees"))] = random.choice((None, []))


def _detour(document: Document, random: Random) -> None:
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


def _loosen(document: Document, random: Random) -> None:
    """Raise a price and the bound: still a bound, if no message gets cheaper."""
    part = random.choice(("send", "receive", "compute"))
    node = random.choice(document["platform"]["nodes"])["id"]
    more = random.choice((Fraction(0), Fraction(1, 4), Fraction(1)))
    document["dual"][part][node] = str(Fraction(document["dual"][part].get(node, "0")) + more)
    document["bound"] = str(Fraction(document["bound"]) + more)
    if random.random() < 0.2:
        document["throughput"] = document["bound"]


def _shrink_series(document: Document, random: Random) -> None:
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


def _measure(document: Document, random: Random) -> None:
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


CHANGES: list[Callable[[Document, Random], None]] = [
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
