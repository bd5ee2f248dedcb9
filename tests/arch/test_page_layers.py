"""The page's sources are layered as `web/README.md` says, no files of it import each other in a
circle, and files that belong together stand in a folder."""

from __future__ import annotations

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "web" / "src"
IMPORTED = re.compile(r"""\bfrom\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"|^import\s+"(\.[^"]+)\"""", re.MULTILINE)


def _imports() -> dict[Path, set[Path]]:
    """Files of the page that each file imports, for types only too."""
    found: dict[Path, set[Path]] = {}
    for path in PAGE.rglob("*.ts"):
        names = ["".join(groups) for groups in IMPORTED.findall(path.read_text(encoding="utf-8"))]
        files = {(path.parent / f"{name}.ts").resolve() for name in names if not name.endswith((".css", ".json"))}
        assert all(file.exists() for file in files), (path, files)
        found[path] = files
    return found


def _part(path: Path) -> str:
    return path.relative_to(PAGE).with_suffix("").parts[0]


def _floors() -> dict[str, int]:
    """The line of each part in the order that the page of the sources prints."""
    page = (ROOT / "web" / "README.md").read_text(encoding="utf-8")
    order = page.partition("Imports go downward")[2].split("\n\n")[1]
    return {part: floor for floor, line in enumerate(order.splitlines()) for part in line.split()}


def _in_order(imports: dict[Path, set[Path]]) -> list[Path]:
    return list(TopologicalSorter(imports).static_order())


def test_files_of_the_page_form_no_circle() -> None:
    assert len(_in_order(_imports())) > 100
    with pytest.raises(CycleError):
        _in_order({Path("a"): {Path("b")}, Path("b"): {Path("a")}})


def test_imports_of_the_page_go_downward() -> None:
    floors, imports = _floors(), _imports()
    assert {_part(path) for path in imports} == floors.keys()
    pairs = {(_part(path), _part(other)) for path, others in imports.items() for other in others}
    assert not [(here, there) for here, there in pairs if here != there and floors[here] >= floors[there]]


def test_views_and_panels_know_little_of_the_shell() -> None:
    known = {
        other.name
        for path, others in _imports().items()
        for other in others
        if _part(path) in ("views", "panels") and _part(other) == "shell"
    }
    assert known == {"panel.ts", "controls.ts", "curve.ts", "commands.ts", "save.ts"}


def _prefixed(files: set[Path]) -> list[str]:
    """Files whose names begin as that of another file of their folder, or of a folder in it, goes on to `_`."""
    stems = {(file.parent, file.stem) for file in files}
    stems |= {(folder.parent, folder.name) for folder in {file.parent for file in files}}
    pairs = [(folder, stem, stem.partition("_")[0]) for folder, stem in stems if "_" in stem]
    heads = Counter((folder, head) for folder, _, head in pairs)
    return sorted(stem for folder, stem, head in pairs if heads[folder, head] > 1 or (folder, head) in stems)


def test_files_that_belong_together_have_a_folder() -> None:
    assert _prefixed(set(_imports())) == []
    assert _prefixed({Path("a/ring.ts"), Path("a/ring_drawn.ts"), Path("a/ring_told.ts"), Path("b/ring.ts")}) == [
        "ring_drawn",
        "ring_told",
    ]
