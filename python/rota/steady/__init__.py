"""Steady state: the optimal throughput of a series of operations on a heterogeneous platform (paper 5).

>>> from rota.platforms import Link, Node, Platform
>>> from rota.steady import as_text, certify, planned, series_of_scatters
>>> links = (Link("source", "a", 1), Link("source", "b", 2), Link("a", "b", 1))
>>> platform = Platform((Node("source"), Node("a"), Node("b")), links)
>>> plan = planned(platform, series_of_scatters(platform, "source", ["a", "b"]))
>>> plan.throughput, plan.bound, plan.period, plan.operations
(Fraction(1, 2), Fraction(1, 2), Fraction(2, 1), 1)
>>> certify(as_text(plan)).throughput
Fraction(1, 2)

A platform comes from `rota.platforms`, in units (`Platform.in_units`): of time, of data and of computation,
one of each whatever they are; where the platform was physical, the unit of time is the second. A `Series`
says what is done again and again; `planned` is its plan, whose numbers are exact, Fractions. `as_text` is the
plan as JSON, which ``rota certify``, ``rota simulate`` and ``rota timetable`` read, and `plan_in` here;
`rota.series` carries it out over MPI.

What plans loads a solver of linear programs: it is loaded when a name is used that needs it. `certify` and
the words of plans need none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rota.steady.all_to_all import series_of_all_to_alls
    from rota.steady.broadcast import only_among, series_of_broadcasts
    from rota.steady.certificate import certify
    from rota.steady.claims import Claims, Refused
    from rota.steady.measures import measures_in
    from rota.steady.optimum import Optimum, Weighted
    from rota.steady.period import Matching, Piece
    from rota.steady.plan import Plan, as_text, plan_in, planned
    from rota.steady.reduce import Measures, series_of_reduces
    from rota.steady.scatter import series_of_scatters
    from rota.steady.schedule import schedule_of, violations_of
    from rota.steady.series import Computation, Kind, Place, Series, Task, Transfer
    from rota.steady.simulate import Simulated, simulated
    from rota.steady.timetable import Timetable, timetable_of

__all__ = [
    "Claims",
    "Computation",
    "Kind",
    "Matching",
    "Measures",
    "Optimum",
    "Piece",
    "Place",
    "Plan",
    "Refused",
    "Series",
    "Simulated",
    "Task",
    "Timetable",
    "Transfer",
    "Weighted",
    "as_text",
    "certify",
    "measures_in",
    "only_among",
    "plan_in",
    "planned",
    "schedule_of",
    "series_of_all_to_alls",
    "series_of_broadcasts",
    "series_of_reduces",
    "series_of_scatters",
    "simulated",
    "timetable_of",
    "violations_of",
]

_ROOMS: Final = {
    "all_to_all": ("series_of_all_to_alls",),
    "broadcast": ("only_among", "series_of_broadcasts"),
    "certificate": ("certify",),
    "claims": ("Claims", "Refused"),
    "measures": ("measures_in",),
    "optimum": ("Optimum", "Weighted"),
    "period": ("Matching", "Piece"),
    "plan": ("Plan", "as_text", "plan_in", "planned"),
    "reduce": ("Measures", "series_of_reduces"),
    "scatter": ("series_of_scatters",),
    "schedule": ("schedule_of", "violations_of"),
    "series": ("Computation", "Kind", "Place", "Series", "Task", "Transfer"),
    "simulate": ("Simulated", "simulated"),
    "timetable": ("Timetable", "timetable_of"),
}
_ROOM_OF: Final = {name: room for room, names in _ROOMS.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name is of
    """Load what the name is of."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    """Return what is loaded, and what can be."""
    return sorted({*globals(), *__all__})
