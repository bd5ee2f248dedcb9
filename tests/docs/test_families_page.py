"""docs/families.md is true: every registered family is in it, and the figures of its examples are counted anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.naive import distances as naive

from jumpnet.topology import families, family

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "families.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in PAGE.splitlines() if line.startswith("| `")]


def test_every_registered_family_is_on_the_page():
    assert sorted(row[0].strip("` ") for row in ROWS) == sorted(families())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("` "))
def test_figures_of_the_examples(row):
    name, _, _, example, *figures, source = row
    known = family(example.strip("`"))
    assert known.name == name.strip("` ")
    counted = naive.figures(known.build())
    diameter = counted["diameter"] if "average_distance" in counted else "–"
    assert figures == [str(f) for f in (counted["routers"], counted["links"], counted["degree"], diameter)]
    assert source


def test_decisions_named_on_the_page_exist():
    for path in re.findall(r"`(decisions/[\w.-]+)`", PAGE):
        assert (ROOT / "docs" / path).is_file()
