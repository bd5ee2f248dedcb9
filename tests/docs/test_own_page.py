"""The table of docs/howto-own.md: each line, put into a relation, is refused in the words beside it.

What it says to write instead runs.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.routings import Routing, bind

PAGE = Path(__file__).parents[2] / "docs" / "howto-own.md"
ROW = re.compile(r"^\| (`.+`) \| (.+) \| (.+) \|$", re.MULTILINE)
ROWS = [
    ("\n".join(re.findall(r"`([^`]+)`", written)), said, instead)
    for written, said, instead in ROW.findall(PAGE.read_text(encoding="utf-8"))
]
RELATION = """
import numpy as np

LIMIT = 3


def relation(net, here, head, out):
    for d in range(2):
        side = net.params[d]
        ahead = (net.coord[head[1], d] - net.coord[here, d]) % side
        if ahead != 0:
            for k in range(8):
                out[k // 4, k % 4] = 0
{code}
            out[0, 0] = 2 * d if 2 * ahead <= side else 2 * d + 1
            out[0, 1] = out[0, 2] = out[0, 3] = 0
            return 1
    return 0
"""
SET = {"global LIMIT": "global LIMIT\nLIMIT = 4"}
"""What a row leaves out."""
NUMBERS = itertools.count()


def bound_with(code: str, folder: Path) -> None:
    """Compile the relation with some lines of code in it, as a user's file."""
    name = f"own_page_{next(NUMBERS)}"
    file = folder / f"{name}.py"
    file.write_text(RELATION.format(code=textwrap.indent(SET.get(code, code), " " * 12)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert bind(Routing(name=f"own.{name}", relation=module.relation), jumpnet.network("torus:4x4").net).pointer


def test_the_table_is_there() -> None:
    assert len(ROWS) == 26


@pytest.mark.parametrize(("code", "said"), [row[:2] for row in ROWS], ids=[row[0].splitlines()[0] for row in ROWS])
def test_a_line_is_refused_in_these_words(code: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(JumpnetError, match=re.escape(said)) as error:
        bound_with(code, tmp_path)
    assert "\n" not in str(error.value) and re.search(r"own_page_\d+\.py:\d+", str(error.value))


def test_what_to_write_instead_compiles(tmp_path: Path) -> None:
    instead = [found[1] for row in ROWS if (found := re.fullmatch(r"`([^`]+)`", row[2]))]
    whole = [code for code in instead if not code.startswith("return")]
    assert len(whole) == 16
    bound_with("\n".join(whole), tmp_path)
    bound_with("return side // 4", tmp_path)
