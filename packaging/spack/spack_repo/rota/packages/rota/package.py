from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class Rota(PythonPackage):
    """Collective communication with schedules that are provably the best."""

    license("BSD-3-Clause")

    version("main")  # there is no public address to take sources from: spack dev-build

    variant(
        "mpi",
        default="openmpi",
        values=("openmpi", "mpich"),
        multi=False,
        description="whose programs it serves: Open MPI's; or MPICH's, its relatives' and those of the MPI-5 ABI",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("openmpi@4.1:", when="mpi=openmpi")
    depends_on("mpich@3.4:", when="mpi=mpich")

    with default_args(type="build"):
        depends_on("cmake@3.26:")
        depends_on("ninja@1.11:")
        depends_on("py-nanobind@2.9:")
        depends_on("py-scikit-build-core@0.11:")

    with default_args(type=("build", "run")):
        depends_on("python@3.11:")

    with default_args(type="run"):
        depends_on("py-highspy@1.7:")
        depends_on("py-matplotlib@3.8:")
        depends_on("py-networkx@3.2:")
        depends_on("py-numpy@1.26:")
        depends_on("py-python-flint@0.6:")
        depends_on("py-rich@13:")
        depends_on("py-typer@0.15:")

    def set_mpi(self, env: EnvironmentModifications) -> None:
        """Say where the one MPI is, and that there is no other."""
        chosen = self.spec.variants["mpi"].value
        for family in ("openmpi", "mpich"):
            where = self.spec[family].prefix if family == chosen else "none"
            env.set(f"ROTA_{family.upper()}_PREFIX", where)

    def setup_build_environment(self, env: EnvironmentModifications) -> None:
        self.set_mpi(env)

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        """Have `rota run` start programs with the MPI that this is built for."""
        family = self.spec.variants["mpi"].value
        env.set(f"ROTA_{family.upper()}_PREFIX", self.spec[family].prefix)
