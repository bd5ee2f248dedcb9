"""The bibliography and the papers' printed numbers: `bibliography()`, `golden(key)`.

`papers.bib` is the one bibliography. A golden file `<key>.toml` holds what a paper prints, as strings, digit for
digit; the report and the tests share it (docs/decisions/0003). Any layer may read both.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import read_text

__all__ = [
    "bibliography", "claim", "entries", "evaluate", "golden", "golden_folder", "golden_keys", "printed",
]  # fmt: skip

HERE = Path(__file__).parent
MOST_BYTES = 10_000_000
"""Of a file of printed numbers."""
ENTRY = re.compile(r"@(\w+)\{\s*([^,\s]+)\s*,(.*?)\n\}", re.DOTALL)
FIELD = re.compile(r"(\w+)\s*=\s*\{(.*?)\}\s*(?:,|\Z)", re.DOTALL)


@cache
def bibliography() -> dict[str, dict[str, str]]:
    """Every source by key: its kind (`type`) and BibTeX fields.

    >>> bibliography()["yang2001rdt"]["year"]
    '2001'
    """
    text = (HERE / "papers.bib").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for kind, key, body in ENTRY.findall(text):
        if key in found:
            raise JumpnetError(f"papers.bib: key {key!r} found twice")
        fields = {name.lower(): " ".join(value.split()) for name, value in FIELD.findall(body.strip() + ",")}
        found[key] = {"type": kind.lower(), **fields}
    return found


def golden_folder(package: Path = HERE) -> Path:
    """Where the golden files are: inside the installed package, or `tests/golden` of a checkout."""
    for folder in (package / "golden", package.parents[1] / "tests" / "golden"):
        if folder.is_dir():
            return folder
    raise JumpnetError(f"no golden files found beside {package}; jumpnet is not installed completely")


def golden_keys() -> list[str]:
    """The papers whose printed numbers are at hand.

    >>> "li2009rdn" in golden_keys()
    True
    """
    return sorted(path.stem for path in golden_folder().glob("*.toml") if path.stem in bibliography())


@cache
def golden(key: str) -> Mapping[str, Any]:
    """The printed numbers of one paper: tables (`title`, `where`, `columns`, `rows`) and `claims`.

    Raises JumpnetError with the nearest key when there is no such paper, and for a file that is damaged.

    >>> golden("yang2001rdt")["table_2"]["rows"]["Hypercube"]
    ['12', '12', '16', '16']
    """
    if key not in golden_keys():
        raise unknown_name("paper", key, golden_keys())
    path, expected = golden_folder() / f"{key}.toml", "the printed numbers of a paper expected"
    try:
        return tomllib.loads(read_text(path, MOST_BYTES, expected))
    except (ValueError, RecursionError) as error:  # of TOML, and of numbers of thousands of digits
        raise JumpnetError(f"{path}: {' '.join(str(error).split())}; {expected}") from None


def printed(data: Mapping[str, Any], table: str, row: str, column: str) -> str | None:
    """One printed cell, or None where the paper leaves it empty or our copy has lost it.

    >>> printed(golden("yang2001rdt"), "table_1", "deadlock-free average", "4096")
    '8.19'
    """
    columns = data[table]["columns"]
    if column not in columns:
        raise unknown_name(f"column of {table}", column, columns)
    if row not in data[table]["rows"]:
        raise unknown_name(f"row of {table}", row, data[table]["rows"])
    return data[table]["rows"][row][columns.index(column)] or None


def claim(data: Mapping[str, Any], name: str) -> str:
    """The printed value of a claim made in a paper's text.

    >>> claim(golden("li2009rdn"), "bisection_3_1")
    '5'
    """
    if name not in data["claims"]:
        raise unknown_name("claim", name, data["claims"])
    return data["claims"][name]["value"]


def entries(data: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What a paper says that can be checked: its claims and tables by name, each with `where` and `text`.

    >>> entries(golden("li2009rdn"))["table_2"]["where"]
    'Table 2, section 2'
    """
    tables = {name: {"where": t["where"], "text": t["title"]} for name, t in data.items() if name.startswith("table_")}
    return tables | data["claims"]


@cache
def _parsed(formula: str) -> ast.expr:
    try:
        return ast.parse(formula, mode="eval").body
    except SyntaxError:
        raise JumpnetError(f"formula {formula!r} found, numbers, names, + - * / ** and lg() expected") from None


def evaluate(formula: str, **names: float) -> int | float:
    """The value of a printed formula: numbers, names, + - * / **, lg(), ceil() and floor(), nothing else.

    Raises JumpnetError for anything else in it, and for a name without a value.

    >>> evaluate("2*(R+1)", R=3), evaluate("ceil((2*m)**(2**k)/8)", m=3, k=1), evaluate("2**n/2+lg(8)", n=3)
    (8, 5, 7)
    """
    functions = {"lg": math.log2, "ceil": math.ceil, "floor": math.floor}
    operations = {
        ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
        ast.Pow: operator.pow,
    }  # fmt: skip

    def value(node: ast.AST) -> float:
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in functions:
                return functions[name](value(inner))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in operations:
                return operations[type(op)](value(left), value(right))
        raise JumpnetError(f"formula {formula!r} found, one of numbers, {', '.join(names)}, + - * / **, lg() expected")

    result = value(_parsed(formula))
    return int(result) if result == int(result) else result
