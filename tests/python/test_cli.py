"""What the user gets wrong is one line on standard error, and the status is not 0."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import rota

ROTA = str(Path(sys.executable).parent / "rota")

MISTAKES = {
    "show circulant --ranks 0": "out of range",
    "show circulant --ranks x": "valid integer",
    "show circulant": "Missing option '--ranks'",
    "show tree --ranks 4": "unknown algorithm 'tree'",
    "show hierarchical --ranks 4": "give --per-host N",
    "verify circulant --ranks 5..2": "wrong way round",
    "verify circulant --ranks 1-9": "no range of numbers of ranks",
    "verify tree --ranks 2..3": "unknown algorithm 'tree'",
    "run -n 0 /bin/true": "greater than or equal to 1",
    "run -n 2 /bin/true": "not linked to an MPI library",
    "run -n 2 ./missing": "no such program",
    "lib --mpi lam": "'lam' is no MPI that Rota serves",
    "lab run --hosts 2 --rate 20 -- /bin/true": "'20' is no rate",
    "bench bcast --mpi openmpi --hosts 2 --rate fast": "'fast' is no rate",
    "bench bcast --mpi openmpi --hosts 2 --rate 1gbit --sizes 1KiB,1024": "names 1 KiB twice",
    "bench bcast --mpi openmpi --hosts 2 --rate 1gbit --json missing/out.json": "there is no folder",
    "bench scan --mpi openmpi --hosts 2 --rate 1gbit --shape irregular": "scan has no shapes",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --collectives gather": "'gather' is no collective",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --resume": "name it with --json",
    "bench never-slower --mpi openmpi --hosts 2 --rate 1gbit --calls 1": "greater than or equal to 2",
    "check --mpi lam -n 2": "'lam' is no MPI that Rota serves",
    "check --mpi openmpi -n 2 --cases 0": "greater than or equal to 1",
    "check --mpi openmpi -n 2 --algorithm allreduce": "is not COLLECTIVE=ALGORITHM",
    "check --mpi openmpi -n 2 --algorithm gather=ring": "'gather' is no collective",
    "check --mpi openmpi -n 2 --algorithm scan=ring": "scan has no 'ring'",
    "check --mpi openmpi -n 2 --case gather,count=2": "'gather' is no collective",
    "check --mpi mpich -n 2 --case bcast,type=it": "'type=it' is no type",
    "check --mpi mpich -n 2 --case bcast,number=1": "'number=1' is no dimension",
    "check --mpi mpich -n 2 --case scan,type=byte": "'sum' is not defined for 'byte'",
    "frobnicate": "No such command",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_one_line(words: str) -> None:
    """The line says what is wrong; there is no traceback and nothing on standard output."""
    ended = subprocess.run([ROTA, *words.split()], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith("rota: ")
    assert ended.stderr.count("\n") == 1
    assert MISTAKES[words] in ended.stderr


@pytest.mark.parametrize("words", ["--help", "lab run --help", "bench --help", "bench all --help"])
def test_help(words: str) -> None:
    """Help is no mistake."""
    ended = subprocess.run([ROTA, *words.split()], capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert "Usage: rota" in ended.stdout


def test_no_room_has_a_functions_name() -> None:
    """rota.NAME is the same thing whatever else was imported: no package of that name takes its place."""
    names = {module.name for module in pkgutil.iter_modules(rota.__path__)}
    assert not names & set(rota.__all__)
