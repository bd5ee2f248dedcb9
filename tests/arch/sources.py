"""The package's files, each parsed once where a test asks for it, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "jumpnet"
FILES = sorted(SOURCES.rglob("*.py"))
ALL = [
    *FILES,
    *(path for name in ("tests", "benchmarks", "validation", "tools") for path in sorted((ROOT / name).rglob("*.py"))),
]


class _Trees(dict[Path, ast.Module]):
    """Files as Python reads them; every worker of the tests collects this folder, and only one of them runs it."""

    def __missing__(self, path: Path) -> ast.Module:
        tree = self[path] = ast.parse(path.read_text(encoding="utf-8"))
        return tree


TREES = _Trees()


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement in some code, however deep; no expression holds one, so none is entered."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, field, ()):
            yield node
            yield from statements(node)


def _module(path: Path) -> str:
    return ".".join(("jumpnet", *path.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {_module(path): path for path in FILES}


def imports(tree: ast.AST) -> set[str]:
    """Files imported anywhere: at the top, inside functions, or for types only."""
    found: set[str] = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{name.name}" for name in node.names}
            found |= {name if name in MODULES else node.module for name in inner}
    return found & MODULES.keys()


@cache
def all_imports() -> dict[str, frozenset[str]]:
    """What each module of the package imports from it, by name."""
    return {name: frozenset(imports(TREES[path])) for name, path in MODULES.items()}
