"""Programs that know nothing of Rota: how each is started, and what of its output is its result."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

INPUTS: Final = Path(__file__).parent / "inputs"
DEBIANS_PYTHON: Final = "/usr/bin/python3"
DEBIANS_MPICC: Final = "/usr/bin/mpicc.openmpi"


class NotHereError(Exception):
    """What an application needs is not on this machine."""


@dataclass(frozen=True)
class Application:
    """One program and what it is given. Its ranks work in a folder of the test's."""

    name: str
    packages: str  # of Debian's, that have it and what it needs
    start: Callable[[Path], list[str]]  # its words, once what it needs is in the folder; raises NotHereError
    result: str  # a regular expression: of its output, the lines in which results stand
    tolerance: float = 1e-6  # relative: sums may be in another order
    environment: tuple[tuple[str, str], ...] = ()
    results_in: str = ""  # a file of the folder, in place of its output


@dataclass(frozen=True)
class Results:
    """The lines with results: their words, and their numbers apart."""

    words: tuple[str, ...]
    numbers: tuple[float, ...]

    def differs_from(self, other: "Results", tolerance: float) -> str:
        """Say how, or nothing. Numbers are held to the largest of their size."""
        if not self.words:
            return "there are no results"
        if self.words != other.words:
            return f"{self.words} and {other.words}"
        for mine, others in zip(self.numbers, other.numbers, strict=True):
            if abs(mine - others) > tolerance * max(abs(mine), abs(others)):
                return f"{mine} and {others}"
        return ""


NUMBER: Final = re.compile(r"[-+]?\d+\.?\d*(?:[eEdD][-+]?\d+)?")


def results_of(application: Application, output: str) -> Results:
    """Find them in what the application wrote."""
    lines = re.findall(rf"^.*(?:{application.result}).*$", output, re.MULTILINE)
    numbers = (float(number.replace("D", "e")) for line in lines for number in NUMBER.findall(line))
    return Results(tuple(" ".join(NUMBER.sub("#", line).split()) for line in lines), tuple(numbers))


def _found(program: str) -> str:
    path = shutil.which(program, path=f"{os.defpath}:/usr/bin")
    if path is None:
        raise NotHereError(program)
    return path


def _given(folder: Path, *files: Path) -> None:
    for file in files:
        if not file.exists():
            raise NotHereError(str(file))
        shutil.copy(file, folder)


def _compiled(name: str, folder: Path, *libraries: str) -> list[str]:
    program = folder / name
    words = (_found(DEBIANS_MPICC), "-O2", INPUTS / f"{name}.c", "-o", program, *libraries, "-lm")
    compiled = subprocess.run(words, capture_output=True, text=True, check=False)
    if "No such file" in compiled.stderr:
        raise NotHereError(compiled.stderr.splitlines()[0])
    assert compiled.returncode == 0, compiled.stderr
    return [str(program)]


def _debians_python(script: str, module: str, path: str = "") -> list[str]:
    """Start Debian's interpreter, for Debian's modules are built for it and for Debian's MPI."""
    words = [_found(DEBIANS_PYTHON), str(INPUTS / script)]
    environment = {"PYTHONPATH": path, "PATH": os.defpath}
    has = subprocess.run(
        (words[0], "-c", f"import {module}"), env=environment, capture_output=True, check=False
    )
    if has.returncode:
        raise NotHereError(f"{module} for {DEBIANS_PYTHON}")
    return words


def _lammps(_: Path) -> list[str]:
    return [_found("lmp"), "-in", str(INPUTS / "salt.lammps")]


def _quantum_espresso(folder: Path) -> list[str]:
    _given(folder, Path("/usr/share/espresso/pseudo/Si.pz-vbc.UPF"))
    return [_found("pw.x"), "-in", str(INPUTS / "silicon.pw")]


def _scalapack(folder: Path) -> list[str]:
    drivers = sorted(Path("/usr/lib").glob("*/scalapack/openmpi-tests/xdlu"))
    if not drivers:
        raise NotHereError("xdlu")
    _given(folder, INPUTS / "LU.dat")
    return [str(drivers[0])]


def _hpcc(folder: Path) -> list[str]:
    template = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
    _given(folder, template)
    text = re.sub(r"^1000( +Ns)$", r"400\1", template.read_text(), flags=re.MULTILINE)
    (folder / "hpccinf.txt").write_text(text)
    return [_found("hpcc")]


PETSC: Final = ":".join(map(str, Path("/usr/lib/petscdir").glob("*/*-real/lib/python3/dist-packages")))

APPLICATIONS: Final = (
    Application(
        "LAMMPS, PPPM",
        "lammps",
        _lammps,
        r"^ +\d+ +-?[\d.]+ +-?[\d.]+ +-?[\d.]+ +-?[\d.]+ +-?[\d.]+ +-?[\d.]+ *$",
    ),
    Application(
        "Quantum ESPRESSO, pw.x",
        "quantum-espresso quantum-espresso-data",
        _quantum_espresso,
        r"^!.*total energy|Total force = |\bP= ",
        tolerance=1e-4,
    ),
    Application(
        "ScaLAPACK, pdgesv's driver",
        "scalapack-mpi-test",
        _scalapack,
        r"tests completed and (?:passed|failed)",
    ),
    Application(
        "hpcc", "hpcc", _hpcc, r"Success=|tests completed and (?:passed|failed)", results_in="hpccoutf.txt"
    ),
    Application(
        "FFTW-MPI",
        "libfftw3-dev libfftw3-mpi-dev",
        lambda folder: _compiled("transform", folder, "-lfftw3_mpi", "-lfftw3"),
        "energy",
    ),
    Application(
        "petsc4py, CG",
        "python3-petsc4py",
        lambda _: _debians_python("poisson.py", "petsc4py", PETSC),
        "norm",
        environment=(("PYTHONPATH", PETSC),),
    ),
    Application(
        "mpi4py-fft", "python3-mpi4py-fft", lambda _: _debians_python("transforms.py", "mpi4py_fft"), "energy"
    ),
    Application("heat", "libopenmpi-dev", lambda folder: _compiled("heat", folder), "change|heat"),
)
