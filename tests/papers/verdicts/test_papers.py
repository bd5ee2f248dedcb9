"""The printed numbers and the bibliography: complete, found at run time, and inside the wheel."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from jumpnet import papers
from jumpnet.errors import JumpnetError

ROOT = Path(__file__).parents[3]
KEYS = ("inoguchi1996srt", "kudoh1995rhbd", "li2009rdn", "nishi1997router", "yang2001rdt")
CITED = re.compile(r"\b[a-z]+\d{4}[a-z]+\b")


def test_the_five_papers_have_printed_numbers() -> None:
    assert set(KEYS) <= set(papers.golden_keys())


@pytest.mark.parametrize("key", KEYS)
def test_golden_files_hold_strings_in_full_rows(key: str) -> None:
    """A table has no other table within, which would be an entry that nothing asks to be shown."""
    data = papers.golden(key)
    assert data["key"] == key and papers.bibliography()[key]["title"]
    for name, table in data.items():
        if name.startswith("table_"):
            assert set(table) <= {"title", "where", "columns", "rows", "note", "unit"}, name
            for row, cells in table["rows"].items():
                assert len(cells) == len(table["columns"]), (name, row)
                assert all(isinstance(cell, str) for cell in cells), (name, row)
    for name, claim in data["claims"].items():
        assert {"value", "where", "text"} <= set(claim), name
        assert isinstance(claim["value"], str), name


def test_an_unknown_paper_names_the_nearest() -> None:
    with pytest.raises(JumpnetError, match="did you mean 'li2009rdn'"):
        papers.golden("li2009rdm")
    with pytest.raises(JumpnetError, match="did you mean 'Hypercube'"):
        papers.printed(papers.golden("yang2001rdt"), "table_2", "Hypercub", "4096 degree")


def test_the_gate_counts_of_the_chip_add_up() -> None:
    rows = papers.golden("nishi1997router")["table_2"]["rows"]
    blocks = [list(map(int, cells[:3])) for name, cells in rows.items() if name != "Total"]
    assert all(gates * count == total for gates, count, total in blocks)
    assert sum(total for _, _, total in blocks) == int(rows["Total"][2])


def test_the_folder_is_found_in_a_package_and_in_a_checkout(tmp_path: Path) -> None:
    assert papers.golden_folder() == ROOT / "tests" / "golden" or papers.golden_folder().parent.name == "jumpnet"
    (tmp_path / "jumpnet" / "golden").mkdir(parents=True)
    assert papers.golden_folder(tmp_path / "jumpnet") == tmp_path / "jumpnet" / "golden"
    with pytest.raises(JumpnetError, match="not installed completely"):
        papers.golden_folder(tmp_path / "a" / "b" / "c")


def test_cited_keys_are_in_the_bibliography() -> None:
    known = papers.bibliography()
    for path in sorted((ROOT / "src" / "jumpnet").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for key in CITED.findall(ast.get_docstring(node) or ""):
                    assert key in known, f"{path.name} cites {key}, which papers.bib lacks"
            elif isinstance(node, ast.keyword) and node.arg == "source" and isinstance(node.value, ast.Constant):
                for key in CITED.findall(str(node.value.value)):
                    assert key in known, f"{path.name} cites {key}, which papers.bib lacks"


def test_the_wheel_carries_printed_numbers_style_and_bibliography(tmp_path: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    forced = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert forced["tests/golden"] == "jumpnet/golden"
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    names = set(zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist())
    assert {f"jumpnet/golden/{key}.toml" for key in KEYS} <= names
    assert {"jumpnet/papers.bib", "jumpnet/report/_page.css", "jumpnet/py.typed"} <= names
