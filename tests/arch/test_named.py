"""What docstrings, comments and pages put between back-ticks is there: files, modules, what they define, and names.

`a.b` must resolve where `a` is a module or folder of the package, in full or from its last parts on. A name with `_` in
it must stand somewhere in the code; on pages, which also name what other programs have, only one that begins with `_`.
Names of other things (routings, fields of a local record) pass where the code has them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.arch.sources import FILES, MODULES, ROOT, TREES

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\([^`]*)?`")
FILE = re.compile(r"`((?:[\w.-]+/)*[a-z_][\w.-]*\.(?:py|md))`")


NAMES = frozenset(("id", "attr", "arg", "name", "asname"))
"""Fields of Python's trees that hold a name."""


class _Said(NamedTuple):
    """What the code of a file says."""

    names: set[str]
    """Every name: defined, used, an argument, an attribute."""
    strings: list[str]
    """The strings that it uses."""
    texts: list[str]
    """The strings that are statements by themselves: they say something to the reader."""


@cache
def _said(path: Path) -> _Said:
    """What a file says, in one walk over its tree."""
    said = _Said(set(), [], [])
    ahead: list[ast.AST] = [TREES[path]]
    while ahead:
        node = ahead.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                said.strings.append(node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            said.texts.append(str(node.value.value))
        else:
            for field, value in vars(node).items():
                if isinstance(value, list):
                    ahead += [each for each in value if isinstance(each, ast.AST)]
                elif isinstance(value, ast.AST):
                    ahead.append(value)
                elif field in NAMES and isinstance(value, str):
                    said.names.update((value, value.rpartition(".")[2]))
    return said


def _texts(path: Path) -> Iterator[str]:
    """What a file says to its reader."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield re.sub(r"```.*?```", "", source, flags=re.DOTALL)
        return
    yield from _said(path).texts
    if re.search("#.*`", source):  # to find comments takes longer than all else, and few name anything
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def _defined(tree: ast.AST) -> set[str]:
    """Every name that some code defines: functions, classes, what is assigned to, fields, arguments."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.id if isinstance(node, ast.Name) else node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


@cache
def _defined_in(module: str) -> set[str]:
    """What may follow the name of a module: what it defines; a folder hands on what it imports."""
    path = MODULES[module]
    return _said(path).names if path.name == "__init__.py" else _defined(TREES[path])


@cache
def _all_strings() -> str:
    """What strings of the package's code say."""
    return "\n".join(text for path in FILES for text in _said(path).strings)


@cache
def _all_words() -> set[str]:
    """Every name in the code of the package, its modules, and every word in its strings."""
    words = {name.rpartition(".")[2] for name in MODULES} | set(re.findall(r"\w+", _all_strings()))
    return words.union(*(_said(path).names for path in FILES))


@cache
def _known_files() -> frozenset[str]:
    """Files of the project, by every end of their path."""
    folders = ("src", "tests", "docs", "benchmarks", "validation", "tools", "studies", "web/kernels")
    inner = [path for name in folders for path in (ROOT / name).rglob("*") if path.suffix in (".py", ".md")]
    parts = [
        path.relative_to(ROOT).parts
        for path in (*ROOT.glob("*.md"), *ROOT.glob("*.py"), *(ROOT / "web").glob("*.*"), *inner)
    ]
    return frozenset("/".join(whole[k:]) for whole in parts for k in range(len(whole)))


@cache
def _modules_by_part() -> dict[str, list[list[str]]]:
    """The names of modules in which a part stands, each as its parts."""
    found: dict[str, list[list[str]]] = {}
    for whole in (name.split(".") for name in MODULES):
        for part in set(whole):
            found.setdefault(part, []).append(whole)
    return found


SHORT = {name.rpartition(".")[2] for name in MODULES}
"""Modules and folders by their last name."""


def _resolves(name: str) -> bool:
    """Whether a dotted name is a module or something that a module has; a module's first parts may be left out."""
    parts = name.split(".")
    for whole in _modules_by_part().get(parts[0], []):
        for k in range(1, len(parts) + 1):
            if whole[-k:] == parts[:k] and (k == len(parts) or parts[k] in _defined_in(".".join(whole))):
                return True
    return False


def _stale(text: str, here: set[str] | None) -> list[str]:
    """Names and files between back-ticks that are not there; `here` are the names in the code beside, None on pages."""
    missing = [name for name in FILE.findall(text) if name not in _known_files()]
    for name in NAME.findall(text):
        first, _, rest = name.partition(".")
        if name.endswith((".py", ".md")):
            continue
        if not rest:
            checked = (name[0] == "_" and name[:2] != "__") or (here is not None and "_" in name)
            start = name[-1] == "_" and any(word.startswith(name) for word in _all_words())
            if checked and not start and name not in _all_words():
                missing.append(name)
        elif (first in SHORT or first[0] == "_") and not _resolves(name):
            of_local = first in (here or ()) and rest.partition(".")[0] in _all_words()
            if not of_local and name not in _all_strings():
                missing.append(name)
    return missing


def test_stale_names_are_found() -> None:
    gone = [
        "router.no_such_stage",
        "_no_such_file.settle",
        "run.grow_no_packets",
        "_no_such_kernel",
        "no_such_function",
    ]
    assert _stale(" ".join(f"`{name}`" for name in gone), set()) == gone
    assert _stale("`sim/no_such_file.py` and `no_such_page.md`", set()) == ["sim/no_such_file.py", "no_such_page.md"]
    there = ["sim.router.vc_allocation", "config.SimConfig", "torus.dateline", "checks.Run", "SimConfig", "hash"]
    assert _stale(" ".join(f"`{name}`" for name in there), set()) == ["checks.Run"]
    used_there = ["reference.Router", "team.JumpnetError", "reference.simulation.NO_ROUTER"]  # imported, not defined
    assert _stale(" ".join(f"`{name}`" for name in used_there), set()) == used_there
    assert _stale("`space.head`, `preset(load=0.1)`, `sim/simulate.py`", {"space"}) == []


def test_python_files_name_what_is_there() -> None:
    found = {path.relative_to(ROOT).as_posix(): [_stale(t, _said(path).names) for t in _texts(path)] for path in FILES}
    assert not {path: names for path, stale in found.items() if (names := [name for some in stale for name in some])}


def test_pages_name_what_is_there() -> None:
    found = {}
    for path in PAGES:
        own = set(re.findall(r"^(\w+) = ", path.read_text(encoding="utf-8"), re.MULTILINE))  # in the page's own code
        stale = [name for name in _stale(next(_texts(path)), None) if name.partition(".")[0] not in own]
        found[path.relative_to(ROOT).as_posix()] = stale
    assert not {path: stale for path, stale in found.items() if stale}
