"""Which MPI libraries this machine has, and the launcher that starts each one's programs."""

import functools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rota.errors import RotaError
from rota.library import ABIS, Abi

Family = Literal["openmpi", "mpich"]
"""Whose launcher and whose settings."""

# MPICH's launcher starts the programs of the MPI-5 ABI too.
FAMILY: Final[Mapping[Abi, Family]] = {"openmpi": "openmpi", "mpich": "mpich", "mpi5": "mpich"}

# Intel's and Cray's libraries keep MPICH's ABI; Cray's, of each compiler, and Debian's have their own names.
_LIBRARIES: Final[Mapping[Abi, re.Pattern[str]]] = {
    "openmpi": re.compile(r"libmpi\.so\.40(\.|$)"),
    "mpich": re.compile(r"libmpi(ch|_(amd|aocc|cray|gnu|intel|nvidia)(_\d+)?)?\.so\.12(\.|$)"),
    "mpi5": re.compile(r"libmpi_abi\.so\.\d+(\.|$)"),
}
_BANNERS: Final[Mapping[Family, tuple[str, ...]]] = {
    "openmpi": ("Open MPI", "OpenRTE"),
    "mpich": ("HYDRA", "Intel(R) MPI"),
}
# Other programs are not asked which version they are: they may not know that question.
_MPI_LAUNCHER: Final = re.compile(r"(mpi(exec|run)|orterun)\b")
PREFIX_VARIABLE: Final[Mapping[Family, str]] = {
    "openmpi": "ROTA_OPENMPI_PREFIX",
    "mpich": "ROTA_MPICH_PREFIX",
}
"""Names the prefix of the MPI that is preferred."""


@dataclass(frozen=True)
class MpiInstall:
    """One MPI library on this machine, and the launcher that starts its programs."""

    family: Family
    launcher: Path
    library_dir: Path


@dataclass(frozen=True)
class LinkedMpi:
    """The MPI library that a program uses, and the ABI by which it calls it."""

    abi: Abi
    library: Path

    @property
    def is_found(self) -> bool:
        """Whether the loader finds the library: of one that it does not, only the name is known."""
        return self.library.is_absolute()


def parse_abi(text: str) -> Abi:
    """Return the ABI of that name."""
    for abi in ABIS:
        if text == abi:
            return abi
    raise RotaError(f"{text!r} is no MPI that Rota serves: choose one of {', '.join(ABIS)}")


def abi_of_library(name: str) -> Abi | None:
    """Return the ABI of a library's file name, None if it is not an MPI library that Rota serves."""
    return next((abi for abi in ABIS if _LIBRARIES[abi].match(name)), None)


def find_install(family: Family, environment: Mapping[str, str] = os.environ) -> MpiInstall:
    """Return the MPI of a family that is preferred here.

    First what ``ROTA_OPENMPI_PREFIX`` or ``ROTA_MPICH_PREFIX`` names, then the one that was installed with
    Rota, then the one on PATH.
    """
    variable = PREFIX_VARIABLE[family]
    named = named_prefix(family, environment)
    bundled = Path(sys.prefix) / "mpi" / family / "bin" / "mpiexec"
    candidates = (Path(named) / "bin" / "mpiexec",) if named else (bundled, *_on_path(family, environment))
    launcher = _first_of_family(candidates, family)
    if launcher is None:
        where = f"in {variable}={named}" if named else "on PATH"
        raise RotaError(f"no {family} found {where}: set {variable} to the prefix that has its bin/mpiexec")
    return MpiInstall(family, launcher, _library_dir_of(launcher, family))


def is_mpi_launcher(name: str) -> bool:
    """Return whether an MPI's own launcher is called so."""
    return _MPI_LAUNCHER.match(name) is not None


def install_of_launcher(launcher: Path) -> MpiInstall | None:
    """Return the MPI whose launcher this is, None if it is none's, as srun."""
    family = _family_of(launcher) if is_mpi_launcher(launcher.name) else None
    return family and MpiInstall(family, launcher, _library_dir_of(launcher, family))


def named_prefix(family: Family, environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the prefix of a family's MPI that the user has named, None if that is left to Rota."""
    return environment.get(PREFIX_VARIABLE[family])


def install_of(linked: LinkedMpi, environment: Mapping[str, str] = os.environ) -> MpiInstall:
    """Return the MPI that a library belongs to: the launcher beside it, else one of its family on PATH."""
    family = FAMILY[linked.abi]
    beside = (
        prefix / "bin" / name
        for path in (linked.library.resolve(), linked.library)
        for prefix in path.parents
        for name in _launcher_names(family)
    )
    launcher = _first_of_family((*beside, *_on_path(family, environment)), family)
    if launcher is None:
        raise RotaError(
            f"no launcher of {family} beside {linked.library} or on PATH: put its mpiexec on PATH"
        )
    return MpiInstall(family, launcher, linked.library.parent)


def library_of(install: MpiInstall, abi: Abi) -> LinkedMpi:
    """Return the library with which an MPI serves programs of that ABI."""
    found = (
        path for path in sorted(install.library_dir.glob("libmpi*.so.*")) if abi_of_library(path.name) == abi
    )
    library = next(found, None)
    if library is None:
        raise RotaError(f"{install.library_dir} has no library for {abi}: install an MPI that has one")
    return LinkedMpi(abi, library)


def default_family(environment: Mapping[str, str] = os.environ) -> Family | None:
    """Return the family of the ``mpiexec`` on PATH, None if there is no such launcher."""
    launcher = shutil.which("mpiexec", path=environment.get("PATH"))
    return _family_of(Path(launcher)) if launcher else None


def _library_dir_of(launcher: Path, family: Family) -> Path:
    """Return the directory of the libraries that a launcher's programs load."""
    prefix = launcher.parent.parent
    # Intel's older releases keep several builds of it.
    directories = (
        *(prefix / "lib", prefix / "lib64", prefix / "lib" / "release"),
        *sorted(prefix.glob("lib/*-linux-gnu")),
    )
    return next((directory for directory in directories if family in _families_in(directory)), prefix / "lib")


def _families_in(directory: Path) -> set[Family]:
    return {FAMILY[abi] for path in directory.glob("libmpi*.so.*") if (abi := abi_of_library(path.name))}


def _launcher_names(family: Family) -> tuple[str, str]:
    # Debian installs both families side by side and tells them apart by these names.
    return (f"mpiexec.{family}", "mpiexec")


def _on_path(family: Family, environment: Mapping[str, str]) -> Iterator[Path]:
    found = (shutil.which(name, path=environment.get("PATH")) for name in _launcher_names(family))
    return (Path(path) for path in found if path)


def _first_of_family(launchers: Iterable[Path], family: Family) -> Path | None:
    return next((path for path in launchers if _family_of(path) == family), None)


def version_of(install: MpiInstall) -> str:
    """Return the version of an MPI as its launcher has it; nothing where it does not say."""
    found = re.search(r"\d+\.\d+[\w.]*", _said_by(install.launcher))
    return found[0] if found else ""


@functools.cache
def _said_by(launcher: Path) -> str:
    """Return what a launcher says of itself; nothing where it cannot be started."""
    if not os.access(launcher, os.X_OK):
        return ""
    try:
        said = subprocess.run((launcher, "--version"), capture_output=True, check=False).stdout
    except OSError:  # no program, or one of which what it needs is gone
        return ""
    return said.decode(errors="replace")


def _family_of(launcher: Path) -> Family | None:
    """Return whose launcher this is; None if it is none, or none that Rota knows."""
    said = _said_by(launcher)
    return next(
        (family for family, banners in _BANNERS.items() if any(banner in said for banner in banners)), None
    )
