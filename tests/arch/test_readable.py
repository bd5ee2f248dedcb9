"""The code stays readable: short files and functions, a docstring for what others may use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.arch.sources import ALL, FILES, MODULES, ROOT, TREES, statements

MOST_LINES, MOST_FUNCTION_LINES = 400, 70
"""Lines of a file, and of a function without its docstring; a naive twin may tell its story in one piece."""


def test_files_and_functions_are_short() -> None:
    long = []
    for path in ALL:
        where, lines = path.relative_to(ROOT), len(path.read_text(encoding="utf-8").splitlines())
        long += [f"{where}: {lines} lines"] if lines > MOST_LINES else []
        short = lines <= MOST_FUNCTION_LINES  # and so is every function in it: no need to parse it
        functions = [] if short or path.parent.name == "naive" else statements(TREES[path])
        for node in functions:
            if isinstance(node, ast.FunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1 - len((ast.get_docstring(node) or "").splitlines())
                long += [f"{where}: {node.name}: {lines} lines"] if lines > MOST_FUNCTION_LINES else []
    assert not long


BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)
MOST_NESTED = 5


def _nested(body: list[ast.stmt]) -> int:
    """How deep blocks lie within blocks; an `elif` lies beside its `if`, and a function within begins anew."""
    deepest = 0
    for node in body:
        if isinstance(node, BLOCKS):
            deepest = max(deepest, 1 + _nested(_within(node)), _nested(_elif_of(node)))
    return deepest


def _elif_of(node: ast.stmt) -> list[ast.stmt]:
    after = getattr(node, "orelse", [])
    return after if isinstance(node, ast.If) and len(after) == 1 and isinstance(after[0], ast.If) else []


def _within(node: ast.stmt) -> list[ast.stmt]:
    parts = [getattr(node, name, []) for name in ("body", "finalbody")]
    parts += [part.body for name in ("handlers", "cases") for part in getattr(node, name, [])]
    parts += [] if _elif_of(node) else [getattr(node, "orelse", [])]
    return [statement for part in parts for statement in part]


def test_blocks_are_not_nested_deeply() -> None:
    deep = []
    for path in FILES:
        for node in statements(TREES[path]):
            if isinstance(node, ast.FunctionDef) and (nested := _nested(node.body)) > MOST_NESTED:
                deep.append(f"{path.relative_to(ROOT)}: {node.name}: {nested} blocks deep, {MOST_NESTED} expected")
    assert not deep


def _classes(name: str) -> Iterator[ast.ClassDef]:
    """Classes of that name, in whatever file."""
    for path in FILES:
        yield from (node for node in TREES[path].body if isinstance(node, ast.ClassDef) and node.name == name)


def _said_of(owner: ast.ClassDef, method: str) -> bool:
    """Whether a class or one that it inherits from says what a method does."""
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and node.name == method and ast.get_docstring(node):
            return True
    bases = [base.id for base in owner.bases if isinstance(base, ast.Name)]
    return any(_said_of(base, method) for name in bases for base in _classes(name))


def _used_elsewhere() -> dict[str, set[str]]:
    """Names that another file of the package imports, by the file that defines them."""
    found: dict[str, set[str]] = {name: set() for name in MODULES}
    for path in FILES:
        for node in statements(TREES[path]):
            if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                found[node.module].update(name.name for name in node.names)
    return found


def test_whatever_others_may_use_says_what_it_does() -> None:
    used = _used_elsewhere()
    for name, path in MODULES.items():
        for node in TREES[path].body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            if node.name.startswith("_") and node.name not in used[name]:
                continue
            assert ast.get_docstring(node), f"{name}.{node.name}"
            for part in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                    assert _said_of(node, part.name), f"{name}.{node.name}.{part.name}"


COMPILED = {"jit", "kernel", "inlined", "entry"}
"""Decorators of functions that are compiled."""
ARRAY = re.compile(r"(Array|[IFU]\d+)( \| None)?")
SHAPE = re.compile(r"\([^()]*,[^()]*\)|\bshape\b")
"""`(R, ports)`, `(n,)`, or a word about the shape."""


def _is_compiled(node: ast.FunctionDef) -> bool:
    made_by = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
    return any(isinstance(each, ast.Name) and each.id in COMPILED for each in made_by)


def test_compiled_functions_say_what_they_do_whoever_uses_them() -> None:
    """They have no types, and write into their arguments."""
    silent = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in FILES
        for node in statements(TREES[path])
        if isinstance(node, ast.FunctionDef) and _is_compiled(node) and not ast.get_docstring(node)
    ]
    assert not silent


def test_functions_that_others_may_use_say_the_shape_of_the_array_they_return() -> None:
    silent = [
        f"{name}.{node.name}"
        for name, path in MODULES.items()
        for node in TREES[path].body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.returns is not None
        if ARRAY.fullmatch(ast.unparse(node.returns)) and not SHAPE.search(ast.get_docstring(node) or "")
    ]
    assert not silent
