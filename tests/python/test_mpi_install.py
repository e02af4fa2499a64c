import os
import subprocess
import sys
from pathlib import Path

import pytest
from mpi_programs import compile_program

from rota.errors import RotaError
from rota.launch import native_job_with
from rota.library import ABIS, Abi
from rota.mpi_install import (
    FAMILY,
    Family,
    abi_of_library,
    find_install,
    install_of,
    library_of,
    parse_abi,
)
from rota.mpi_program import chosen_mpi, find_program, linked_mpi

EMPTY = "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) + MPI_Finalize(); }\n"


@pytest.mark.parametrize(
    ("name", "abi"),
    [
        ("libmpi.so.40", "openmpi"),
        ("libmpi.so.40.30.4", "openmpi"),
        ("libmpi.so.12", "mpich"),
        ("libmpich.so.12.2.1", "mpich"),
        ("libmpi_cray.so.12", "mpich"),
        ("libmpi_abi.so.1", "mpi5"),
        ("libmpi_mpifh.so.40", None),
        ("libmpi.so.400", None),
        ("libmpi4py.so", None),
    ],
)
def test_a_library_name_tells_the_abi(name: str, abi: Abi | None) -> None:
    assert abi_of_library(name) == abi


def test_an_unknown_abi_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        RotaError, match="'lam' is no MPI that Rota serves: choose one of openmpi, mpich, mpi5"
    ):
        parse_abi("lam")


@pytest.mark.parametrize("abi", ABIS)
def test_a_program_leads_to_its_library_and_its_launcher(abi: Abi, tmp_path: Path) -> None:
    mpi = linked_mpi([compile_program(EMPTY, abi, tmp_path)])
    assert mpi.abi == abi
    install = install_of(mpi)
    assert install.family == FAMILY[abi]
    assert install.launcher == Path(sys.prefix).resolve() / "mpi" / FAMILY[abi] / "bin" / "mpiexec"


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_the_install_beside_the_interpreter_is_preferred(family: Family) -> None:
    prefix = Path(sys.prefix) / "mpi" / family
    if not prefix.exists():
        pytest.skip(f"{prefix} is missing: make installs it")
    install = find_install(family, {"PATH": os.environ["PATH"]})
    assert install.launcher == prefix / "bin" / "mpiexec"
    assert install.library_dir == prefix / "lib"
    assert library_of(install, family).library.parent == prefix / "lib"


def test_a_named_prefix_without_mpi_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RotaError, match=f"no mpich found in ROTA_MPICH_PREFIX={tmp_path}"):
        find_install("mpich", {"ROTA_MPICH_PREFIX": str(tmp_path)})


def test_a_named_prefix_of_the_other_family_is_refused() -> None:
    prefix = Path(sys.prefix) / "mpi" / "openmpi"
    if not prefix.exists():
        pytest.skip(f"{prefix} is missing: make installs it")
    with pytest.raises(RotaError, match="no mpich found in"):
        find_install("mpich", {"ROTA_MPICH_PREFIX": str(prefix)})


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_mpi4py_leads_to_the_library_that_it_loads(family: Family) -> None:
    pytest.importorskip("mpi4py", reason="mpi4py is missing: install the test dependencies")
    library_dir = find_install(family).library_dir
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library_dir), "MPI4PY_MPIABI": family}
    mpi = linked_mpi([sys.executable, "app.py"], environment)
    assert mpi.abi == family
    assert mpi.library.parent.samefile(library_dir)


def test_a_python_script_is_known_by_its_first_line(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason="mpi4py is missing: install the test dependencies")
    script = _executable(tmp_path / "app", f"#!{sys.executable}\n")
    library_dir = find_install("mpich").library_dir
    mpi = linked_mpi([script], {**os.environ, "LD_LIBRARY_PATH": str(library_dir), "MPI4PY_MPIABI": "mpich"})
    assert mpi.abi == "mpich"


def test_an_interpreter_without_mpi4py_is_refused(tmp_path: Path) -> None:
    python = _executable(tmp_path / "python3", "#!/bin/sh\necho 'No module named mpi4py' >&2\nexit 1\n")
    with pytest.raises(
        RotaError, match=r"cannot load MPI through mpi4py \(No module named mpi4py\): install"
    ):
        linked_mpi([python, "app.py"])


def test_a_script_without_mpi_is_refused(tmp_path: Path) -> None:
    script = _executable(tmp_path / "app.sh", "#!/bin/sh\necho $UNKNOWN\n")
    with pytest.raises(RotaError, match=r"is a script, and no MPI program is seen in it: say with --mpi"):
        linked_mpi([script])


@pytest.mark.parametrize(
    "words",
    [
        ("env", "X=1", "-u", "Y", "{app}", "-n", "3"),
        ("nice", "-n", "5", "{app}"),
        ("bash", "-c", "cd /; X=1 {app} $1"),
        ("bash", "-c", "APP='{app}'; exec \"$APP\""),
        ("{script}", "-v"),
        ("sh", "{script}"),
        ("{runner}", "{app}"),
    ],
)
def test_what_a_program_starts_is_looked_for(words: tuple[str, ...], tmp_path: Path) -> None:
    app = compile_program(EMPTY, "mpich", tmp_path)
    script = _executable(tmp_path / "app.sh", f'#!/bin/sh\n# don\'t\nexport X=1\nexec {app} "$@"\n')
    runner = _executable(tmp_path / "runner.sh", '#!/bin/sh\necho "it\'s $1"\nexec "$@"\n')
    program = [word.format(app=app, script=script, runner=runner) for word in words]
    assert linked_mpi(program) == linked_mpi([app])


def test_variables_count_for_what_is_started(tmp_path: Path) -> None:
    program = _linked_to_a_library_that_is_gone("libmpi.so.12", tmp_path)
    where = find_install("mpich").library_dir
    assert linked_mpi(["env", f"LD_LIBRARY_PATH={where}", program]).library.parent.samefile(where)


def test_programs_with_several_mpis_are_refused(tmp_path: Path) -> None:
    apps = [compile_program(EMPTY, abi, tmp_path) for abi in ("openmpi", "mpich")]
    with pytest.raises(RotaError, match=r"bash starts programs with several MPIs \(.*\): say with --mpi"):
        linked_mpi(["bash", "-c", "; ".join(apps)])


def test_the_named_mpi_is_taken_among_several(tmp_path: Path) -> None:
    apps = [compile_program(EMPTY, abi, tmp_path) for abi in ("openmpi", "mpich")]
    words = ["bash", "-c", "; ".join(apps)]
    assert [chosen_mpi("openmpi", words), chosen_mpi("mpich", words)] == [linked_mpi([app]) for app in apps]
    with pytest.raises(RotaError, match=r"bash uses .* \(openmpi\), not mpi5: use --mpi openmpi"):
        chosen_mpi("mpi5", words)


def test_a_program_without_mpi_is_refused() -> None:
    with pytest.raises(RotaError, match="is not linked to an MPI library that Rota serves"):
        linked_mpi(["true"])
    with pytest.raises(RotaError, match="and no program that is stands behind it: say with --mpi openmpi"):
        linked_mpi(["env", "X=1", "true"])


def test_what_is_no_program_for_this_machine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RotaError, match="is static or no program for this machine"):
        linked_mpi([_executable(tmp_path / "app", "\x7fELF, of another machine\n")])


def test_a_script_that_names_no_shell_is_refused(tmp_path: Path) -> None:
    """Open MPI's launcher does not start it."""
    with pytest.raises(
        RotaError, match="app is no program: where it is a shell's script, have it begin with #!/"
    ):
        linked_mpi([_executable(tmp_path / "app", "exec ./my-program\n")])


def test_a_missing_library_is_named(tmp_path: Path) -> None:
    program = _linked_to_a_library_that_is_gone("libmpi.so.12", tmp_path)
    with pytest.raises(
        RotaError, match=r"needs libmpi.so.12, which is not found: choose it with --mpi mpich"
    ):
        linked_mpi([program])


def test_a_library_that_the_named_mpi_lacks(tmp_path: Path) -> None:
    """Who has named the MPI already is told what else there is to do."""
    program = _linked_to_a_library_that_is_gone("libmpi_aocc.so.12", tmp_path)
    with pytest.raises(
        RotaError, match=r"needs libmpi_aocc.so.12, which the mpich found here has not: set ROTA_MPICH_PREFIX"
    ):
        native_job_with("mpich", [program])
    with pytest.raises(RotaError, match=r"libmpi_aocc.so.12 \(mpich\), not openmpi: use --mpi mpich"):
        native_job_with("openmpi", [program])


@pytest.mark.parametrize(
    ("mode", "complaint"),
    [(None, "no such program"), (0o644, r"is not executable: chmod \+x"), (0o755, None)],
)
def test_a_program_that_cannot_be_run_is_refused(
    mode: int | None, complaint: str | None, tmp_path: Path
) -> None:
    program = tmp_path / "app"
    if mode is not None:
        program.touch(mode)
    if complaint is None:
        assert find_program(str(program)) == str(program)
    else:
        with pytest.raises(RotaError, match=complaint):
            find_program(str(program))


def test_a_program_in_the_current_directory_needs_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _executable(tmp_path / "app", "")
    with pytest.raises(RotaError, match=r"app is not on PATH: write \./app"):
        find_program("app")


def _linked_to_a_library_that_is_gone(name: str, directory: Path) -> str:
    library, program = directory / name, directory / "app"
    for source, options in (
        (
            "int MPI_Init(int *n, char ***v) { return !n + !v; }",
            ("-shared", f"-Wl,-soname,{name}", "-o", library),
        ),
        (
            "int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0); }",
            ("-o", program, library),
        ),
    ):
        command = ("cc", "-fPIC", "-x", "c", "-", "-x", "none", *options)
        subprocess.run(command, input=source, text=True, check=True)
    library.unlink()
    return str(program)


def _executable(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)
