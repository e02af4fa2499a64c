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
    "run mpirun -n 4 /bin/true": "rota run --launcher 'mpirun -n 4' /bin/true",
    "run mpirun -n 4 ./missing": "rota run --launcher 'mpirun -n 4' ./missing",
    "run -n 2 srun --mpi=pmix /bin/true -v": "rota run --launcher 'srun --mpi=pmix' /bin/true -v",
    "run -n 2 mpiexec.hydra": "rota run --launcher mpiexec.hydra PROGRAM",
    "flags --cmake --pkg-config": "give one of them at a time",
    "lib --mpi lam": "'lam' is no MPI that Rota serves",
    "lab run --hosts 2 --rate 20G -- /bin/true": "'20G' is no rate",
    "bench bcast --mpi openmpi --hosts 2 --rate fast": "'fast' is no rate",
    "bench bcast --mpi openmpi --hosts 2 --rate 1gbit --sizes 1KiB,1024": "names 1 KiB twice",
    "bench bcast --mpi openmpi --hosts 2 --rate 1gbit --json missing/out.json": "there is no folder",
    "run -n 2 --mpi openmpi --trace missing/out.json -- true": "there is no folder",
    "run -n 2 --mpi openmpi --report out.gif -- true": "name a file that ends in .json",
    "verify circulant --ranks 17 --json out.csv": "name a file that ends in .json",
    "bench scan --mpi openmpi --hosts 2 --rate 1gbit --shape irregular": "scan has no shapes",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --collectives gather": "'gather' is no collective",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --sizes=": "'' is no size",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --collectives=": "'' is no collective",
    "bench never-slower --mpi openmpi --hosts 2 --rate 1gbit --sizes=": "'' is no size",
    "bench all --mpi openmpi --hosts 2 --rate 1gbit --resume": "name it with --json",
    "bench never-slower --mpi openmpi --hosts 2 --rate 1gbit --calls 1": "greater than or equal to 2",
    "check --mpi lam -n 2": "'lam' is no MPI that Rota serves",
    "check --mpi openmpi -n 2 --cases 0": "greater than or equal to 1",
    "check --mpi openmpi -n 2 --algorithm allreduce": "is not COLLECTIVE=ALGORITHM",
    "check --mpi openmpi -n 2 --algorithm gather=ring": "'gather' is no collective",
    "check --mpi openmpi -n 2 --block-bytes 0": "give 1 or more",
    "check --mpi openmpi -n 2 --block-bytes 4q": "'4q' is no size",
    "check --mpi openmpi -n 2 --algorithm scan=ring": "scan has no 'ring'",
    "check --mpi openmpi -n 2 --case gather,count=2": "'gather' is no collective",
    "check --mpi mpich -n 2 --case bcast,type=it": "'type=it' is no type",
    "check --mpi mpich -n 2 --case bcast,number=1": "'number=1' is no dimension",
    "check --mpi mpich -n 2 --case scan,type=byte": "'sum' is not defined for 'byte'",
    "simulate bcast --ranks 4 --bytes 1Mb": "'1Mb' may be bits",
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


@pytest.mark.parametrize("words", ["", "bench", "plan", "lab"])
def test_commands_are_listed(words: str) -> None:
    """With what they do, each in full; to name none is a mistake."""
    listed, unasked = (
        subprocess.run([ROTA, *words.split(), *more], capture_output=True, text=True, check=False)
        for more in (["--help"], [])
    )
    assert (listed.returncode, unasked.returncode) == (0, 2)
    assert listed.stdout == unasked.stdout
    assert "..." not in listed.stdout.replace("[ARGS]...", "")
    assert listed.stderr == unasked.stderr == ""


@pytest.mark.parametrize(
    "script", ["import rota", "import rota.cli", "from rota.cli import status_of; status_of(['--help'])"]
)
def test_nothing_heavy_is_loaded(script: str) -> None:
    """`import rota` and `rota --help` are there at once: what takes long is loaded when it is needed."""
    heavy = ("numpy", "matplotlib", "networkx", "highspy", "flint", "rich", "rota.commands.show")
    found = f"{script}; import sys; print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True)
    assert ended.stderr == "[]\n"


@pytest.mark.parametrize(
    "words",
    [
        "show circulant --ranks 17",
        "explain bcast --ranks 4 --bytes 64",
        "simulate bcast --ranks 4 --bytes 64",
    ],
)
def test_pictures_are_not_loaded_where_none_is_asked_for(words: str) -> None:
    run = f"from rota.cli import status_of; status_of({words.split()})"
    script = f"{run}; import sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], stdout=subprocess.DEVNULL, check=True)


def test_no_room_has_a_functions_name() -> None:
    """rota.NAME is the same thing whatever else was imported: no package of that name takes its place."""
    names = {module.name for module in pkgutil.iter_modules(rota.__path__)}
    assert not names & set(rota.__all__)
