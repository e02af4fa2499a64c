"""With Rota a program gets, byte for byte, what it gets without.

Every rank's whole memory is compared, the gaps in and around the data too: with what the program itself
worked out, and by hash with what the MPI library alone does. The reports show that
Rota served every broadcast with data.
"""

from pathlib import Path

import pytest
from conftest import Compile
from mpi_jobs import FORCED, SMALL_BLOCKS, Outcome, run_native, run_with_rota, succeeded

from rota.library import ABIS

RANKS = (*range(1, 10), 13, 16, 17)
RANKS_OF_MPI5 = (1, 2, 5, 8, 17)  # MPICH again, by other symbols
MOST_RANKS_IN_SHORT = 9
BLOCK = 64


def rounds_for_one_block(ranks: int) -> int:
    return (ranks - 1).bit_length()


def sizes_around_boundaries(ranks: int) -> list[int]:
    q = rounds_for_one_block(ranks)
    # 832 and 192: blocks that end together with an item of the families with 13 and 12 bytes a unit.
    multiples = {BLOCK, 2 * BLOCK, 3 * BLOCK, (q + 1) * BLOCK, 832}
    around = {size + offset for size in {BLOCK, q * BLOCK} for offset in (-1, 0, 1)}
    return sorted({0, 1, 13, 20 * BLOCK + 5, *multiples, *around} - {-1})


def assert_served(with_rota: Outcome, ranks: int) -> None:
    """Rota's schedule served every broadcast, except those without data."""
    with_data = int(with_rota.output.rpartition("with data: ")[2])
    assert with_data > 0
    if ranks == 1:
        assert set(with_rota.reasons()) == {"one rank"}
        return
    assert with_rota.calls("circulant") == with_data
    assert set(with_rota.reasons()) <= {"no data"}
    assert all(
        line["rounds"] == line["least_rounds"]
        for line in with_rota.broadcasts
        if line["schedule"] == "circulant"
    )


@pytest.mark.parametrize(
    ("abi", "ranks"),
    [
        pytest.param(abi, ranks, marks=pytest.mark.long if ranks > MOST_RANKS_IN_SHORT else ())
        for abi in ABIS
        for ranks in (RANKS_OF_MPI5 if abi == "mpi5" else RANKS)
    ],
    indirect=["abi"],
)
def test_small_blocks(compiled: Compile, report: Path, ranks: int) -> None:
    """Any root, sizes on both sides of every boundary between blocks, another layout on every rank."""
    program = [compiled("broadcasts"), *map(str, sizes_around_boundaries(ranks))]
    with_rota = succeeded(run_with_rota(program, ranks, SMALL_BLOCKS, report))
    assert with_rota.output == succeeded(run_native(program, ranks)).output
    assert_served(with_rota, ranks)


@pytest.mark.parametrize("ranks", [3, 8])
def test_blocks_of_the_cost_model(compiled: Compile, report: Path, ranks: int) -> None:
    """The same with the number of blocks that Rota itself chooses."""
    program = [compiled("broadcasts"), "16384", "100000", "300001"]
    with_rota = succeeded(run_with_rota(program, ranks, FORCED, report))
    assert with_rota.output == succeeded(run_native(program, ranks)).output
    assert_served(with_rota, ranks)
    assert max(line["blocks"] for line in with_rota.broadcasts) > 1
