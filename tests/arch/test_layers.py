"""The layout is the architecture: imports go downward, fences around libraries hold, files say what they are."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.arch.sources import TREES, statements

from jumpnet.jit.sources import _imports as imports_of_kernels

ROOT = Path(__file__).parents[2] / "src" / "jumpnet"
FILES = sorted(ROOT.rglob("*.py"))

PAGE = ROOT.parents[1] / "ARCHITECTURE.md"
PARTS = {path.relative_to(ROOT).parts[0].removesuffix(".py") for path in FILES} - {"__init__", "__main__"}


def _levels() -> dict[str, int]:
    """The line of the picture in ARCHITECTURE.md on which each part stands, counted from below; what starts is above.

    A part is named at the begin of its line, before the words that say what it is.
    """
    picture = PAGE.read_text(encoding="utf-8").partition("## The layers")[2].partition("The lowest line")[0]
    lines = [line for line in picture.splitlines() if line.startswith("    ")]
    found = {"__init__": len(lines), "__main__": len(lines) + 1}
    for level, line in enumerate(reversed(lines)):
        names = line if level == 0 else line[:36]
        found |= {name.removesuffix(".py"): level for name in names.split()}
    return found


LEVEL = _levels()
FENCES = {
    "numba": (
        "jit/compiler.py",
        "jit/bodies.py",
        "jit/kernel_lowering.py",
        "jit/allowed.py",
        "jit/same_numbers.py",
        "jit/quick_steps.py",
    ),
    "llvmlite": (
        "jit/compiler.py",
        "jit/bodies.py",
        "jit/loaded.py",
        "jit/same_numbers.py",
        "jit/own_runtime.py",
        "jit/passes.py",
        "jit/records/record_types.py",
        "jit/records/row_types.py",
        "jit/vectors/code.py",
    ),
    "dask": ("study/",),
    "distributed": ("study/",),
    "matplotlib": ("plot/",),
    "typer": ("cli/",),
}


@cache
def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in statements(TREES[path]):
        if isinstance(node, ast.Import):
            found.update(a.name for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} uses a relative import"
            found.add(node.module or "")
            if node.module == "jumpnet":
                found.update(f"jumpnet.{a.name}" for a in node.names)
    return found


def _loaded_late(path: Path) -> set[str]:
    """Modules that a file names in a call of `import_module`."""
    calls = [node for node in ast.walk(TREES[path]) if isinstance(node, ast.Call)]
    late = [call for call in calls if ast.unparse(call.func).endswith("import_module")]
    return {a.value for call in late for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}


def _part(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


def test_imports_go_downward() -> None:
    upward = []
    assert LEVEL.keys() == PARTS | {"__init__", "__main__"}, "parts, and those in the picture of the layers"
    for path in FILES:
        here = _part(path)
        for name in _imports(path) | _loaded_late(path):
            parts = name.split(".")
            if parts[0] != "jumpnet" or len(parts) == 1 or parts[1] not in LEVEL or parts[1] == here:
                continue
            among_the_lowest = LEVEL[parts[1]] == LEVEL[here] == 0  # `test_import_cycles` refuses cycles there
            if LEVEL[parts[1]] >= LEVEL[here] and not among_the_lowest:
                upward.append(f"{path.relative_to(ROOT)} ({here}) imports {name}")
    assert not upward


def test_the_key_of_the_kernel_cache_misses_no_import() -> None:
    for path in FILES:
        names = set(_imports(path))
        for node in ast.walk(TREES[path]):
            if isinstance(node, ast.ImportFrom):
                names |= {f"{node.module}.{a.name}" for a in node.names}
        files = {ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in names if name[:8] == "jumpnet."}
        assert {str(file) for file in files if file.is_file()} <= imports_of_kernels(str(path)), path


def test_third_party_fences() -> None:
    outside = []
    for path in FILES:
        where = path.relative_to(ROOT).as_posix()
        for name in _imports(path):
            homes = FENCES.get(name.split(".")[0])
            if homes is not None and not where.startswith(homes):
                outside.append(f"{where} imports {name}")
    assert not outside


def _runs_at_once(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is loaded: neither bodies of functions nor what is for type checkers."""
    for child in ast.iter_child_nodes(node):
        for_checkers = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not (for_checkers or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)):
            yield child
            yield from _runs_at_once(child)


def _optional() -> set[str]:
    """Modules of the packages that only extras of ours bring, those for tests and the manual too."""
    project = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def names(needs: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", need)[0].lower().replace("-", "_") for need in needs}

    extras = project["optional-dependencies"].values()
    return set().union(*map(names, extras)) - names(project["dependencies"]) - {"jumpnet"}


def test_packages_of_extras_are_loaded_by_who_needs_them_alone() -> None:
    """Who has installed jumpnet by itself has none of them, and every verb but theirs works."""
    optional, found = _optional(), []
    assert {"networkx", "pandas", "pyarrow", "pymetis", "dask", "distributed"} <= optional
    for path in FILES:
        for node in _runs_at_once(TREES[path]):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [f"{path.relative_to(ROOT)} imports {n}" for n in names if n.split(".")[0] in optional]
    assert not found


def test_every_file_and_public_definition_says_what_it_is() -> None:
    silent = []
    for path in FILES:
        silent += [] if ast.get_docstring(TREES[path]) else [f"{path}: no module docstring"]
        for node in TREES[path].body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                silent += [] if ast.get_docstring(node) else [f"{path}: {node.name} has no docstring"]
    assert not silent
