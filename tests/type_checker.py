"""mypy on users' files: what it found of the package, beside the first tests of `make test`, it finds again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["checked"]

ROOT = Path(__file__).parents[1]
LET_PASS = ["arg-type", "union-attr", "index", "operator", "assignment", "var-annotated"]


def checked(folder: Path, files: Sequence[str], loose: Sequence[str] = (), python: Path | None = None) -> str:
    """What mypy says of files in `folder`, by the project's own options: with others it would find nothing again.

    loose: more of them, in which names may change their type and values have another than the declared one. python: of
    the environment whose packages they see; else they see this checkout.
    """
    kept, made = ROOT / ".mypy_cache", folder / "cache"
    if kept.is_dir():
        shutil.copytree(kept, made)
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.mypy]\n")[2].splitlines()
    config = ["[tool.mypy]", *(line for line in lines if not line.startswith(("packages", "mypy_path")))]
    if loose:
        config += ["[[tool.mypy.overrides]]", f"module = {[file.removesuffix('.py') for file in loose]}"]
        config += ["allow_redefinition = true", f"disable_error_code = {LET_PASS}"]
    (folder / "pyproject.toml").write_text("\n".join(config), encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--cache-dir", str(made), *files, *loose]
    words += ["--python-executable", str(python)] if python else []
    path = {} if python else {"MYPYPATH": str(ROOT / "src")}
    return subprocess.run(words, cwd=folder, env=os.environ | path, capture_output=True, text=True, check=False).stdout
