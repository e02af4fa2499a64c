"""What Python programs plan with: `rota.steady`, and `__all__` of the modules beside it."""

import ast
import doctest
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from steady_plans import figure_2, figure_6

import rota.steady
from rota.errors import RotaError
from rota.platforms import Platform, Units
from rota.steady import (
    Kind,
    Measures,
    Plan,
    Refused,
    Series,
    Task,
    Transfer,
    as_text,
    certify,
    measures_in,
    only_among,
    plan_in,
    planned,
    schedule_of,
    series_of_all_to_alls,
    series_of_broadcasts,
    series_of_reduces,
    series_of_scatters,
    simulated,
    timetable_of,
    violations_of,
)

HOSTS: Final = ("P0", "P1", "P2")
MODULES: Final = (
    "rota",
    "rota.patterns",
    "rota.platforms",
    "rota.steady",
    "rota.series",
    "rota.between",
    "rota.exchange",
)

# Each is made anew every time.
SERIES: Final[dict[Kind, tuple[Callable[[], Platform], Callable[[Platform], Series]]]] = {
    Kind.SCATTER: (figure_2, lambda platform: series_of_scatters(platform, "Ps", ["P0", "P1"], [1, 2])),
    Kind.ALL_TO_ALL: (
        figure_6,
        lambda platform: series_of_all_to_alls(platform, HOSTS, {(0, 1): 3, (2, 0): 1}),
    ),
    Kind.REDUCE: (
        figure_6,
        lambda platform: series_of_reduces(
            platform, HOSTS, "P0", Measures(works={Task(0, 0, 2): Fraction(3)})
        ),
    ),
    Kind.BROADCAST: (figure_6, lambda platform: series_of_broadcasts(platform, "P0", ["P1", "P2"])),
}


def plan_of(kind: Kind) -> Plan:
    make_platform, make_series = SERIES[kind]
    platform = make_platform()
    return planned(platform, make_series(platform))


def public() -> Iterator[tuple[str, Any]]:
    """Yield what the modules export: functions and classes, each by its name."""
    for module in MODULES:
        loaded = import_module(module)
        for name in loaded.__all__:
            if name != "__version__":
                yield f"{module}.{name}", getattr(loaded, name)


@pytest.mark.parametrize("module", MODULES)
def test_all_names_are_there(module: str) -> None:
    loaded = import_module(module)
    assert list(loaded.__all__) == sorted(set(loaded.__all__))
    assert set(loaded.__all__) <= set(dir(loaded))
    namespace: dict[str, Any] = {}
    exec(f"from {module} import *", namespace)  # noqa: S102 - what a program may write
    assert set(loaded.__all__) <= set(namespace)
    assert not any(isinstance(namespace[name], ModuleType) for name in loaded.__all__)


@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    """`python -m doctest` takes one __init__.py at a time."""
    assert doctest.testmod(import_module(module)).failed == 0


def test_all_say_what_they_are() -> None:
    """With words of their own: a dataclass without any says what its parameters are."""
    for name, value in public():
        told = inspect.getdoc(value)
        assert told, name
        is_cpp = value.__module__ == "rota._core"  # words follow the signature
        assert is_cpp or not told.startswith(f"{name.rsplit('.', 1)[-1]}("), name


def test_steady_says_what_its_members_are() -> None:
    for name in rota.steady.__all__:
        value = getattr(rota.steady, name)
        assert value.__module__.startswith("rota.steady."), name
        for member, what in vars(value).items() if inspect.isclass(value) else ():
            if not member.startswith("_") and (inspect.isfunction(what) or isinstance(what, property)):
                assert inspect.getdoc(what), f"{name}.{member}"


def test_names_for_programs_and_for_checkers_of_types_are_the_same() -> None:
    """What is loaded when it is asked for stands there twice."""
    tree = ast.parse(inspect.getsource(rota.steady))
    typed = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rota.steady.")
        for alias in node.names
    }
    assert sorted(typed) == rota.steady.__all__
    assert all(
        getattr(import_module(room or ""), name) is getattr(rota.steady, name) for name, room in typed.items()
    )


def test_unknown_names_are_told() -> None:
    with pytest.raises(AttributeError, match=r"'rota\.steady' has no attribute 'planed'"):
        rota.steady.planed  # noqa: B018


@pytest.mark.parametrize(
    ("words", "loaded"),
    [
        ("import rota, rota.steady", False),
        ("from rota.steady import certify, Kind", False),
        ("from rota.steady import planned", True),
    ],
)
def test_the_solver_is_loaded_by_what_needs_it(words: str, loaded: bool) -> None:  # noqa: FBT001
    program = f"{words}\nimport sys; print('highspy' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert printed.stdout == f"{loaded}\n"


@pytest.mark.parametrize("module", ["rota.series", "rota.between", "rota.exchange"])
def test_modules_beside_mpi4py_export_what_is_theirs(module: str) -> None:
    loaded = import_module(module)
    public = {
        name
        for name, value in vars(loaded).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module
    }
    assert public == set(loaded.__all__)


@pytest.mark.parametrize("kind", Kind)
def test_plans_are_data(kind: Kind) -> None:
    one, same = plan_of(kind), plan_of(kind)
    assert one is not same
    assert one == same
    assert one.series.kind is kind
    assert [other for other in Kind if plan_of(other) == one] == [kind]
    for value in (
        one,
        one.series,
        one.optimum,
        one.ways[0],
        one.matchings,
        timetable_of(one),
        simulated(one, one.period),
    ):
        again = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own
        assert type(again) is type(value)
        assert again == value
    assert hash(one.ways) == hash(same.ways)
    assert hash(timetable_of(one)) == hash(timetable_of(same))


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("which", ["period", "shortest", "unsplit"])
def test_what_was_read_is_what_was_written(kind: Kind, which: str, tmp_path: Path) -> None:
    plan = plan_of(kind)
    plan = plan if which == "period" else getattr(plan, which)
    file = tmp_path / "plan.json"
    file.write_text(as_text(plan))
    again = plan_in(file.read_text())
    assert again == plan
    assert as_text(again) == file.read_text()
    claims = certify(as_text(again))
    assert (claims.throughput, claims.bound, claims.period) == (plan.throughput, plan.bound, plan.period)
    assert claims == pickle.loads(pickle.dumps(claims))  # noqa: S301 - our own
    assert not violations_of(again, periods=2)


def test_a_rounded_plan_has_the_same_text_when_read() -> None:
    platform = figure_2()
    plan = planned(platform, series_of_scatters(platform, "Ps", ["P0", "P1"]), Fraction(5))
    assert plan.throughput < plan.bound
    text = as_text(plan)
    assert as_text(plan_in(text)) == text
    assert plan_in(text).ways == plan.ways


def test_the_worked_example() -> None:
    platform = figure_6()
    plan = planned(platform, series_of_reduces(platform, HOSTS, target="P0"))
    assert (plan.throughput, plan.bound, plan.period, plan.operations) == (1, 1, 1, 1)
    sent = [each for each in plan.ways[0].way if isinstance(each, Transfer)]
    assert sent == [Transfer("P1", "P2", (1, 1)), Transfer("P2", "P0", (1, 2))]
    assert [(matching.length, len(matching.pieces)) for matching in plan.matchings] == [(1, 2)]
    table = timetable_of(plan)
    assert (table.ranks, table.operations, table.matchings) == (3, 1, 1)
    assert schedule_of(plan, periods=3).rounds >= 3


def test_measures_and_platforms_of_some_nodes() -> None:
    measures = measures_in("sizes = [ { of = [0, 2], size = 3 } ]", hosts=3)
    assert series_of_reduces(figure_6(), HOSTS, "P0", measures).sizes[0, 2] == 3
    pair = only_among(figure_6(), ["P0", "P1"])
    assert planned(pair, series_of_broadcasts(pair, "P0", ["P1"])).throughput == 1


def test_a_plan_is_of_units() -> None:
    """A byte would be the message, else."""
    units = figure_2()
    physical = Platform(units.nodes, units.links, Units.PHYSICAL)
    with pytest.raises(RotaError, match="say how many bytes"):
        planned(physical, series_of_scatters(physical, "Ps", ["P0", "P1"]))
    sized = physical.in_units(Fraction(2))
    assert planned(sized, series_of_scatters(sized, "Ps", ["P0", "P1"])).throughput == Fraction(1, 4)


def test_what_was_changed_is_refused() -> None:
    text = as_text(plan_of(Kind.BROADCAST))
    with pytest.raises(Refused):
        certify(text.replace('"fixed": false', '"fixed": true'))
    assert issubclass(Refused, RotaError)
