"""Which MPI library a program uses: seen from its linking, or for Python from what mpi4py loads.

Launchers of programs, and scripts, are looked through.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from string import Template
from typing import Final

from rota.errors import RotaError
from rota.library import ABIS, Abi
from rota.mpi_install import FAMILY, PREFIX_VARIABLE, LinkedMpi, abi_of_library

_SAY_WHICH: Final = f"say with --mpi {'|'.join(ABIS)} which MPI its programs use"
_ELF: Final = b"\x7fELF"

_FIELDS_BEFORE_PATH: Final = 5  # in /proc/self/maps
_ADDRESS: Final = re.compile(r" \(0x[0-9a-f]+\)$")  # behind a path, as ldd prints it

# Ask mpi4py itself: only it knows all the places where it looks.
_LACKS_MPI4PY: Final = "No module named 'mpi4py'"
_MPI4PY_PROBE: Final = """
import mpi4py
mpi4py.rc.initialize = False
import mpi4py.MPI
print(open("/proc/self/maps").read())
"""


class NoMpi4pyError(RotaError):
    """A Python program of which only mpi4py could tell the MPI, and there is no mpi4py."""


def linked_mpi(program: Sequence[str], environment: Mapping[str, str] = os.environ) -> LinkedMpi:
    """Return the MPI library that a program, or what it starts, would load in that environment.

    Raise RotaError if it cannot be run, if no MPI or several are seen, or if its MPI is not found.
    """
    seen = seen_mpis(program, environment)
    if not seen:
        raise RotaError(_unseen(program, environment))
    if len(seen) > 1:
        libraries = ", ".join(str(mpi.library) for mpi in seen)
        raise RotaError(f"{program[0]} starts programs with several MPIs ({libraries}): {_SAY_WHICH}")
    if not seen[0].is_found:
        raise RotaError(
            f"{program[0]} needs {seen[0].library}, which is not found: choose it with --mpi {seen[0].abi}"
        )
    return seen[0]


def chosen_mpi(abi: Abi, program: Sequence[str], environment: Mapping[str, str] = os.environ) -> LinkedMpi:
    """Return the same where the user has said which ABI: among several, the library of that one.

    Raise RotaError if it cannot be run, if no MPI or only others are seen, or if its MPI is not found.
    """
    seen = seen_mpis(program, environment)
    if not seen:
        raise RotaError(_unseen(program, environment))
    mpi = next((each for each in seen if each.abi == abi), seen[0])
    if mpi.abi != abi:
        raise RotaError(f"{program[0]} uses {mpi.library} ({mpi.abi}), not {abi}: use --mpi {mpi.abi}")
    if not mpi.is_found:
        raise RotaError(
            f"{program[0]} needs {mpi.library}, which the {FAMILY[abi]} found here has not: set"
            f" {PREFIX_VARIABLE[FAMILY[abi]]} to the MPI that has it, or add its folder to LD_LIBRARY_PATH"
        )
    return mpi


def seen_mpis(program: Sequence[str], environment: Mapping[str, str] = os.environ) -> tuple[LinkedMpi, ...]:
    """Return the MPI libraries of a program: its own, or those of programs that it seems to start.

    A program that has none itself may start one: env, nice, a shell, a debugger, a script. What it starts is
    looked for among its arguments, and the words of a script; variables that are set there count. Raise
    RotaError if it cannot be run.
    """
    executable = Path(find_program(program[0], environment))
    own = _own_mpi(executable, environment)
    if own is not None:
        return (own,)
    return tuple(dict.fromkeys(_started(_words_of(executable, program[1:]), dict(environment), {executable})))


def default_mpi(abi: Abi, environment: Mapping[str, str] = os.environ) -> LinkedMpi | None:
    """Return the MPI library of that ABI that programs find by themselves, None if there is none.

    They may be linked to another, each by its own path.
    """
    paths = environment.get("LD_LIBRARY_PATH", "").split(":")
    files = (str(file) for path in paths if path for file in sorted(Path(path).glob("libmpi*.so.*")))
    listing = _ended(("/sbin/ldconfig", "-p"), os.environ).stdout
    known = (word for line in listing.splitlines() for word in line.split()[-1:])
    return next(
        (LinkedMpi(abi, Path(path)) for path in (*files, *known) if abi_of_library(Path(path).name) == abi),
        None,
    )


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


def _own_mpi(executable: Path, environment: Mapping[str, str]) -> LinkedMpi | None:
    interpreter = _python_interpreter(executable)
    if interpreter is not None:
        return _mpi_of_python(interpreter, environment)
    if _shebang(executable):
        return None
    if _first_line(executable).startswith(_ELF):
        return _mpi_of_binary(executable, environment)
    raise RotaError(f"{executable} is no program: where it is a shell's script, have it begin with #!/bin/sh")


def _unseen(program: Sequence[str], environment: Mapping[str, str]) -> str:
    executable = Path(find_program(program[0], environment))
    if _shebang(executable):
        return f"{program[0]} is a script, and no MPI program is seen in it: {_SAY_WHICH}"
    alone = f"{executable} is not linked to an MPI library that Rota serves ({', '.join(ABIS)})"
    return f"{alone}, and no program that is stands behind it: {_SAY_WHICH}" if program[1:] else alone


def _words_of(executable: Path, arguments: Iterable[str]) -> Iterator[str]:
    """Yield the words among which is what a program starts: those of a script, and its arguments'."""
    texts = (executable.read_text(errors="replace"),) if _shebang(executable) else ()
    for text in (*texts, *arguments):
        yield from _shell_words(text)


def _shell_words(text: str) -> list[str]:
    words = shlex.shlex(text, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    try:
        return list(words)
    except ValueError:  # no text of a shell's: an open quotation mark
        return text.split()


def _started(words: Iterable[str], variables: dict[str, str], scripts: set[Path]) -> Iterator[LinkedMpi]:
    """Yield the MPI libraries of what the words name, each with the variables that words before it set."""
    for word in words:
        expanded = Template(word).safe_substitute(variables)
        name, equals, value = expanded.partition("=")
        if equals and name.isidentifier():
            variables[name] = value
            continue
        found = shutil.which(expanded, path=variables.get("PATH"))
        if found is None or Path(found) in scripts:
            continue
        scripts.add(Path(found))
        with suppress(RotaError, OSError):  # no program of MPI's, whatever it is
            own = _own_mpi(Path(found), variables)
            yield from (own,) if own else _started(_words_of(Path(found), ()), variables, scripts)


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
    first = _first_line(executable)
    return tuple(first[2:].decode(errors="replace").split()) if first.startswith(b"#!") else ()


def _first_line(executable: Path) -> bytes:
    """Return nothing of a program that may be executed, but not read."""
    try:
        with executable.open("rb") as file:
            return file.readline(256)
    except PermissionError:
        return b""


def _ended(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Return what a command has said in that environment: paths, which may be of any bytes."""
    return subprocess.run(
        command, env=dict(environment), capture_output=True, text=True, errors="surrogateescape", check=False
    )


def _mpi_of_python(interpreter: Sequence[str], environment: Mapping[str, str]) -> LinkedMpi:
    command = (*interpreter, "-c", _MPI4PY_PROBE)
    probe = _ended(command, environment)
    if probe.returncode != 0:
        why = (probe.stderr.strip().splitlines() or ["it ended abnormally"])[-1].strip()
        fault = NoMpi4pyError if _LACKS_MPI4PY in why else RotaError
        raise fault(
            f"{interpreter[-1]} cannot load MPI through mpi4py ({why}):"
            " install mpi4py for it, or give --mpi an MPI that it can load, openmpi or mpich"
        )
    linked = first_mpi(probe.stdout)
    if linked is None:
        raise RotaError(
            f"mpi4py of {interpreter[-1]} loads an MPI that Rota does not serve ({', '.join(ABIS)})"
        )
    return linked


def _mpi_of_binary(executable: Path, environment: Mapping[str, str]) -> LinkedMpi | None:
    command = ("ldd", str(executable))
    listing = _ended(command, environment)
    if listing.returncode != 0:
        raise RotaError(
            f"{executable} is static or no program for this machine: link it to a shared MPI library"
        )
    return first_mpi(listing.stdout)


def first_mpi(listing: str) -> LinkedMpi | None:
    """Return the first MPI library in what ldd prints or in /proc/self/maps.

    A library that ldd cannot find has its bare name for a path.
    """
    paths = (Path(name) for line in listing.splitlines() for name in _names_in(line) if "libmpi" in name)
    return next((LinkedMpi(abi, path) for path in paths if (abi := abi_of_library(path.name))), None)


def _names_in(line: str) -> tuple[str, ...]:
    """Return what a line of either is about, which may have blanks in it: the path first, if there is one."""
    mapped = line.split(maxsplit=_FIELDS_BEFORE_PATH)
    if len(mapped) > _FIELDS_BEFORE_PATH and "-" in mapped[0]:
        return (mapped[-1],)
    name, _, rest = line.strip().partition(" => ")
    return tuple(_ADDRESS.sub("", part) for part in (rest, name) if part)
