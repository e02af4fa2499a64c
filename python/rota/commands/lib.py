"""``rota lib`` and ``rota flags``: where the libraries are, to preload or to link with."""

import shlex
from typing import Annotated

import typer

from rota.commands.completion import among
from rota.errors import RotaError
from rota.library import ABIS, Abi, built_abis, engine_path, include_dir, package_dir
from rota.mpi_install import FAMILY, default_family, parse_abi
from rota.preload import preload_here

Mpi = Annotated[
    str | None,
    typer.Option(
        help="The MPI of the program: openmpi, mpich or mpi5. Default: that of mpiexec.",
        autocompletion=among(*ABIS),
    ),
]


def lib(mpi: Mpi = None) -> None:
    """Print the path of the library to put into LD_PRELOAD.

    It goes with the MPI of that kind that is found here: programs find no function in it that an older MPI
    library lacks.
    """
    print(preload_here(_abi(mpi)))


def flags(
    mpi: Mpi = None,
    *,
    cmake: Annotated[bool, typer.Option("--cmake", help="Print the value of CMake's Rota_DIR.")] = False,
    pkg_config: Annotated[
        bool, typer.Option("--pkg-config", help="Print what to add to PKG_CONFIG_PATH, for rota-openmpi, ...")
    ] = False,
) -> None:
    """Print the compiler's options for a C or C++ program that calls Rota's collectives (rota.h) itself.

    Or where its build finds them: for find_package(Rota COMPONENTS openmpi) and the target Rota::openmpi, or
    pkg-config --libs rota-openmpi.
    """
    if cmake and pkg_config:
        raise RotaError("--cmake and --pkg-config ask for a line each: give one of them at a time")
    if cmake or pkg_config:
        print(package_dir() / ("cmake/Rota" if cmake else "pkgconfig"))
        return
    library = engine_path(_abi(mpi))
    print(shlex.join((f"-I{include_dir()}", str(library), f"-Wl,-rpath,{library.parent}")))


def _abi(mpi: str | None) -> Abi:
    return parse_abi(mpi) if mpi else _default_abi()


def _default_abi() -> Abi:
    """Return the only ABI that is built, else the first built one of the mpiexec on PATH."""
    built = built_abis()
    if not built:
        raise RotaError(
            "this installation was built without any MPI: put an mpicc on PATH and install Rota again"
        )
    family = default_family()
    fitting = built if len(built) == 1 else tuple(abi for abi in built if FAMILY[abi] == family)
    if not fitting:
        raise RotaError(f"no mpiexec on PATH to choose by: use --mpi {'|'.join(built)}")
    return fitting[0]
