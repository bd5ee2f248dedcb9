"""What `make wheel` puts into a wheel: kernels, and nothing that a compilation which was cut short has left."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[3]
KEPT = ("cycle.run_any-1.kernel", "injection.sleep_all-2.kernel")
LEFT = (
    "cycle.run_any-1.lock",
    "cycle.run_any-1.abc.part",
    "cycle.run_any-3.damaged",
    "notes.txt",
    "warm.guard-4.kernel",
)


def _project(folder: Path, kernels: tuple[str, ...]) -> None:
    """A project that is built as this one is, with little in it."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("tests/golden/a.toml", "tools/a.py", "src/jumpnet/__init__.py"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("", encoding="utf-8")
    (folder / "src/jumpnet/kernels").mkdir()
    for name in kernels:
        (folder / "src/jumpnet/kernels" / name).write_text(name, encoding="utf-8")


def _wheel(folder: Path) -> Path:
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    (found,) = (folder / "dist").glob("*.whl")
    return found


@pytest.mark.parametrize("kernels", [(), LEFT, (*KEPT, *LEFT)], ids=["none", "left", "some"])
def test_a_wheel_has_kernels_alone(kernels: tuple[str, ...], tmp_path: Path) -> None:
    _project(tmp_path, kernels)
    made = _wheel(tmp_path)
    with ZipFile(made) as files:
        names = {name for name in files.namelist() if name.startswith("jumpnet/kernels")}
        about = files.read(f"{made.name.split('-py3')[0].split('-cp')[0]}.dist-info/METADATA").decode()
        made_by = files.read("jumpnet/kernels/made_by").decode() if names else ""
        assert {"jumpnet/golden/a.toml", "jumpnet/tools/a.py", "jumpnet/__init__.py"} <= set(files.namelist())
    there = [name for name in KEPT if name in kernels]
    assert names == {f"jumpnet/kernels/{name}" for name in (*there, *["made_by"] * bool(there))}
    versions = f"numba {version('numba')} llvmlite {version('llvmlite')}"
    assert made_by == (versions if names else ""), "kernels are found by what has compiled them"
    assert "Requires-Dist: llvmlite" not in about and "Requires-Dist: numba>=" in about, "and run with others"
    assert made.name.endswith("-py3-none-any.whl") == (not names), "a wheel with machine code is for its machine"


def test_where_numba_is_not_installed_kernels_stay_out(tmp_path: Path) -> None:
    """As in the environment that `pip install .` builds in, beside what a `make wheel` that was ended has left."""
    _project(tmp_path, KEPT)
    without = """
from importlib import metadata
def version(name, given=metadata.version):
    if name == "numba":
        raise metadata.PackageNotFoundError(name)
    return given(name)
metadata.version = version
from hatchling.build import build_wheel
build_wheel("dist")
"""
    done = subprocess.run([sys.executable, "-c", without], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "kernels is left out" in done.stdout + done.stderr
    (made,) = (tmp_path / "dist").glob("*.whl")
    with ZipFile(made) as files:
        assert not [name for name in files.namelist() if name.startswith("jumpnet/kernels")]
    assert made.name.endswith("-py3-none-any.whl")
