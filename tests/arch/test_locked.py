"""What is locked can be installed by every Python that the project says it runs on."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]


def test_locked_packages_take_the_oldest_python() -> None:
    """One that needs a later one is locked for that alone, with another beside it for those before."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=") + ".0"
    found = 0
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        locked = Requirement(line)
        if locked.marker and not locked.marker.evaluate({"python_full_version": oldest}):
            continue
        try:
            about = metadata(locked.name)
        except PackageNotFoundError:  # of another system, or for older Pythons
            continue
        if locked.specifier.contains(about["Version"]):
            found += 1
            assert SpecifierSet(about.get("Requires-Python", "")).contains(oldest), line
    assert found > 50
