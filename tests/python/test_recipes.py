"""Others' recipes say what pyproject.toml says; each is read by its own tool where there is one here."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import rattler_build as rattler

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LMOD = Path("/usr/share/lmod/lmod/init/bash")
MODULES = Path("/usr/share/modules/init/bash")


def needed() -> dict[str, str]:
    """Return each package that Rota needs, with the least version."""
    return dict(each.split(">=") for each in PROJECT["dependencies"])


def test_conda() -> None:
    """rattler-build reads the recipe and fills in what it leaves open."""
    variants = "c_compiler: [gcc]\ncxx_compiler: [gxx]\nc_stdlib: [sysroot]\npython: [3.12.*]\n"
    recipe = rattler.Stage0Recipe.from_file(PACKAGING / "conda" / "recipe.yaml")
    (rendered,) = recipe.render(rattler.VariantConfig.from_yaml(variants))
    told = rendered.recipe.to_dict()
    assert told["package"] == {"name": PROJECT["name"], "version": PROJECT["version"]}
    run = dict(each.split(" >=") for each in told["requirements"]["run"] if " >=" in each)
    assert run.pop("python") == PROJECT["requires-python"].removeprefix(">=")
    run["matplotlib"] = run.pop("matplotlib-base")
    assert run == needed()


def test_spack() -> None:
    recipe = (PACKAGING / "spack/spack_repo/rota/packages/rota/package.py").read_text()
    asked = dict(re.findall(r'depends_on\("py-([\w-]+)@([\d.]+):"\)', recipe))
    assert {name: asked.get(name) for name in needed()} == needed()


def test_apptainer() -> None:
    """The wheel that it takes is of this version; tests/apptainer_def carries out its sections."""
    assert f"rota-{PROJECT['version']}-" in (PACKAGING / "apptainer" / "rota.def").read_text()


@pytest.mark.parametrize("tool", [LMOD, MODULES], ids=["Lmod", "Environment Modules"])
def test_module(tool: Path, tmp_path: Path) -> None:
    """Loaded, it brings the command, the packages, CMake's and pkg-config's files; unloaded, nothing."""
    if not tool.exists():
        pytest.skip(f"no {tool}: apt-get install lmod, or environment-modules")
    (tmp_path / "rota").mkdir()
    (tmp_path / "rota" / PROJECT["version"]).write_text((PACKAGING / "modulefiles" / "rota").read_text())
    script = f"""
      . {tool}
      module load rota && rota --version
      echo "$PYTHONPATH" && ls "$CMAKE_PREFIX_PATH/lib/cmake/Rota" "$PKG_CONFIG_PATH"
      module unload rota && echo "left: $PYTHONPATH$CMAKE_PREFIX_PATH$PKG_CONFIG_PATH"
      ROTA_ROOT=/nowhere module load rota
    """
    environment = {"PATH": os.defpath, "MODULEPATH": str(tmp_path), "ROTA_ROOT": sys.prefix}
    ran = subprocess.run(("bash", "-c", script), env=environment, capture_output=True, text=True, check=False)
    version, packages, *found, left = ran.stdout.splitlines()
    assert version == f"rota {PROJECT['version']}"
    assert (Path(packages) / "rota").is_dir()
    assert {"RotaConfig.cmake", "rota-openmpi.pc"} <= {*found}
    assert left == "left: "
    assert "rota: nothing installed in /nowhere" in ran.stderr
