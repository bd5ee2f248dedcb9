"""The layout is the architecture: imports go downward, fences around libraries hold, files say what they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jumpnet._sources import _imports as imports_of_kernels

ROOT = Path(__file__).parents[2] / "src" / "jumpnet"
FILES = sorted(ROOT.rglob("*.py"))

LAYERS = [
    {
        "terms",
        "errors",
        "notices",
        "files",
        "memory",
        "registry",
        "own",
        "spec",
        "papers",
        "_bounded",
        "_bounded_beside",
        "_jit",
        "_kernel_cache",
        "_network_check",
        "_processor",
        "_seal",
        "_sources",
        "_random",
        "_linked",
        "_locked",
        "_record",
        "_rows",
        "_frame",
        "_threads",
        "_workers",
        "_vectors",
        "_trial",
        "_asked",
        "_strict",
        "_typed",
        "settings",
    },
    {"network"},
    {"topology", "graph", "fault"},
    {"routing", "multicast"},
    {"traffic"},
    {"analysis"},
    {"sim", "coherence", "chip"},
    {"machine"},
    {"study"},
    {"plot", "web"},
    {"paper"},
    {"curve", "report_part"},
    {"lab"},
    {"cli", "__init__"},
    {"__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FENCES = {
    "numba": ("_jit.py", "_linked.py"),
    "llvmlite": ("_jit.py", "_linked.py"),
    "dask": ("study/",),
    "distributed": ("study/",),
    "matplotlib": ("plot/",),
    "typer": ("cli/",),
}


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} uses a relative import"
            found.add(node.module or "")
            if node.module == "jumpnet":
                found.update(f"jumpnet.{a.name}" for a in node.names)
    return found


def _part(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_downward(path: Path) -> None:
    here = _part(path)
    assert here in LEVEL, f"{here} has no place in the layers"
    for name in _imports(path):
        parts = name.split(".")
        if parts[0] != "jumpnet" or len(parts) == 1 or parts[1] not in LEVEL or parts[1] == here:
            continue
        below = LEVEL[parts[1]] < LEVEL[here] or LEVEL[here] == 0
        assert below, f"{path.relative_to(ROOT)} ({here}) imports {name}"


def test_the_key_of_the_kernel_cache_misses_no_import() -> None:
    for path in FILES:
        names = _imports(path)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                names |= {f"{node.module}.{a.name}" for a in node.names}
        files = {ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in names if name[:8] == "jumpnet."}
        assert {file for file in files if file.is_file()} <= imports_of_kernels(path), path


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_third_party_fences(path: Path) -> None:
    where = path.relative_to(ROOT).as_posix()
    for name in _imports(path):
        homes = FENCES.get(name.split(".")[0])
        assert homes is None or any(where.startswith(home) for home in homes), f"{where} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_and_public_definition_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "no module docstring"
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{node.name} has no docstring"
