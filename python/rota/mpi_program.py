"""Which MPI library a program uses: seen from its linking, or for Python from what mpi4py loads."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rota.errors import RotaError
from rota.library import ABIS
from rota.mpi_install import LinkedMpi, abi_of_library

# Ask mpi4py itself: only it knows all the places where it looks.
_MPI4PY_PROBE: Final = """
import mpi4py
mpi4py.rc.initialize = False
import mpi4py.MPI
print(open("/proc/self/maps").read())
"""


def linked_mpi(program: Sequence[str], environment: Mapping[str, str] = os.environ) -> LinkedMpi | None:
    """Return the MPI library that a program would load in that environment.

    None if it is a script in a language other than Python, whose MPI nobody can see from outside.
    Raise RotaError if it cannot be run or does not use MPI.
    """
    executable = Path(find_program(program[0], environment))
    interpreter = _python_interpreter(executable)
    if interpreter is not None:
        return _mpi_of_python(interpreter, environment)
    return None if _shebang(executable) else _mpi_of_binary(executable, environment)


def find_program(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the path of the executable that a shell would run for that name."""
    found = shutil.which(name, path=environment.get("PATH"))
    if found is not None:
        return found
    if not Path(name).exists():
        raise RotaError(f"{name}: no such program: check its name or give its path")
    if Path(name).is_dir():
        raise RotaError(f"{name} is a directory: name a program")
    if os.access(name, os.X_OK):
        raise RotaError(f"{name} is not on PATH: write ./{name}")
    raise RotaError(f"{name} is not executable: chmod +x {name}")


def _python_interpreter(executable: Path) -> tuple[str, ...] | None:
    """Return how to start the interpreter of a Python program, None for any other program."""
    if _is_python(executable.name):
        return (str(executable),)
    words = _shebang(executable)
    return words if any(_is_python(Path(word).name) for word in words) else None


def _is_python(name: str) -> bool:
    return re.fullmatch(r"(python|pypy)[\d.]*", name) is not None


def _shebang(executable: Path) -> tuple[str, ...]:
    """Return the words of a script's ``#!`` line, none for a program that is no script."""
    with executable.open("rb") as file:
        first = file.readline(256)
    return tuple(first[2:].decode(errors="replace").split()) if first.startswith(b"#!") else ()


def _mpi_of_python(interpreter: Sequence[str], environment: Mapping[str, str]) -> LinkedMpi:
    command = (*interpreter, "-c", _MPI4PY_PROBE)
    probe = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        why = (probe.stderr.strip().splitlines() or ["it ended abnormally"])[-1].strip()
        raise RotaError(
            f"{interpreter[-1]} cannot load MPI through mpi4py ({why}):"
            " install mpi4py for it, or choose the MPI with --mpi openmpi or --mpi mpich"
        )
    linked = _first_mpi(probe.stdout)
    if linked is None:
        raise RotaError(
            f"mpi4py of {interpreter[-1]} loads an MPI that Rota does not serve ({', '.join(ABIS)})"
        )
    return linked


def _mpi_of_binary(executable: Path, environment: Mapping[str, str]) -> LinkedMpi:
    command = ("ldd", str(executable))
    listing = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        raise RotaError(
            f"{executable} is static or no program for this machine: link it to a shared MPI library"
        )
    linked = _first_mpi(listing.stdout)
    if linked is None:
        raise RotaError(f"{executable} is not linked to an MPI library that Rota serves ({', '.join(ABIS)})")
    if not linked.library.is_absolute():
        raise RotaError(
            f"{executable} needs {linked.library}, which is not found: choose it with --mpi {linked.abi}"
        )
    return linked


def _first_mpi(listing: str) -> LinkedMpi | None:
    """Return the first MPI library in what ldd prints or in /proc/self/maps.

    A library that ldd cannot find has its bare name for a path.
    """
    # ldd prints "name => path": the path, if there is one, is what counts.
    paths = (
        Path(word) for line in listing.splitlines() for word in reversed(line.split()) if "libmpi" in word
    )
    return next((LinkedMpi(abi, path) for path in paths if (abi := abi_of_library(path.name))), None)
