"""Communicators come and go by thousands, with all kinds of calls: nothing is left, in memory or in MPI.

`ROTA_TEST_CHURN=20000` makes as many as that; MPICH has 2048, so that leaked ones show in any case.
"""

import os
from pathlib import Path
from typing import Final

import pytest
from conftest import Compile
from mpi_jobs import ALL_FORCED, forced_between_groups, run_native, run_with_rota, succeeded

from rota.library import Abi

TIMES: Final = int(os.environ.get("ROTA_TEST_CHURN", "4000"))
RANKS: Final = 3
LIMIT_S: Final = 60 + TIMES // 5  # beside compilers it takes fifty times as long as alone
# What the MPI libraries' own caches and the allocator may grow by beyond what they do without Rota.
LEAST_LEAK_BYTES: Final = 16
SETTINGS: Final = {
    "ROTA_ALGORITHM": ",".join(
        (
            ALL_FORCED["ROTA_ALGORITHM"],
            "alltoall=exact",
            forced_between_groups("spread")["ROTA_ALGORITHM"],
        )
    ),
    "ROTA_BLOCK_BYTES": "512",
}


def grown_kib(output: str) -> int:
    return int(output.rpartition(":")[2])


@pytest.mark.long
def test_nothing_is_left(abi: Abi, compiled: Compile, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left of each would be seen in the second half, once all caches are filled."""
    monkeypatch.setattr("mpi_jobs.LIMIT_S", LIMIT_S)
    program = [compiled("churn_all"), str(TIMES)]
    native = grown_kib(succeeded(run_native(program, RANKS)).output)
    outcome = succeeded(run_with_rota(program, RANKS, SETTINGS, report))
    served = [line for line in outcome.lines if line["reason"] == ""]
    assert {line["schedule"] for line in served} == {"circulant", "exact", "spread"}
    blocking = len([turn for turn in range(TIMES) if turn % 5 in (0, 1, 4)])
    not_blocking = 2 * (TIMES - blocking)  # two at once, or two starts
    between, agreement_at_the_end = 2 * len(range(0, TIMES, 8)), 1
    expected = blocking + between + agreement_at_the_end + (0 if abi == "mpi5" else not_blocking)
    assert sum(line["calls"] for line in served) == expected
    assert grown_kib(outcome.output) - native < 256 + LEAST_LEAK_BYTES * TIMES // 2048
