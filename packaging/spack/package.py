# Spack's recipe: put this folder's file into a repository of packages as packages/rota/package.py. There is no public address to take
# sources from: `spack dev-build -d SOURCES rota@main` builds from a checkout.
from spack.package import *


class Rota(PythonPackage):
    """Collective communication with schedules that are provably the best."""

    license("BSD-3-Clause")

    version("main")

    variant("openmpi", default=True, description="for programs of Open MPI")
    variant("mpich", default=False, description="for programs of MPICH, its relatives and the MPI-5 ABI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.26:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-scikit-build-core@0.11:", type="build")
    depends_on("py-nanobind@2.9:", type="build")
    depends_on("openmpi@4.1:", when="+openmpi")
    depends_on("mpich@3.4:", when="+mpich")
    depends_on("py-highspy@1.7:", type="run")
    depends_on("py-matplotlib@3.8:", type="run")
    depends_on("py-networkx@3.2:", type="run")
    depends_on("py-numpy@1.26:", type="run")
    depends_on("py-python-flint@0.6:", type="run")
    depends_on("py-rich@13:", type="run")
    depends_on("py-typer@0.15:", type="run")

    conflicts("~openmpi~mpich", msg="Rota without any MPI serves no program")

    def setup_build_environment(self, env):
        """Say where each MPI is."""
        for family in ("openmpi", "mpich"):
            there = self.spec[family].prefix if f"+{family}" in self.spec else "none"
            env.set(f"ROTA_{family.upper()}_PREFIX", there)

    def setup_run_environment(self, env):
        """Have `rota run` start programs with the MPI that this is built for."""
        for family in ("openmpi", "mpich"):
            if f"+{family}" in self.spec:
                env.set(f"ROTA_{family.upper()}_PREFIX", self.spec[family].prefix)
