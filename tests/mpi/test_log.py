"""ROTA_LOG: a line a call as it is decided, and another when it is over."""

import re
from collections import Counter
from typing import Any

import pytest
from conftest import Compile
from mpi_jobs import SMALL_BLOCKS, Outcome, run_with_rota, succeeded

RANKS = 6
LINE = re.compile(r"rota\[(\d+)\]: (\w+) of (.+) among (\d+) ranks?: (.+)")


def lines_of(outcome: Outcome) -> list[tuple[Any, ...]]:
    """Return rank, call, size, ranks and what is said, line by line; every line of Rota's is such a line."""
    said = [line for line in outcome.errors.splitlines() if line.startswith("rota")]
    matches = [LINE.fullmatch(line) for line in said]
    assert None not in matches, said
    return [match.groups() for match in matches if match]


def logged(compiled: Compile, level: str, **more: str) -> list[tuple[Any, ...]]:
    settings = {**SMALL_BLOCKS, "ROTA_HOSTS": str(RANKS), "ROTA_LOG": level, **more}
    return lines_of(succeeded(run_with_rota([compiled("lines")], RANKS, settings)))


def test_decisions(compiled: Compile) -> None:
    """From rank 0 only: what serves each call, small ones too, and why where it is native."""
    lines = logged(compiled, "info")
    assert {rank for rank, *_ in lines} == {"0"}
    said = Counter((call, size, ranks, what) for _, call, size, ranks, what in lines)
    assert said["bcast", "1000 B", "6", "circulant, 16 blocks, 18 rounds"] == 5
    assert said["bcast", "100 B", "6", "circulant, 2 blocks, 4 rounds"] == 2
    assert said["bcast", "0 B", "6", "native, no data"] == 1


def test_ends(compiled: Compile) -> None:
    """Each decision is followed by its call's end, with its time."""
    lines = logged(compiled, "debug")
    for decision, end in zip(lines[::2], lines[1::2], strict=True):
        assert decision[:4] == end[:4]
        assert re.fullmatch(r"over after \S+ ms", end[4])


def test_all_ranks(compiled: Compile) -> None:
    lines = logged(compiled, "info:all")
    assert {rank for rank, *_ in lines} == {str(rank) for rank in range(RANKS)}
    of_all = Counter(line[0] for line in lines if line[3] == str(RANKS))
    assert len(set(of_all.values())) == 1


def test_native_calls(compiled: Compile) -> None:
    lines = logged(compiled, "info", ROTA_OFF="all")
    assert {what for *_, what in lines if what != "native, no data"} == {"native, switched off"}


@pytest.mark.parametrize("level", ["off", ""])
def test_nothing_is_said_without(compiled: Compile, level: str) -> None:
    assert logged(compiled, level) == []
