"""Imports between files and between parts (the files and folders side by side in a folder) go one way, past no `_`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

import pytest
from tests.arch.sources import ALL, FILES, MODULES, ROOT, SOURCES, TREES, all_imports, imports, statements

FOLDERS = sorted({path.parent for path in FILES})


def _cycle(imported: Mapping[str, Set[str]]) -> list[str]:
    """Names each of which imports the next, and the last the first; empty when there are none."""
    done: set[str] = set()

    def search(name: str, path: list[str]) -> list[str]:
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return []
        for after in sorted(imported[name]):
            if found := search(after, [*path, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(imported) if (found := search(name, []))), [])


def test_a_cycle_is_found() -> None:
    assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c"]
    assert _cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_imports_form_no_cycle() -> None:
    assert not _cycle({name: others - {name} for name, others in all_imports().items()})


def _parts(folder: tuple[str, ...], imported: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """The parts of a folder (its parts below the package), and which of them each imports from.

    What is written in the folder's `__init__` is the folder itself, no part in it: it may import from all of them.
    """

    def part(module: str) -> str | None:
        inner = tuple(module.split(".")[1:])
        return inner[len(folder)] if len(inner) > len(folder) and inner[: len(folder)] == folder else None

    found: dict[str, set[str]] = {}
    for name, others in imported.items():
        if (here := part(name)) is not None:
            there = {one for other in others if (one := part(other)) is not None and one != here}
            found.setdefault(here, set()).update(there)
    return found


def test_a_cycle_of_parts_is_found() -> None:
    imported = {"j.a.x": {"j.b.y"}, "j.b.y": set(), "j.b.z": {"j.a.w"}, "j.a.w": set(), "j": {"j.a.x"}}
    assert not _cycle({**{name: set() for name in imported}, **imported})
    assert _cycle(_parts((), imported)) == ["a", "b"]
    assert _parts(("b",), imported) == {"y": set(), "z": set()}


def test_parts_form_no_cycle() -> None:
    cycles = {path: _cycle(_parts(path.relative_to(SOURCES).parts, all_imports())) for path in FOLDERS}
    assert not {path: cycle for path, cycle in cycles.items() if cycle}


@pytest.mark.parametrize("folder", ["sim", "analysis.deadlock"])
def test_the_parts_of_a_large_folder_are_those_on_the_page(folder: str) -> None:
    """Every part of it stands in ARCHITECTURE.md, and imports only from those that stand after it there."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition(f"The parts of `{folder}`")[2]
    parts = _parts(tuple(folder.split(".")), all_imports())
    order = [word for line in page.split("\n\n")[1].splitlines() for word in line[:36].split()]
    assert sorted(order) == sorted(parts)
    for name, others in parts.items():
        assert others <= set(order[order.index(name) + 1 :]), name


def _owner(module: str) -> str | None:
    """The folder that a module is private to: the one which its first part with `_` lies in; None for public ones."""
    parts = module.split(".")
    return next((".".join(parts[:i]) for i, part in enumerate(parts) if part[0] == "_" and part[1] != "_"), None)


def _trespasses(name: str, imported: Set[str]) -> set[str]:
    """Modules that are private to a folder in which the file of that name does not lie."""
    owners = {other: _owner(other) for other in imported}
    return {other for other, owner in owners.items() if owner is not None and not f"{name}.".startswith(f"{owner}.")}


def test_a_trespass_is_found() -> None:
    assert _trespasses("jumpnet.a.b.x", {"jumpnet.a._p", "jumpnet._q", "jumpnet.a.b._r", "jumpnet.c.d"}) == set()
    assert _trespasses("jumpnet.ab.x", {"jumpnet.a._p", "jumpnet.ab._c.d"}) == {"jumpnet.a._p"}
    assert _trespasses("jumpnet.a", {"jumpnet.a._p"}) == set()  # the folder's own `__init__`


def test_private_files_are_imported_by_their_folder_only() -> None:
    found = {name: _trespasses(name, imported) for name, imported in all_imports().items()}
    assert not {name: others for name, others in found.items() if others}


def test_names_with_an_underscore_stay_in_their_file() -> None:
    """Private files may be imported by their folder; private functions and classes by nobody."""
    found = {
        f"{name}: {node.module}.{one.name}"
        for name, path in MODULES.items()
        for node in statements(TREES[path])
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for one in node.names
        if one.name.startswith("_") and not one.name.startswith("__") and f"{node.module}.{one.name}" not in MODULES
    }
    assert not found


def test_private_files_are_not_measured() -> None:
    """Benchmarks and validation use what users have; only tests may look inside."""
    measuring = [path for path in ALL if path.relative_to(ROOT).parts[0] not in ("src", "tests")]
    found = {path: {name for name in imports(TREES[path]) if (_owner(name) or "jumpnet") != "jumpnet"}
             for path in measuring}  # fmt: skip
    assert measuring and not {path: names for path, names in found.items() if names}
