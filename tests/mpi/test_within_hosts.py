"""Messages between ranks of a host go through memory that they share, where they can have some."""

from collections.abc import Mapping

import pytest
from conftest import Compile
from mpi_jobs import FORCED, run_with_rota, succeeded

RANKS = 4


def said(compiled: Compile, *arguments: str, settings: Mapping[str, str] = FORCED) -> str:
    return succeeded(run_with_rota([compiled("within_host"), *arguments], RANKS, settings)).output.strip()


@pytest.mark.parametrize("block", ["100", "64KiB", "256KiB", "300KiB"])
def test_large_and_small_messages(compiled: Compile, block: str) -> None:
    """Those of 300 KiB do not fit into a box."""
    assert said(compiled, settings={**FORCED, "ROTA_BLOCK_BYTES": block}) == "places 1"


@pytest.mark.parametrize("rounds", ["1", "2", "8"])
def test_more_rounds_in_flight_than_boxes(compiled: Compile, rounds: str) -> None:
    settings = {**FORCED, "ROTA_BLOCK_BYTES": "4KiB", "ROTA_ROUNDS_IN_FLIGHT": rounds}
    assert said(compiled, settings=settings) == "places 1"


@pytest.mark.parametrize("algorithm", ["chain", "two_tree"])
def test_what_a_rank_has_changed_is_not_passed_on(compiled: Compile, algorithm: str) -> None:
    settings = {"ROTA_ALGORITHM": f"scan={algorithm}", "ROTA_BLOCK_BYTES": "4KiB"}
    assert said(compiled, "scan", settings=settings) == "places 1"


@pytest.mark.parametrize("hosts", ["2", "3"])
def test_on_some_hosts_a_rank_is_alone(compiled: Compile, hosts: str) -> None:
    assert said(compiled, settings={**FORCED, "ROTA_HOSTS": hosts}) == "places 1"


@pytest.mark.parametrize(("variable", "value"), [("ROTA_SHARED_MEMORY", "off"), ("ROTA_HOSTS", str(RANKS))])
def test_by_the_mpi_library(compiled: Compile, variable: str, value: str) -> None:
    assert said(compiled, settings={**FORCED, variable: value}) == "places 0"


@pytest.mark.parametrize("how", ["starved", "limited"])
def test_where_a_rank_can_have_none_nobody_has(compiled: Compile, how: str) -> None:
    assert said(compiled, how) == "places 0"


def test_what_else_is_under_way_goes_on(compiled: Compile) -> None:
    """By a rank that waits for a message in its own memory, and for none of MPI's."""
    assert said(compiled, "pending") == "places 1"


def test_few_communicators_have_some(compiled: Compile) -> None:
    """And it is gone with them, and no file stays open."""
    assert said(compiled, "many", "40") == "at most 16, files 0, then places 0"
