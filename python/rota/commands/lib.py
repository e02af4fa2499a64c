"""``rota lib``: the library to preload, for batch scripts that start the launcher themselves."""

from typing import Annotated

import typer

from rota.errors import RotaError
from rota.library import Abi, built_abis, preload_path
from rota.mpi_install import FAMILY, default_family, parse_abi


def lib(
    mpi: Annotated[
        str | None,
        typer.Option(help="The MPI of the program: openmpi, mpich or mpi5. Default: that of mpiexec."),
    ] = None,
) -> None:
    """Print the path of the library to put into LD_PRELOAD."""
    print(preload_path(parse_abi(mpi) if mpi else _default_abi()))


def _default_abi() -> Abi:
    """Return the only ABI that is built, else the first built one of the mpiexec on PATH."""
    built = built_abis()
    family = default_family()
    fitting = built if len(built) == 1 else tuple(abi for abi in built if FAMILY[abi] == family)
    if not fitting:
        raise RotaError(
            f"no mpiexec on PATH to choose by: use --mpi {'|'.join(built) or 'openmpi|mpich|mpi5'}"
        )
    return fitting[0]
