import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mpi_programs import compile_program

from rota import launch, library, mpi_program
from rota.cli import status_of
from rota.commands import job as job_command
from rota.errors import RotaError
from rota.launch import Job, native_job, native_job_with, with_environment, with_rota
from rota.launcher import launcher_environment, local_command, named_launcher
from rota.library import ABIS, Abi
from rota.mpi_install import Family, LinkedMpi, MpiInstall, find_install

WHO = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("%d/%d %s %s\n", rank, size, argc > 2 ? argv[2] : "", getenv("GREETING") ? getenv("GREETING") : "");
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""
WHICH = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Init(&argc, &argv);
  MPI_Get_library_version(version, &length);
  puts(version);
  MPI_Finalize();
  return 0;
}
"""
OPENMPI = MpiInstall("openmpi", Path("/mpi/bin/mpiexec"), Path("/mpi/lib"))
MPICH = MpiInstall("mpich", Path("/mpi/bin/mpiexec"), Path("/mpi/lib"))


def _job(family: Family) -> Job:
    return Job(("app", "-n"), LinkedMpi(family, Path("/mpi/lib/libmpi.so")), {"A": "1"})


@pytest.fixture
def installs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the launchers of both families be in /mpi."""
    found = {"openmpi": OPENMPI, "mpich": MPICH}
    monkeypatch.setattr(launch, "install_of", lambda mpi: found[mpi.abi])


@pytest.mark.usefixtures("installs")
def test_open_mpi_gives_variables_to_the_ranks_only() -> None:
    assert local_command(_job("openmpi"), ranks=2, cores=2) == (
        *("/mpi/bin/mpiexec", "-n", "2", "--map-by", ":OVERSUBSCRIBE"),
        *("-x", "A=1", "app", "-n"),
    )


@pytest.mark.usefixtures("installs")
def test_open_mpi_yields_when_ranks_outnumber_cores() -> None:
    assert "mpi_yield_when_idle" in local_command(_job("openmpi"), ranks=3, cores=2)


@pytest.mark.usefixtures("installs")
def test_mpich_gives_variables_to_the_ranks_only() -> None:
    assert local_command(_job("mpich"), ranks=2, cores=2) == (
        *("/mpi/bin/mpiexec", "-n", "2", "-genv", "A", "1", "app", "-n"),
    )


@pytest.mark.usefixtures("installs")
def test_mpich_yields_when_ranks_outnumber_cores() -> None:
    assert "MPIR_CVAR_CH4_PROGRESS_THROTTLE" in local_command(_job("mpich"), ranks=3, cores=2)


def test_other_launchers_reach_the_ranks_by_env(tmp_path: Path) -> None:
    """What is preloaded is no part of the launcher, and values may have commas."""
    srun = tmp_path / "srun"
    srun.write_text("#!/bin/sh\n")
    srun.chmod(0o755)
    launcher = named_launcher(f"{srun} -N 4 --mpi=pmix")
    assert launcher.install is None
    job = with_environment(_job("openmpi"), {"A": "1,2"})
    assert launcher.command(job) == (str(srun), "-N", "4", "--mpi=pmix", "env", "A=1,2", "app", "-n")
    bare = Job(("app",), job.mpi, {})
    assert launcher.command(bare) == (str(srun), "-N", "4", "--mpi=pmix", "app")


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
def test_an_mpi_launcher_is_known_by_what_it_says(family: Family) -> None:
    install = find_install(family)
    launcher = named_launcher(f"{install.launcher} -n 3")
    assert launcher.install == install
    assert ("-x" if family == "openmpi" else "-genv") in launcher.command(_job(family))


MEASURING = [
    "bench bcast",
    "bench all",
    "bench never-slower",
    "bench overlap",
    "bench persistent",
    "tune -o x",
]


@pytest.mark.parametrize("family", ["openmpi", "mpich"])
@pytest.mark.parametrize("command", MEASURING)
def test_an_mpis_launcher_says_which_mpi(
    command: str, family: Family, capsys: pytest.CaptureFixture[str]
) -> None:
    """As if it were named, and another may be."""
    words = [*command.split(), "--launcher", f"{find_install(family).launcher} -n 3", "--dry-run"]
    printed = []
    for mpi in ([], ["--mpi", family]):
        assert status_of([*words, *mpi]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    if family == "mpich":
        assert status_of([*words, "--mpi", "mpi5"]) == 0
        assert capsys.readouterr().out != printed[0]


@pytest.mark.parametrize("command", MEASURING)
def test_other_launchers_leave_the_mpi_to_be_said(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    srun = tmp_path / "srun"
    srun.write_text("#!/bin/sh\n")
    srun.chmod(0o755)
    assert status_of([*command.split(), "--launcher", f"{srun} -N 4"]) == 2
    says = "srun starts programs of any MPI: say which with --mpi openmpi, mpich or mpi5"
    assert capsys.readouterr().err.strip().endswith(says)
    assert status_of([*command.split(), "--hosts", "4", "--rate", "1gbit"]) == 2
    assert "Missing option '--mpi': openmpi, mpich or mpi5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("", "names nothing"), ("srun '", "is no command"), ("no-such-launcher -n 2", "no such program")],
)
def test_what_is_no_launcher_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(RotaError, match=complaint):
        named_launcher(text)


def test_more_variables_replace_older_ones() -> None:
    assert with_environment(_job("mpich"), {"A": "2", "B": "3"}).rank_environment == {"A": "2", "B": "3"}


def test_rota_is_preloaded_before_the_mpi_library_and_what_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "preload_for", lambda mpi: Path(f"/rota/{mpi.abi}.so"))
    job = with_rota(_job("mpich"), {"LD_PRELOAD": "/other.so"})
    assert job.rank_environment["LD_PRELOAD"] == "/other.so:/rota/mpich.so"


def test_what_is_said_to_rota_reaches_all_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an environment that a launcher leaves on its own machine."""
    monkeypatch.setattr(launch, "preload_for", lambda _: Path("/rota.so"))
    job = with_rota(_job("openmpi"), {"ROTA_ADAPT": "off", "ROTA_PROGRESS": "thread", "HOME": "/"})
    carried = {"A": "1", "LD_PRELOAD": "/rota.so", "ROTA_ADAPT": "off", "ROTA_PROGRESS": "thread"}
    assert job.rank_environment == carried


def test_native_is_native_where_rota_is_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"mpi": None, "off": None, "report": None, "trace": None, "native": True}
    monkeypatch.setattr(job_command, "native_job", lambda _: _job("mpich"))
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    assert job_command.job_of(["app"], **asked).rank_environment == {"A": "1"}
    monkeypatch.setenv("LD_PRELOAD", "/rota.so")
    assert job_command.job_of(["app"], **asked).rank_environment == {"A": "1", "ROTA_OFF": "all"}


@pytest.mark.parametrize(
    "line",
    [
        "\tlibmpi.so.40 => {} (0x00007f0c8a000000)",
        "\t{} (0x00007f0c8a000000)",
        "7f0c8a000000-7f0c8a0ff000 r-xp 00000000 fd:01 1311 {}",
    ],
)
def test_a_path_may_have_blanks(line: str) -> None:
    library = "/home/a user/my mpi/lib/libmpi.so.40"
    assert mpi_program.first_mpi(line.format(library)) == LinkedMpi("openmpi", Path(library))


def test_a_library_that_is_not_found_has_its_name() -> None:
    assert mpi_program.first_mpi("\tlibmpi.so.40 => not found") == LinkedMpi("openmpi", Path("libmpi.so.40"))


def test_a_python_of_other_modules_runs_with_the_mpi_that_is_named(tmp_path: Path) -> None:
    """Of Python programs only mpi4py can be asked which MPI they load."""
    bare = tmp_path / "python3"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(RotaError, match="install mpi4py"):
        native_job([str(bare), "app.py"])
    assert native_job_with("openmpi", [str(bare), "app.py"]).mpi.abi == "openmpi"


def test_a_program_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.write_bytes(b"")
    closed.chmod(0o111)
    with pytest.raises(RotaError):
        native_job([str(closed)])


@pytest.mark.parametrize("abi", ABIS)
def test_a_build_without_an_mpi_says_so(abi: Abi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rota.__path__", [str(tmp_path)])
    assert library.built_abis() == ()
    with pytest.raises(RotaError, match=f"built without {abi}"):
        library.preload_path(abi)


@pytest.mark.parametrize("abi", ABIS)
def test_a_program_runs_and_its_arguments_and_status_are_its_own(abi: Abi, tmp_path: Path) -> None:
    job = native_job([compile_program(WHO, abi, tmp_path), "3", "-n"])
    ran = _run(with_environment(job, {"GREETING": "hi there"}), ranks=3)
    assert ran.returncode == 3
    assert sorted(ran.stdout.splitlines()) == [f"{rank}/3 -n hi there" for rank in range(3)]


@pytest.mark.parametrize("abi", ["openmpi", "mpich"])
def test_a_python_program_runs_with_the_chosen_mpi(abi: Abi) -> None:
    pytest.importorskip("mpi4py", reason="mpi4py is missing: install the test dependencies")
    # One write a line: two ranks print at once.
    say = "os.write(1, f'{MPI.COMM_WORLD.size} {MPI.get_vendor()[0]}\\n'.encode())"
    program = f"import os; from mpi4py import MPI; {say}"
    ran = _run(native_job_with(abi, [sys.executable, "-c", program]), ranks=2)
    assert ran.stdout.splitlines() == [f"2 {'Open MPI' if abi == 'openmpi' else 'MPICH'}"] * 2


def test_a_program_of_another_mpi_is_refused(tmp_path: Path) -> None:
    program = compile_program(WHO, "mpich", tmp_path)
    with pytest.raises(RotaError, match=r"libmpi\.so\.12 \(mpich\), not openmpi: use --mpi mpich"):
        native_job_with("openmpi", [program])


@pytest.mark.parametrize("how", [("{script}",), ("env", "GREETING=hi", "{app}"), ("sh", "-c", "exec {app}")])
def test_what_starts_a_program_runs(how: tuple[str, ...], tmp_path: Path) -> None:
    app = compile_program(WHO, "openmpi", tmp_path)
    script = _script(tmp_path, app)
    job = native_job([word.format(app=app, script=script) for word in how])
    assert _run(job, ranks=2).stdout.count("/2") == 2


def test_a_script_that_cannot_be_seen_through_runs_with_the_mpi_that_is_named(tmp_path: Path) -> None:
    script = _script(tmp_path, '"$(echo "$WHO")"')
    with pytest.raises(RotaError, match="is a script, and no MPI program is seen in it: say with --mpi"):
        native_job([script])
    app = compile_program(WHO, "openmpi", tmp_path)
    job = with_environment(native_job_with("openmpi", [script]), {"WHO": app})
    assert _run(job, ranks=2).stdout.count("/2") == 2


@pytest.mark.parametrize("how", ["{app}", "{script}", "{hidden}"])
def test_the_programs_own_mpi_comes_first(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where --mpi names the ABI of another install: Debian's Fortran programs die in that one."""
    monkeypatch.delenv("ROTA_OPENMPI_PREFIX", raising=False)
    compiler = shutil.which("mpicc.openmpi")
    if compiler is None:
        pytest.skip("no mpicc.openmpi: install libopenmpi-dev")
    app = tmp_path / "debian"
    subprocess.run([compiler, "-x", "c", "-", "-o", app], input=WHICH, text=True, check=True)
    (tmp_path / "hidden").mkdir()
    hidden = _script(tmp_path / "hidden", '"$(echo "$WHO")"')
    program = how.format(app=app, script=_script(tmp_path, str(app)), hidden=hidden)
    job = with_environment(native_job_with("openmpi", [program]), {"WHO": str(app)})
    assert "LD_LIBRARY_PATH" not in job.rank_environment
    ran = _run(job, ranks=2)
    assert ran.stdout.count("Open MPI v4.1.") == 2, ran.stderr


def _script(directory: Path, command: str) -> str:
    script = directory / "app.sh"
    script.write_text(f"#!/bin/sh\nexec {command}\n")
    script.chmod(0o755)
    return str(script)


def _run(job: Job, ranks: int) -> subprocess.CompletedProcess[str]:
    command = local_command(job, ranks, os.cpu_count() or 1)
    environment = launcher_environment()
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
