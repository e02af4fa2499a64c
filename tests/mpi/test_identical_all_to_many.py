"""The all-to-many calls by schedules: every byte of every rank's memory as without Rota."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import run_native, run_with_rota, succeeded

CASES = 15
ALGORITHMS = ("exact", "weighted", "unsplit", "cgm", "gm", "lp")


@pytest.mark.parametrize(("ranks", "algorithm"), [*enumerate(ALGORITHMS, 2), (9, "exact"), (1, "exact")])
def test_random_calls(compiled: Compile, report: Path, ranks: int, algorithm: str) -> None:
    """Equal, sparse and skewed messages, in place and not, other types and displacements on every rank."""
    compare(compiled("exchanges"), report, ranks, algorithm)


@pytest.mark.parametrize(("ranks", "algorithm"), [(1, "exact"), (2, "exact"), (6, "weighted")])
def test_neighbours(compiled: Compile, report: Path, ranks: int, algorithm: str) -> None:
    """Grids, graphs and lists; neighbours several times, at borders, and the rank itself."""
    compare(compiled("neighbours"), report, ranks, algorithm)


@pytest.mark.parametrize(
    ("ranks", "hosts", "algorithm"),
    [(4, 2, "exact"), (5, 2, "exact"), (6, 3, "weighted"), (7, 3, "unsplit"), (8, 3, "exact"), (6, 5, "cgm")],
)
@pytest.mark.parametrize("program", ["exchanges", "neighbours"])
def test_on_shared_hosts(
    compiled: Compile, report: Path, program: str, ranks: int, hosts: int, algorithm: str
) -> None:
    """The same algorithms, for hosts, and ranks of two hosts within."""
    compare(compiled(program), report, ranks, algorithm, {"ROTA_HOSTS": str(hosts)})


@pytest.mark.parametrize(
    ("ranks", "hosts", "algorithm"),
    [(4, 2, "weighted"), (5, 2, "exact"), (7, 3, "weighted"), (8, 3, "unsplit"), (6, 5, "weighted")],
)
@pytest.mark.parametrize("program", ["exchanges", "neighbours"])
def test_over_links(
    compiled: Compile, report: Path, program: str, ranks: int, hosts: int, algorithm: str
) -> None:
    """Hosts of two links: as many messages of a host at a time, in pieces; and whole ones."""
    compare(compiled(program), report, ranks, algorithm, {"ROTA_HOSTS": str(hosts), "ROTA_LANES": "2"})


def compare(
    compiled: Path, report: Path, ranks: int, algorithm: str, hosts: Mapping[str, str] | None = None
) -> None:
    program = [compiled, "1", str(CASES)]
    settings = {"ROTA_ALGORITHM": f"alltoall={algorithm}", **(hosts or {})}
    with_rota = succeeded(run_with_rota(program, ranks, settings, report))
    native = succeeded(run_native(program, ranks))
    assert with_rota.output == native.output
    with_messages = int(native.output.rpartition("with messages: ")[2])
    served = sum(
        line["calls"]
        for line in with_rota.lines
        if line["collective"] == "alltoall" and line["schedule"] == algorithm
    )
    assert served == (with_messages if ranks > 1 else 0)
    assert ranks == 1 or with_messages > 0


@pytest.mark.parametrize("refused_bytes", [300, 500])
def test_one_rank_without_memory(compiled: Compile, report: Path, refused_bytes: int) -> None:
    """No room for the rows of six ranks, or for their schedule: all ranks make the call natively."""
    program = [compiled("starved"), str(refused_bytes)]
    outcome = succeeded(run_with_rota(program, 6, {"ROTA_ALGORITHM": "alltoall=exact"}, report))
    exchanges = [line for line in outcome.lines if line["collective"] == "alltoall"]
    assert sorted((line["schedule"], line["reason"], line["calls"]) for line in exchanges) == [
        ("exact", "", 1),
        ("exact", "", 1),
        ("native", "no memory for a schedule", 1),
    ]
