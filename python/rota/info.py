"""What is installed here: version, builds, settings, what is known of the network, what a lab misses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rota import __version__
from rota._core import faults_in_environment, read_profile, variables
from rota.errors import RotaError
from rota.lab.needs import missing_needs
from rota.library import ABIS, Abi, built_abis, engine_path, preload_path
from rota.mpi_install import FAMILY, find_install, library_of, version_of
from rota.preload import preload_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rota._core import Profile, Variable

_PREFIX: Final = "ROTA_"


@dataclass(frozen=True)
class Mpi:
    """An MPI library for which there is a build, as `rota run` would take it, if the program has none."""

    version: str
    library: Path
    launcher: Path


@dataclass(frozen=True)
class Build:
    """Rota for one MPI ABI; without paths there is none in this installation."""

    abi: Abi
    preload: Path | None
    engine: Path | None
    mpi: Mpi | None
    fault: str
    """Why there is no MPI for it."""


@dataclass(frozen=True)
class Setting:
    """A variable and its value in the environment; None: it is not set."""

    variable: Variable
    value: str | None


@dataclass(frozen=True)
class Unknown:
    """A variable in the environment that is named as if Rota read it, and does not."""

    name: str
    closest: str | None
    """The one that may be meant."""

    @property
    def fault(self) -> str:
        """Say so, in a line."""
        meant = f": is {self.closest} meant?" if self.closest else ""
        return f"{self.name}: Rota reads no such variable{meant}"


@dataclass(frozen=True)
class KnownNetwork:
    """What a profile says, and which file that is."""

    file: Path
    profile: Profile


@dataclass(frozen=True)
class Info:
    """All of it."""

    version: str
    builds: tuple[Build, ...]
    settings: tuple[Setting, ...]
    faults: tuple[str, ...]
    """All that is wrong with the settings, each as a job would say it."""
    unknown: tuple[Unknown, ...]
    network: KnownNetwork | None
    missing_for_lab: tuple[str, ...]


def info(profile: Path | None = None, environment: Mapping[str, str] = os.environ) -> Info:
    """Look around. Starts the launchers to ask for their versions, and namespaces for a moment.

    Raise RotaError where the profile that is asked about cannot be read.
    """
    return Info(
        version=__version__,
        builds=tuple(_build(abi, environment) for abi in ABIS),
        settings=tuple(Setting(each, environment.get(each.name)) for each in variables()),
        faults=tuple(faults_in_environment()),
        unknown=_unknown(environment),
        network=_known_network(profile, environment),
        missing_for_lab=tuple(missing_needs()),
    )


def settings_in_markdown() -> list[str]:
    """Return the table of variables as the documentation has it, line by line."""
    rows = (f"| `{each.name}={each.example}` | {each.meaning} | {each.by_default} |" for each in variables())
    return ["| variable | meaning | default |", "|---|---|---|", *rows]


def _build(abi: Abi, environment: Mapping[str, str]) -> Build:
    is_built = abi in built_abis()
    engine = engine_path(abi) if is_built else None
    try:
        install = find_install(FAMILY[abi], environment)
        linked = library_of(install, abi)
        mpi = Mpi(version_of(install), linked.library, install.launcher)
    except RotaError as fault:
        return Build(abi, preload_path(abi) if is_built else None, engine, None, str(fault))
    return Build(abi, preload_for(linked) if is_built else None, engine, mpi, "")


def _unknown(environment: Mapping[str, str]) -> tuple[Unknown, ...]:
    known = {each.name for each in variables()}
    strange = (name for name in environment if name.startswith(_PREFIX) and name not in known)
    return tuple(Unknown(name, _closest(name, known)) for name in sorted(strange))


def _closest(name: str, known: Iterable[str]) -> str | None:
    """Return which of the known names may be meant: beginnings that all have alike say nothing."""
    alike = get_close_matches(name.removeprefix(_PREFIX), [each.removeprefix(_PREFIX) for each in known], 1)
    return _PREFIX + alike[0] if alike else None


def _known_network(asked: Path | None, environment: Mapping[str, str]) -> KnownNetwork | None:
    """Read the profile that is asked about, or else the one that jobs would go by, or would add to."""
    if asked is not None:
        return _read(asked)
    named = (environment.get(name) for name in ("ROTA_PROFILE", "ROTA_LEARN"))
    file = next((Path(name) for name in named if name and Path(name).is_file()), None)
    try:
        return _read(file) if file else None
    except RotaError:  # the settings' fault says what is wrong with it
        return None


def _read(file: Path) -> KnownNetwork:
    try:
        str(file).encode()
    except UnicodeEncodeError as fault:
        raise RotaError(f"{str(file)!r} is no name in UTF-8: rename the file") from fault
    try:
        return KnownNetwork(file, read_profile(str(file)))
    except ValueError as fault:
        raise RotaError(str(fault)) from fault
