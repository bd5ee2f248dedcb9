"""Accesses of many lines or pages: tables that are indexed by a mask keep sizes that are powers of two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.attack.command_line.command import jumpnet

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.records import block_of

LARGEST = 1 << 16
"""Bytes of the largest access that a trace may have."""


def test_a_large_access_first_does_not_hang(tmp_path: Path) -> None:
    """It once made a hash table of 528 slots, where a search among 64 pages never came to an end."""
    lines = [" L 0,2048", *(f" L {page}000,8" for page in range(1, 65))]
    (tmp_path / "m.lackey").write_text("\n".join(lines) + "\n")
    found = jumpnet("machine", "m.lackey", "--json", folder=tmp_path)
    assert found.returncode == 0, found.stderr
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert rows and all(row["references"] == 65 and row["pages"] == 65 for row in rows)


@pytest.mark.parametrize("line_bytes", [4, 32, 4096])
@pytest.mark.parametrize("size", [1, 2048, 40_000, LARGEST])
def test_every_page_has_its_place(line_bytes: int, size: int) -> None:
    """Two processors touch 300 pages, the first with one access of that size; messages are kept."""
    engine = Functional(2, directory="line", line_bytes=line_bytes, collect=True)
    address = np.repeat(np.arange(300, dtype=np.int64) * 4096, 2)
    sizes = np.full(600, 4, np.int64)
    sizes[:2] = size
    proc = np.tile(np.array([0, 1], np.int64), 300)
    engine.feed(proc, address, sizes, proc == 1, np.zeros(600, np.uint8))
    assert engine.pages == 300 and engine.references == 600
    tables = engine._tables
    for table in (tables.slot_number, tables.set_home):
        assert len(table) & (len(table) - 1) == 0
    # The second processor writes each line just after the first has read it: one message each.
    assert engine.messages == -(-size // line_bytes) + 299
    assert sum(int(part.count.sum()) for part in engine.take_sets()) == engine.messages


@pytest.mark.parametrize(
    "columns",
    [([0], [64.5], 4, [0]), ([0], ["a"], 4, [0]), ([0, 1], [64], 4, [0]), ([], [64], 4, [0]), ([0], [64], 1j, [0]),
     ([0], [float("inf")], 4, [0]), ([0], [[64], [1, 2]], 4, [0]), ([0], [64], "", [0])],
)  # fmt: skip
def test_records_of_what_are_no_whole_numbers(columns: Any) -> None:
    """An address of 64.5 was 64 without a word."""
    with pytest.raises(JumpnetError, match="expected"):
        block_of(*columns)
