"""What the docs say is run: code blocks of README and docs, and the doctests of every module."""

from __future__ import annotations

import doctest
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.docs.sessions import is_session

import jumpnet

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "papers").glob("*.md")]
LINKS = re.compile(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"")


def _blocks() -> Iterator[object]:
    for page in sorted(PAGES):
        if is_session(page):  # its blocks belong together: `test_manual`
            continue
        for n, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)):
            yield pytest.param(code, page, n, id=f"{page.name}-{n}")


@pytest.mark.parametrize(("code", "page", "n"), list(_blocks()))
def test_code_blocks_run(code: str, page: Path, n: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file, because a relation is compiled with the source it came from.
    file = tmp_path / f"{page.stem.replace('-', '_')}_{n}.py"
    file.write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "example"}
    exec(compile(code, str(file), "exec", dont_inherit=True), names)
    assert names.keys() > {"__name__", "__builtins__"}, "it makes nothing that a reader could go on with"


def _modules() -> list[str]:
    found = pkgutil.walk_packages(jumpnet.__path__, "jumpnet.")
    return ["jumpnet", *sorted(m.name for m in found)]


@pytest.mark.parametrize("name", _modules())
def test_docstring_examples(name: str) -> None:
    module = import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


@pytest.mark.parametrize("page", [*PAGES, *ROOT.glob("*.md")], ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for groups in LINKS.findall(page.read_text(encoding="utf-8")):
        target = next(filter(None, groups))
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} points at {target}"


def test_the_readme_is_one_screen() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 45
