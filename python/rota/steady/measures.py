"""Measures of a reduce in TOML: sizes of partial results, and what tasks take, where they are not alike.

    operands = [1, 2, "1/2"]              # size(v[k,k]), in messages
    combined = "sum"                      # size(v[k,m]): "sum" or "largest" of its operands'. Default: 1
    work = "result"                       # T[k,l,m] is as many unit tasks as v[k,m] is long. Default: 1
    sizes = [ { of = [0, 2], size = 3 } ]                    # size(v[0,2])
    works = [ { of = [0, 0, 2], work = "3/2" } ]             # T[0,0,2], in unit tasks, at all nodes
    times = [ { at = "P1", of = [0, 1, 2], time = 2 } ]      # w(P1, T[0,1,2]), in time units, or seconds

What is said of one partial result or task counts more than what is said of all. A node without a time of a
unit task computes only tasks of which it has a time. Source of the words: paper 5, Section 4.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rota.errors import RotaError
from rota.platforms.builder import at
from rota.platforms.numbers import exact, shortened
from rota.platforms.toml_form import parsed_toml, records, require_known, values_of
from rota.steady.reduce import Measures
from rota.steady.series import Computation, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from fractions import Fraction

    from rota.steady.series import Message

_KEYS: Final = ("operands", "combined", "work", "sizes", "works", "times")
_COMBINED: Final[Mapping[str, Callable[[tuple[Fraction, Fraction]], Fraction]]] = {
    "sum": lambda pair: pair[0] + pair[1],
    "largest": max,
}
_WORK: Final = "result"
_OF_RESULT, _OF_TASK = 2, 3


def measures_in(text: str, hosts: int) -> Measures:
    """Return the measures of a reduce of so many hosts' values that the TOML text describes.

    Every RotaError begins with the place. Whether nodes, partial results and tasks are there,
    `series_of_reduces` says.
    """
    document = parsed_toml(text)
    require_known(document, _KEYS)
    sizes = _by_rule(document, hosts)
    sizes |= {of: value for _, of, value in _said(document, "sizes", ("of", "size"), _OF_RESULT)}
    works: dict[Task, Fraction] = {}
    if _word(document, "work", (_WORK,)):
        works = {Task(k, middle, m): size for (k, m), size in sizes.items() for middle in range(k, m)}
    works |= {Task(*of): value for _, of, value in _said(document, "works", ("of", "work"), _OF_TASK)}
    times = {
        Computation(node, Task(*of)): value
        for node, of, value in _said(document, "times", ("at", "of", "time"), _OF_TASK)
    }
    return Measures(sizes, works, times)


def _by_rule(document: dict[str, Any], hosts: int) -> dict[Message, Fraction]:
    """Return the sizes of operands, and of all that is made of them, as far as a rule gives them."""
    rule = _word(document, "combined", tuple(_COMBINED))
    operands = document.get("operands", [1] * hosts)
    if not isinstance(operands, list) or len(operands) != hosts:
        raise RotaError(f"operands: give a list of {hosts} sizes, one for each host")
    own = [exact(values_of({"operands": each}, "operands")["operands"]) for each in operands]
    sizes: dict[Message, Fraction] = {(k, k): size for k, size in enumerate(own)}
    for more in range(1, hosts) if rule else ():
        for k in range(hosts - more):
            sizes[k, k + more] = _COMBINED[rule]((sizes[k, k + more - 1], own[k + more]))
    return sizes


def _word(document: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
    word = document.get(key, "")
    if word and word not in known:
        raise RotaError(f"{key}: {shortened(repr(word))} is unknown: write {' or '.join(known)}")
    return str(word)


def _said(
    document: dict[str, Any], key: str, keys: tuple[str, ...], length: int
) -> Iterator[tuple[str, tuple[int, ...], Fraction]]:
    """Yield what a list says: the node, if it is of one, of what, and how much."""
    seen: set[tuple[str, tuple[int, ...]]] = set()
    for number, record in enumerate(records(document, key), 1):
        with at(f"{key}, entry {number}"):
            require_known(record, keys)
            node = record.get("at", "")
            if "at" in keys and not (isinstance(node, str) and node):
                raise RotaError("at: name a node")
            of = _numbers(record.get("of"), length)
            value = values_of(record, keys[-1])
            if not value:
                raise RotaError(f"{keys[-1]}: give a number")
            if (node, of) in seen:
                raise RotaError(f"{list(of)} is there twice: leave one out")
            seen.add((node, of))
            yield node, of, exact(value[keys[-1]])


def _numbers(value: object, length: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != length or any(type(each) is not int for each in value):
        raise RotaError(f"of: give {length} numbers of hosts, as {list(range(length))}")
    return tuple(value)
