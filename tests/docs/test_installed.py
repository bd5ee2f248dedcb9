"""jumpnet as a user has it: built, installed into an empty environment, run elsewhere, seen by a type checker.

The packages that it needs are those of this environment; jumpnet itself is only what was built.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest
from tests.docs.sessions import steps
from tests.type_checker import checked

ROOT = Path(__file__).parents[2]
CHECKERS = {"check_acyclic.py", "check_acyclic_numpy.py", "check_certificate.py", "check_certificate.c"}
CHECKERS |= {f"check_{kind}_certificate.{of}" for kind in ("grid", "orbit") for of in ("py", "c")}
USER = """
import jumpnet

net = jumpnet.network("torus:4x4")
reveal_type(net)
reveal_type(net.metrics().diameter)
reveal_type(jumpnet.simulate("torus:4x4", load=0.1).saturated)
reveal_type(net.metrics().to_pandas())
net.metrics().diametre
"""


def run(*words: str | Path, folder: Path, fails: bool = False) -> str:
    """What a command prints; without the variables that would lead it to this checkout."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(list(map(str, words)), cwd=folder, env=kept, capture_output=True, text=True, check=False)
    assert (ran.returncode != 0) == fails, ran.stdout + ran.stderr
    return ran.stdout


def build(source: Path, kind: str, out: Path) -> Path:
    """A wheel or a source distribution of a folder."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out, folder=source)
    (made,) = out.iterdir()
    return made


def installed(wheel: Path, folder: Path) -> Path:
    """The `bin` of a new environment that has a wheel, and can import what it needs."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, folder=wheel.parent)
    python = folder / "bin" / "python"
    needs = ["--no-deps", "--no-index", "--no-compile", "--quiet", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "--python", python, "install", *needs, wheel, folder=wheel.parent)
    (site,) = folder.glob("lib/*/site-packages")
    (site / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("built") / "dist")


@pytest.fixture(scope="module")
def bin_folder(wheel: Path) -> Path:
    return installed(wheel, wheel.parents[1] / "env")


def test_the_wheel_runs_by_itself(bin_folder: Path, tmp_path: Path) -> None:
    where = run(bin_folder / "python", "-c", "import jumpnet; print(jumpnet.__file__)", folder=tmp_path)
    assert Path(where.strip()).is_relative_to(bin_folder.parent)
    rows = run(bin_folder / "jumpnet", "metrics", "rdt:8", "--json", folder=tmp_path)
    assert json.loads(rows)["diameter"] == 4
    claims = run(bin_folder / "jumpnet", "paper", "li2009rdn", "--only", "symmetry", "--json", folder=tmp_path)
    assert {json.loads(row)["verdict"] for row in claims.splitlines()} >= {"equal"}


def test_the_wheel_has_the_checker_of_certificates(bin_folder: Path, tmp_path: Path) -> None:
    run(bin_folder / "jumpnet", "prove", "torus:4", "--certificate", "c.cert", folder=tmp_path)
    assert "accepted" in run(bin_folder / "jumpnet", "check", "c.cert", folder=tmp_path)


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(source) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from 3.11.4 on
        archive.extractall(tmp_path, **safely)
        assert {name.rpartition("/")[2] for name in archive.getnames() if "/tools/" in name} >= CHECKERS
    again = build(tmp_path / source.name.removesuffix(".tar.gz"), "wheel", tmp_path / "again")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def pages(folder: Path) -> list[str]:
    """The Python blocks of README and manual, as a file for each page, and those that are files themselves."""
    for page in [ROOT / "README.md", *(page for page in (ROOT / "docs").rglob("*.md") if "made" not in page.parts)]:
        name = f"{page.stem.lower().replace('-', '_')}_page"
        for step in steps(page):
            if step.kind == "python":
                with (folder / f"{name}.py").open("a", encoding="utf-8") as file:
                    file.write(f"{step.text}\n")
            elif step.kind.endswith(".py"):
                (folder / f"{name}_{step.kind}").write_text(step.text, encoding="utf-8")
    return sorted(file.name for file in folder.glob("*_page*.py"))


def test_a_type_checker_sees_the_types(bin_folder: Path, tmp_path: Path) -> None:
    """And finds no name in the manual that there is not; what may be None, and settings in a mapping, it lets pass."""
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    (tmp_path / "pandas").mkdir()
    (tmp_path / "pandas" / "__init__.pyi").write_text("class DataFrame: ...\n", encoding="utf-8")
    written = pages(tmp_path)
    assert len(written) > 30
    said = checked(tmp_path, ["user.py"], written, bin_folder / "python")
    revealed = [line.partition("Revealed type is ")[2].strip('"') for line in said.splitlines() if "Revealed" in line]
    assert revealed == ["jumpnet.lab.network.LabNetwork", "int | None", "bool", "pandas.DataFrame"]
    assert said.count("error: ") == 1 and 'has no attribute "diametre"; maybe "diameter"?' in said
