from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyPythonFlint(PythonPackage):
    """FLINT from Python: exact numbers, matrices and polynomials. Spack's own packages lack it."""

    homepage = "https://github.com/flintlib/python-flint"
    pypi = "python-flint/python_flint-0.8.0.tar.gz"

    license("MIT")

    version("0.8.0", sha256="3da125cd780e09510b0fb5f455646013f2b49072ea43eea806f6af77b450fa39")

    depends_on("c", type="build")
    depends_on("flint@3.0:3.3")
    depends_on("gmp")
    depends_on("mpfr")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type=("build", "link", "run"))

    with default_args(type="build"):
        depends_on("meson@1.1:")
        depends_on("py-cython@3.1")
        depends_on("py-meson-python@0.13:")
